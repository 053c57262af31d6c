"""The map of the stability simulation: it stays while its settings stay, and a click loads a cell."""

import numpy as np
import pytest

from app.views.stability import StabilityView
from sims.simulations.stability import MAP_DEPTHS, RATES, Stability


@pytest.fixture(scope="module")
def mapped():
    """A simulation with its frame before the map and with two cells of it."""
    simulation = Stability(network="perceptron", depth=4, training_steps=80, seeds=1)
    state = simulation.advance(simulation.start(), 80)
    further = simulation.advance(state, 2 * simulation.pieces_per_cell)
    return simulation, simulation.frame(state), simulation.frame(further)


def drawn(simulation):
    view = StabilityView(simulation)
    view.draw()
    heard = []
    view.change_all, view.play = heard.append, lambda: heard.append("play")
    return view, heard


def cells(view):
    return sum(len(source.data["x"]) for source in view._cells.values())


def test_cells_stay_when_another_run_begins_and_go_when_the_map_is_of_something_else(mapped):
    simulation, before, after = mapped
    view, _heard = drawn(simulation)
    view.update(after)
    assert cells(view) == 2
    simulation.learning_rate = 0.1
    view.update(before)
    assert cells(view) == 2
    simulation.warmup = 10
    view.update(before)
    assert cells(view) == 0
    simulation.param.update(learning_rate=0.01, warmup=0)


def test_a_click_loads_a_cell_and_begins_its_run(mapped):
    view, heard = drawn(mapped[0])
    view._on_tap(2.3, 0.8)
    assert heard == [{"depth": MAP_DEPTHS[1], "learning_rate": RATES[2]}, "play"]


@pytest.mark.parametrize(("x", "y"), [(-3, 0), (0, 99), ("2", 1), (None, None), (float("nan"), 0), (float("inf"), 0)])
def test_a_click_beside_the_map_or_with_no_place_does_nothing(mapped, x, y):
    view, heard = drawn(mapped[0])
    view._on_tap(x, y)
    assert heard == []


def test_the_chosen_cell_is_ringed_only_where_the_map_has_its_depth(mapped):
    simulation, before, _after = mapped
    view, _heard = drawn(simulation)
    for depth, rings in ((8, 1), (12, 0)):
        simulation.depth = depth
        view.update(before)
        assert len(view._chosen.data["x"]) == rings
    simulation.depth = 4
    assert np.isfinite(before["stream_gradients"]).all()
