"""The two maps of the stability simulation, the cell that is marked, and what a pointer sets."""

import numpy as np
import pytest

from app.views.norm_placement.stability import FOOT, HEAD, HEIGHT, TOPS, StabilityView, height_of
from sims.instruments.training.map_cell import OUTCOMES, STUCK, TRAINS
from sims.simulations.norm_placement.stability import DEPTHS, RATES, SIDES, Stability


@pytest.fixture(scope="module")
def trained():
    """A simulation with its frames before the run, on the way, and at the end."""
    simulation = Stability(network="perceptron", training_steps=40, seeds=2)
    state = simulation.start()
    frames = [simulation.frame(simulation.advance(state, steps)) for steps in (0, 20, 40)]
    return simulation, *frames


@pytest.fixture
def view(trained):
    stability_view = StabilityView(trained[0])
    stability_view.figures()
    stability_view.heard = []
    stability_view.change_all = stability_view.heard.append
    yield stability_view
    trained[0].param.update(depth=16, learning_rate=0.01)


def cells(view, word):
    data = view._cells[word].data
    return set(zip(data["x"], data["y"], strict=True))


def test_cells_are_high_enough_for_a_finger(view):
    around = 66  # pixels of the title, the ticks and the label
    assert (HEIGHT - around) / (HEAD - FOOT) > 30


@pytest.mark.exhaustive
def test_before_the_run_no_cell_has_failed(trained, view):
    view.update(trained[1])
    assert [len(cells(view, word)) for word in view._cells] == [0, 0, 0, 0, 72]
    assert set(view._texts.data["text"]) == {"·"}
    assert view._counts.data["text"] == ["not trained yet"] * 2


def test_a_cell_that_does_not_train_yet_is_open_until_the_end(trained, view):
    _simulation, _before, halfway, end = trained
    view.update(halfway)
    assert not cells(view, STUCK)
    view.update(end)
    assert sum(len(cells(view, word)) for word in OUTCOMES) == 72


def test_each_cell_is_at_its_rate_and_depth_with_its_error(trained, view):
    frame = trained[3]
    view.update(frame)
    texts = {(x, y): text for x, y, text in zip(*view._texts.data.values(), strict=True)}
    for (side, row, column), error in np.ndenumerate(frame["error"]):
        if OUTCOMES[frame["outcome"][side, row, column]] in (TRAINS, STUCK):
            assert texts[column, height_of(side, row)] == f"{error:.0%}"
            assert (column, height_of(side, row)) in cells(view, OUTCOMES[frame["outcome"][side, row, column]])


@pytest.mark.parametrize(("depth", "rate"), [(4, 0.003), (32, 1.0)])
def test_depth_and_rate_choose_a_cell_of_both_maps_and_its_curves(trained, view, depth, rate):
    simulation, frame = trained[0], trained[3]
    simulation.param.update(depth=depth, learning_rate=rate)
    view.update(frame)
    row, column = DEPTHS.index(depth), RATES.index(rate)
    assert view._chosen.data == {"x": [column] * 2, "y": [height_of(side, row) for side in (0, 1)]}
    for where, side in enumerate(SIDES):
        data = view._loss[side].data
        for key, name in (("middle", "loss"), ("low", "loss_low"), ("high", "loss_high")):
            assert np.array_equal(data[key], frame[name][where, row, column], equal_nan=True)
        assert np.array_equal(view._ratio[side].data["y"], frame["ratio"][where, row, column], equal_nan=True)
        along = view._along["activations"][1][side].data
        assert len(along["x"]) == depth + 1
        assert np.isfinite(along["start"]).all()


def test_a_press_on_a_cell_takes_its_rate_and_depth_and_one_between_the_maps_only_the_rate(trained, view):
    view._point(2.3, height_of(1, 3) + 0.4)
    view._point(5, TOPS[1])
    assert view.heard == [{"learning_rate": RATES[2], "depth": 32}, {"learning_rate": RATES[5]}]


@pytest.mark.parametrize(("x", "y"), [(-3, 1), (0, 99), ("2", 1), (None, None), (float("nan"), 0), (float("inf"), 0)])
def test_a_press_outside_the_maps_or_without_a_place_does_nothing(view, x, y):
    view._point(x, y)
    assert view.heard == []


def test_the_lines_are_named_as_the_placements_of_the_frame(trained, view):
    view.update(trained[3])
    for figure in (view._loss_figure, view._ratio_figure):
        assert [item.label["value"] for item in figure.legend[0].items] == ["Post-LN", "Pre-LN"]
