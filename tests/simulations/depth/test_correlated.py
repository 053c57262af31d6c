"""Corrections that agree more and more while a network trains."""

import numpy as np
import pytest

from sims.instruments.stacks.corrections_walk import agreement
from sims.instruments.stacks.streams import streams
from sims.simulations.depth.correlated import POINTS, Correlated, correlation, distance, variance

SHORT = {"blocks": 16, "training_steps": 200, "seeds": 1}


@pytest.fixture(scope="module")
def finished():
    simulation = Correlated(**SHORT)
    return simulation, simulation.advance(simulation.start(), 200)


@pytest.mark.parametrize(("rho", "expected"), [(0.0, 2), (0.1, 8.3), (0.5, 33.5), (1.0, 65)])
def test_f_05_the_formula_of_the_variance(rho, expected):
    """F-05: 64 blocks, branches of variance 1."""
    assert variance(blocks=64, rho=rho) == pytest.approx(expected)
    assert distance(blocks=64, rho=rho) ** 2 / 64 + 1 == pytest.approx(expected)


def test_f_05_training_makes_corrections_agree(finished):
    """F-05: independent at the start, and no longer after 200 steps."""
    simulation, state = finished
    results = simulation.frame(state).results
    assert abs(results["rho_start"]) < 0.05
    assert results["rho_now"] > 0.1
    assert results["far_now"] > 1.3 * results["far_start"]


def test_the_last_look_is_at_the_networks_own_stream(finished):
    simulation, state = finished
    points = state.run.source.load().test_inputs[:POINTS]
    expected = agreement(streams(state.run, points, 0))
    frame = simulation.frame(state)
    assert frame["rho"][-1] == pytest.approx(expected.correlation)
    assert frame["now_distance"] == pytest.approx(expected.distances / expected.lengths.mean())


def test_chunks_of_any_size_lead_to_the_same(finished):
    simulation, whole = finished
    state = simulation.start()
    for steps in (7, 33, 160, 9):
        state = simulation.advance(state, steps)
    assert state.steps == whole.steps
    assert np.array_equal(state.correlations, whole.correlations)


def test_the_formula_follows_its_control_without_a_new_run(finished):
    simulation, state = finished
    other = Correlated(**SHORT, rho=1.0)
    frame = other.reread(simulation.frame(state))
    assert frame["formula_distance"] == pytest.approx(np.arange(17))


@pytest.mark.exhaustive
def test_f_05_what_the_page_says_of_kept_runs():
    """F-05: strong starts agree little, weak ones much."""
    weak, strong = (correlation(initialization=start) for start in ("default", "he"))
    assert 0.2 < weak < 0.5
    assert 0.003 < strong < 0.05
    assert abs(correlation(when="start")) < 0.01
