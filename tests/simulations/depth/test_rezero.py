"""ReZero's factors in motion."""

import numpy as np
import pytest

from sims.simulations.depth.rezero import Rezero, factors

SHORT = {"blocks": 12, "training_steps": 200, "seeds": 2}


@pytest.fixture(scope="module")
def finished():
    simulation = Rezero(**SHORT)
    return simulation, simulation.advance(simulation.start(), 200)


def test_at_the_first_step_only_the_factors_have_a_gradient():
    """Every weight of a branch has exactly none; one step of Adam then moves every factor."""
    simulation = Rezero(**SHORT)
    state = simulation.start()
    frame = simulation.frame(state)
    assert (frame["first_at_start"] == 0).all()
    assert (frame["last_at_start"] == 0).all()
    assert (factors(state.rezero) == 0).all()
    moved = factors(simulation.advance(state, 1).rezero)
    assert np.abs(moved) == pytest.approx(np.full(moved.shape, simulation.learning_rate), rel=0.01)


def test_factors_end_on_both_sides_of_zero(finished):
    """In both seeds."""
    simulation, state = finished
    results = simulation.frame(state).results
    assert results["below"] + results["above"] == 12
    assert 0 < results["lowest_below"] <= results["highest_below"] < 12


def test_a_branch_turned_around_has_the_factor_of_other_sign(finished):
    """The sign says nothing: the network is the same, and so is all of its training."""
    _simulation, state = finished
    mirrored = Rezero(**SHORT, mirrored=True)
    turned = mirrored.advance(mirrored.start(), 200)
    assert np.array_equal(factors(turned.rezero), -factors(state.rezero))
    assert np.array_equal(turned.rezero.now.train_loss, state.rezero.now.train_loss)


def test_chunks_of_any_size_lead_to_the_same(finished):
    simulation, whole = finished
    state = simulation.start()
    for steps in (3, 50, 147):
        state = simulation.advance(state, steps)
    assert np.array_equal(factors(state.rezero), factors(whole.rezero))
    assert state.steps == whole.steps


def test_one_seed_has_no_range(finished):
    simulation, state = finished
    assert "Over 2 seeds" in simulation.describe(simulation.frame(state))
    alone = Rezero(**SHORT | {"seeds": 1})
    assert "seeds" not in alone.describe(alone.frame(alone.advance(alone.start(), 3)))
