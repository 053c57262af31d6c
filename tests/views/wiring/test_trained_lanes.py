"""Two tables of dye and the likeness of lanes, before the first step."""

import pytest

from app.views.wiring.trained_lanes import LOOKS, TrainedLanesView
from sims.simulations.wiring.trained_lanes import TrainedLanes


@pytest.mark.exhaustive
def test_before_training_the_dye_is_in_its_lane_and_lanes_are_alike() -> None:
    simulation = TrainedLanes(seeds=1)
    view = TrainedLanesView(simulation)
    view.figures()
    view.update(simulation.frame(simulation.start()))
    assert view._dye["free"]._ends.data["text"] == ["1", "0", "0", "0"]
    for name in LOOKS:
        assert view._alike.source.data[name] == pytest.approx([1] * 13)
    assert view._alike.source.data["x"].tolist() == list(range(13))
