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


def test_the_lanes_of_both_models_are_equally_high_and_all_branches_in_one_column() -> None:
    simulation = TrainedLanes(seeds=1)
    view = showing(TrainedLanesView(simulation), simulation.frame(simulation.start()))
    tables = [view._dye[name].figure for name in LOOKS]
    assert len({(table.height, table.min_border_top) for table in tables}) == 1
    # The border has room for the legend, which only one of them may have.
    assert tables[0].min_border_top > 50
    [axis], reach = view._places
    for table in tables:
        assert (table.x_range.start, table.x_range.end) == (reach.start, reach.end)
        assert table.xaxis[0].ticker.ticks == axis.ticker.ticks
