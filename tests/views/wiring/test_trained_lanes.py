"""Two tables of dye and the likeness of lanes, before the first step."""

import pytest

from app.views.wiring.trained_lanes import LOOKS, TrainedLanesView
from sims.simulations.wiring.trained_lanes import TrainedLanes
from tests.showing import showing


@pytest.mark.exhaustive
def test_before_training_the_dye_is_in_its_lane_and_lanes_are_alike() -> None:
    simulation = TrainedLanes(seeds=1)
    view = showing(TrainedLanesView(simulation), simulation.frame(simulation.start()))
    assert view._dye["free"]._ends.data["text"] == ["1", "0", "0", "0"]
    for name in LOOKS:
        assert view._alike.source.data[name] == pytest.approx([1] * 13)
    assert view._alike.source.data["x"].tolist() == list(range(13))
    assert view._dye["free"]._start.data["y"] == [4]
    assert view._dye["doubly"].figure.title.text == "Dye from lane 1: doubly stochastic mixes"


@pytest.mark.exhaustive
def test_the_write_of_a_branch_comes_from_no_lane() -> None:
    simulation = TrainedLanes(seeds=1, writer=9)
    view = showing(TrainedLanesView(simulation), simulation.frame(simulation.start()))
    assert view._dye["free"]._ends.data["text"] == ["1", "1", "1", "1"]
    assert view._dye["free"]._start.data == {"x": [], "y": []}
    assert view._dye["free"].figure.title.text == "Dye from the write of branch 9 (darkest: 1): free mixes"
