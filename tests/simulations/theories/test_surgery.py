"""Surgery: which orders are tried, when, and what a frame says of them."""

from typing import Any

import numpy as np
import pytest

from sims.simulations.theories.surgery import Surgery, how_many

SMALL: dict[str, Any] = {"depth": 14, "seeds": 1, "training_steps": 150}


@pytest.fixture(scope="module")
def trained():
    simulation = Surgery(**SMALL)
    state = simulation.advance(simulation.start(), 150)
    return simulation, state, simulation.frame(state)


@pytest.mark.exhaustive
def test_a_network_is_operated_on_three_times_in_a_run(trained):
    simulation, state, _ = trained
    begun = simulation.start()
    assert [patient.step for patient in simulation.advance(begun, 49).values()] == [0, 0]
    assert [patient.step for patient in simulation.advance(begun, 51).values()] == [50, 50]
    assert [patient.step for patient in state.values()] == [150, 150]


@pytest.mark.exhaustive
def test_plans_take_out_and_swap_each_and_then_more_and_more(trained):
    plans = trained[0].plans()
    assert [len(orders) for orders in plans.values()] == [4, 1, len(how_many(14)), len(how_many(14))]
    assert [6 - len(order) for order in plans["delete_several"]] == how_many(14) == [0, 1, 2, 4]
    assert all(sorted(order) == list(range(6)) for kind in ("swap", "swap_several") for order in plans[kind])


@pytest.mark.exhaustive
def test_a_trained_residual_network_misses_a_block_less_than_a_plain_one(trained):
    """It was so for the seeds 0, 1 and 2."""
    results = trained[2].results
    assert results["plain_whole"] < 0.1
    assert results["residual_whole"] < 0.1
    assert results["residual_delete"] < results["plain_delete"]


@pytest.mark.exhaustive
def test_the_words_are_those_of_the_operation(trained):
    simulation, _, frame = trained
    texts = {}
    for operation in ("delete", "swap"):
        simulation.operation = operation
        texts[operation] = simulation.describe(frame)
    simulation.operation = "delete"
    assert "taken out" in texts["delete"]
    assert "swapped with the next" in texts["swap"]
    assert "Before the first step" in simulation.describe(simulation.frame(simulation.start()))
    assert np.array_equal(frame["numbers"], [0, 1, 2, 4])
