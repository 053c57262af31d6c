"""Which placement trains, at every depth and every learning rate."""

import itertools

import numpy as np
import pytest

from sims.comparisons.placements import PLACEMENTS, perceptron, transformer
from sims.contract import parameters
from sims.engines import dispatch
from sims.engines.recipe import Recipe
from sims.instruments.training.map_cell import OPEN, OUTCOMES, TRAINS
from sims.kept import results
from sims.simulations.norm_placement import stability
from sims.simulations.norm_placement.stability import (
    BESIDE,
    DEPTHS,
    RATES,
    TASKS,
    Stability,
    cell,
    first_gradients,
    largest_rates,
)


@pytest.fixture(scope="module")
def whole():
    """Perceptrons, Post-LN and Pre-LN, 3 seeds, and their last frame."""
    simulation = Stability(network="perceptron", initialization="he")
    state = simulation.advance(simulation.start(), 10**6)
    return simulation, state, simulation.frame(state)


def at(depth, rate):
    return DEPTHS.index(depth), RATES.index(rate)


@pytest.mark.exhaustive
def test_a_large_rate_stops_post_ln_and_not_pre_ln(whole):
    frame, place = whole[2], at(32, 0.03)
    assert frame["error"][1][place] < frame["error"][0][place]
    # One seed of three may stay behind, which one depends on the processor's last bits.
    assert frame["loss"][1][place][-1] < frame["loss_low"][0][place][-1]


@pytest.mark.exhaustive
def test_c_04_the_vanished_gradient_comes_with_training(whole):
    post, pre = whole[2]["ratio"][:, *at(32, 0.03)]
    assert post[0] > 0.1
    assert post[-1] < 1e-2 * post[0]
    assert pre[-1] > 0.1


@pytest.mark.exhaustive
def test_pre_ln_trains_in_more_cells(whole):
    results = whole[2].results
    assert results["pre_trains"] > results["beside_trains"] > 0


@pytest.mark.exhaustive
def test_a_cell_is_the_run_of_its_placement_depth_and_rate(whole):
    simulation, state, frame = whole
    architecture = perceptron("pre", 8, width=32, initialization="he")
    alone = dispatch.start(architecture, Recipe("adam", 0.01, 64, record_every=20), TASKS["perceptron"], (0, 1, 2))
    alone = dispatch.advance(alone, simulation.training_steps)
    assert np.array_equal(state[cell("pre", 8, 0.01)].parameters, alone.parameters)
    assert frame["error"][1][at(8, 0.01)] == np.median(alone.now.train_error)
    profile = frame["stream_gradients_now"][1][at(8, 0.01)]
    assert np.array_equal(profile[:9], np.median(alone.now.stream_gradients, axis=0))
    assert np.isnan(profile[9:]).all()


@pytest.mark.exhaustive
def test_depth_and_rate_choose_what_is_looked_at_and_change_no_number(whole):
    simulation, state, frame = whole
    words = {simulation.describe(frame)}
    for depth, rate in ((4, 1e-4), (32, 1.0)):
        other = Stability(**{**simulation.settings(), "depth": depth, "learning_rate": rate})
        assert other.frame(state).json() == frame.json()
        words.add(other.describe(frame))
    assert len(words) == 3


@pytest.mark.exhaustive
def test_the_picture_of_another_cell_comes_from_the_same_run(monkeypatch, tmp_path):
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    settings = {"network": "perceptron", "training_steps": 40, "seeds": 1}
    frame = results.finished(Stability(**settings))

    def fail(*_arguments):
        raise AssertionError("it was trained again")

    monkeypatch.setattr(stability.dispatch, "start", fail)
    assert Stability(**settings, depth=4, learning_rate=1.0).compute().json() == frame.json()


@pytest.mark.exhaustive
def test_before_its_end_a_cell_trains_or_is_open():
    simulation = Stability(network="perceptron", training_steps=40, seeds=1)
    begun = simulation.start()
    assert (simulation.frame(begun)["outcome"] == OPEN).all()
    halfway, end = (simulation.frame(simulation.advance(begun, steps))["outcome"] for steps in (20, 40))
    assert set(halfway.ravel().tolist()) <= {OPEN, OUTCOMES.index(TRAINS)}
    assert (end != OPEN).all()


def test_every_placement_is_an_architecture_of_both_kinds():
    for name, (_label, norm, final) in PLACEMENTS.items():
        assert transformer(name, 4).ends_with_norm == final
        assert perceptron(name, 4).final_norm == final
        assert perceptron(name, 4).norm == norm


@pytest.mark.exhaustive
@pytest.mark.parametrize("placement", [option for option in PLACEMENTS if option != BESIDE])
def test_every_end_of_the_controls_trains_or_loses_its_seed(placement):
    for network, optimizer, clip in itertools.product(TASKS, ("sgd", "adam"), (0.0, 1.0)):
        simulation = Stability(
            placement=placement, network=network, optimizer=optimizer, clip=clip, initialization="he", seeds=1
        )
        begun = simulation.start()
        ends = {cell(kind, 4, rate): begun[cell(kind, 4, rate)] for kind in simulation.pair for rate in (1e-4, 1.0)}
        for name, run in simulation.advance(ends, 12).items():
            assert np.isfinite(run.now.train_loss).all() or any(run.overflows), name


@pytest.mark.exhaustive
def test_a_divergence_says_where_and_how_often():
    simulation = Stability(network="transformer", optimizer="sgd", placement="pre-open", training_steps=40, seeds=1)
    frame = simulation.frame(simulation.advance(simulation.start(), 40))
    assert frame.diverged
    for event in frame.diverged:
        assert "learning rate" in event.quantity
        assert "of the 36 cells" in event.cause


@pytest.mark.exhaustive
@pytest.mark.parametrize(("placement", "pair"), [("post", ("post", "pre")), ("deep", ("deep", "pre"))])
def test_every_placement_is_next_to_pre_ln(placement, pair):
    simulation = Stability(placement=placement)
    assert simulation.pair == pair
    assert len(simulation.start()) == 72


def test_hostile_values_are_clamped_with_a_note():
    settings, notes = parameters.read(
        Stability, {"learning_rate": "1e9", "depth": "-4", "warmup": "7", "placement": "sandwich"}
    )
    assert (settings["learning_rate"], settings["depth"]) == (1.0, 4)
    assert len(notes) == 4
    Stability(**settings)


def test_recipes_name_the_warm_up_and_the_clip():
    assert Stability(warmup=40, clip=1.0)._recipe(0.1) == Recipe("adam", 0.1, 32, 40, 1.0, record_every=20)


FRESH = (100, 105)
"""First seeds of two groups of five that no page shows"""


def fresh_rates(placement: str, optimizer: str, warmup: int = 0) -> np.ndarray:
    return np.concatenate([largest_rates(placement, optimizer, warmup, seed=seed) for seed in FRESH])


def fresh_gradients(placement: str) -> np.ndarray:
    return np.concatenate([first_gradients(placement, seed=seed) for seed in FRESH])


@pytest.mark.exhaustive
def test_ch4_the_first_gradient_does_not_predict_the_largest_rate_of_sgd() -> None:
    """For ten fresh seeds: Post-LN bears less than Pre-LN. Peri-LN bears more than both, with gradients like Post-LN's,
    and DeepNorm no more than Pre-LN, with the smallest gradients (medians)."""
    post, pre, peri, deep = (fresh_rates(placement, "sgd") for placement in ("post", "pre", "peri", "deep"))
    assert 3 * post.max() < pre.min()
    assert 1.5 * pre.max() < peri.min()
    assert np.median(deep) <= np.median(pre)
    gradients = {placement: fresh_gradients(placement) for placement in ("post", "pre", "peri", "deep")}
    assert np.median(gradients["post"]) < 2 * np.median(gradients["peri"])
    assert gradients["peri"].max() > np.median(gradients["post"])
    assert np.median(gradients["deep"]) < 0.6 * np.median(gradients["pre"])
    assert gradients["deep"].max() < gradients["post"].min()


@pytest.mark.exhaustive
def test_ch4_the_gap_is_wider_with_adam_and_warm_up_raises_post_ln_s_rate_under_both() -> None:
    """Medians of ten fresh seeds."""
    gaps = {}
    for optimizer in ("sgd", "adam"):
        without = np.median(fresh_rates("post", optimizer))
        gaps[optimizer] = np.median(fresh_rates("pre", optimizer)) / without
        assert 1.2 * without < np.median(fresh_rates("post", optimizer, 80)) < 3 * without
    assert gaps["adam"] > 1.5 * gaps["sgd"] > 6


def test_the_largest_rate_is_the_last_at_which_most_points_are_right(monkeypatch) -> None:
    monkeypatch.setattr(stability, "LADDER", (1e4, 0.01, 1e-7))
    rates = largest_rates("pre", "adam", depth=4, seeds=2, seed=7)
    np.testing.assert_array_equal(rates, [0.01, 0.01])
    monkeypatch.setattr(stability, "LADDER", (1e-7,))
    assert np.isnan(largest_rates("pre", "adam", depth=4, seeds=2, seed=8)).all()
