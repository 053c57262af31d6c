"""The race of the ancestors: what its frame holds, and what its calculations read off it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sims.comparisons.ancestors import ANCESTORS
from sims.instruments.networks.watched_run import FITS
from sims.simulations.wiring import ancestors
from sims.simulations.wiring.ancestors import Ancestors

SMALL: dict[str, Any] = {"depth": 8, "seeds": 2, "training_steps": 100}


@pytest.fixture(scope="module")
def trained():
    simulation = Ancestors(**SMALL)
    state = simulation.advance(simulation.start(), 100)
    return simulation, state, simulation.frame(state)


@pytest.mark.exhaustive
def test_a_frame_holds_the_losses_of_all_seeds(trained):
    _, state, frame = trained
    assert frame.finished
    assert frame["steps"].tolist() == list(range(0, 101, 5))
    for at, name in enumerate(ANCESTORS):
        run = state[name]
        assert frame["losses"][at].tolist() == np.median(run.losses, axis=1).tolist()
        assert frame["errors_high"][at].tolist() == np.max(run.errors, axis=1).tolist()
        assert frame["fits"][at] == (run.errors[-1] <= FITS).sum() == frame.results[f"{name}_fits"]


@pytest.mark.parametrize("name", ANCESTORS)
@pytest.mark.parametrize("task", ["spirals", "digits"])
def test_the_size_is_that_of_the_network(name, task):
    run = ancestors.begin(name, ancestors.source(task), 8, 0.003, (0,))
    assert ancestors.size(name=name, depth=8, task=task) == run.parameters


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "fit"), [("plain", 0), ("direct", 0), ("cascade", 3), ("lstm", 3), ("resnet", 3)])
def test_wiring_of_1990_and_1997_learns_where_a_plain_network_of_32_blocks_does_not(name, fit):
    run = ancestors.advance(ancestors.begin(name, ancestors.source("spirals"), 32, 0.003, (0, 1, 2)), 300, 300)
    assert (run.errors[-1] <= FITS).sum() == fit


@pytest.mark.exhaustive
def test_the_words_name_the_chosen_block(trained):
    simulation, state, frame = trained
    other = Ancestors(**SMALL, block="deep")
    assert "LSTM (Hochreiter 1997)" in simulation.describe(frame)
    assert "DeepNorm (Wang 2022)" in other.describe(frame)
    assert other.frame(state).json() == frame.json()


@pytest.mark.exhaustive
def test_a_loss_that_is_no_number_is_said(trained):
    simulation, state, _frame = trained
    broken = replace(state["plain"], losses=(*state["plain"].losses[:-1], np.array([np.nan, 1.0])))
    [lost] = simulation.frame({**state, "plain": broken}).diverged
    assert lost.step == 100
    assert "plain" in str(lost)
