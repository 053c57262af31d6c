"""Which placement trains, and the map that says so for every depth and learning rate."""

import itertools
import pickle

import numpy as np
import pytest

from sims.comparisons.placements import PLACEMENTS, perceptron, transformer
from sims.contract import parameters
from sims.engines.recipe import Recipe
from sims.instruments.map_cell import OUTCOMES, Outcome, remember, remembered
from sims.simulations.stability import MAP_DEPTHS, RATES, Stability


@pytest.fixture(scope="module")
def runs():
    """Perceptrons of 32 blocks, Adam at 0.03, 3 seeds."""
    return {
        name: Stability(
            placement=name, network="perceptron", depth=32, learning_rate=0.03, with_map=False, initialization="he"
        ).compute()
        for name in ("post", "pre")
    }


def test_a_large_rate_stops_post_ln_and_not_pre_ln(runs):
    assert runs["pre"]["train_error_high"][-1] < runs["post"]["train_error_low"][-1]


def test_c_04_the_vanished_gradient_comes_with_training(runs):
    assert runs["post"].results["ratio_at_start"] > 0.1
    assert runs["post"].results["ratio"] < 1e-2 * runs["post"].results["ratio_at_start"]
    assert runs["pre"].results["ratio"] > 0.1


def test_every_placement_is_an_architecture_of_both_kinds():
    for name, (_label, norm, final) in PLACEMENTS.items():
        assert transformer(name, 4).ends_with_norm == final
        assert perceptron(name, 4).final_norm == final
        assert perceptron(name, 4).norm == norm


@pytest.mark.parametrize("network", ["transformer", "perceptron"])
@pytest.mark.parametrize("placement", PLACEMENTS)
def test_every_end_of_the_controls_trains_or_diverges_with_a_reason(network, placement):
    for optimizer, rate, clip in itertools.product(("sgd", "adam"), (1e-4, 1.0), (0.0, 1.0)):
        simulation = Stability(
            placement=placement,
            network=network,
            depth=4,
            learning_rate=rate,
            optimizer=optimizer,
            clip=clip,
            initialization="he",
            seeds=1,
            with_map=False,
        )
        frame = simulation.frame(simulation.advance(simulation.start(), 12))
        lost = frame.results["lost"]
        assert lost == len(frame.diverged)
        assert np.isfinite(frame["train_loss"]).all() or lost


@pytest.fixture(scope="module")
def mapped():
    """A whole map of a few steps."""
    simulation = Stability(network="perceptron", depth=4, training_steps=80, seeds=1)
    state = simulation.start()
    return simulation, state, simulation.advance(state, 10**6)


def test_the_map_fills_shallow_first_and_holds_every_cell(mapped):
    simulation, state, done = mapped
    partly = simulation.frame(simulation.advance(state, 80 + 3 * simulation.pieces_per_cell))
    assert np.argwhere(partly["map_outcome"] >= 0).tolist() == [[0, 0], [0, 1], [0, 2]]
    whole = simulation.frame(done)
    assert (whole["map_outcome"] >= 0).all()
    assert whole.finished
    assert {OUTCOMES[code] for code in whole["map_outcome"].ravel()} >= {"trains"}


def test_a_cell_of_the_map_is_the_run_of_its_settings(mapped):
    simulation, _state, done = mapped
    row, column = MAP_DEPTHS.index(8), RATES.index(0.01)
    alone = Stability(
        network="perceptron", depth=8, learning_rate=0.01, training_steps=80, seeds=1, with_map=False
    ).compute()
    assert simulation.frame(done)["map_error"][row, column] == alone.results["training_error"]


def test_the_map_is_the_same_whether_cells_are_remembered_or_trained(mapped):
    simulation, state, done = mapped
    key = (simulation._architecture(4), simulation._recipe(RATES[0], 80), 0, 80)
    assert remembered(key) == done.cells[0]
    again = simulation.advance(pickle.loads(pickle.dumps(state)), 10**6)
    assert again.cells == done.cells


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr("sims.instruments.map_cell.MEMORY", 3)
    monkeypatch.setattr("sims.instruments.map_cell._known", type(remembered.__globals__["_known"])())
    for number in range(5):
        remember(number, Outcome(0.0, "trains"))
    assert [remembered(number) is None for number in range(5)] == [True, True, False, False, False]


def test_hostile_values_are_clamped_with_a_note():
    settings, notes = parameters.read(
        Stability, {"learning_rate": "1e9", "depth": "-4", "warmup": "7", "placement": "sandwich"}
    )
    assert (settings["learning_rate"], settings["depth"]) == (1.0, 4)
    assert len(notes) == 4
    Stability(**settings)


def test_recipes_name_the_warm_up_and_the_clip():
    assert Stability(warmup=40, clip=1.0)._recipe(0.1, 5) == Recipe("adam", 0.1, 32, 40, 1.0, record_every=5)
