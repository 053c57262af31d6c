"""Convolutional networks, plain and residual: what a frame says of its runs, and that depth hurts the plain ones."""

from typing import Any

import numpy as np
import pytest

from sims.instruments.training.convolution_run import Look
from sims.kept import results
from sims.simulations.depth import convolutions
from sims.simulations.depth.convolutions import Convolutions

SMALL: dict[str, Any] = {"width": 4, "seeds": 2, "training_steps": 150}


@pytest.fixture(scope="module")
def trained():
    simulation = Convolutions(depth=20, **SMALL)
    state = simulation.advance(simulation.start(), 60)
    return simulation, state, simulation.frame(state)


@pytest.mark.exhaustive
def test_a_frame_holds_the_looks_of_all_seeds(trained):
    _, state, frame = trained
    assert frame["steps"].tolist() == [0, 15, 30, 45, 60]
    for name in ("plain", "residual"):
        looks = [[look.own_error for look in run.looks] for key, run in state.items() if key.startswith(name)]
        assert frame[f"{name}_own_error"].tolist() == np.median(looks, axis=0).tolist()
        assert frame[f"{name}_own_error_high"].tolist() == np.max(looks, axis=0).tolist()
        assert len(frame[f"{name}_gains"]) == 19
        assert len(frame[f"{name}_gradients"]) == 20


@pytest.mark.exhaustive
def test_sixty_steps_put_the_residual_network_ahead_under_both_statistics(trained):
    """It was so for the seeds 0 to 2, 10 and 100."""
    frame = trained[2]
    assert frame["residual_own_error_high"][-1] < frame["plain_own_error_low"][-1]
    assert frame["residual_kept_error"][-1] < frame["plain_kept_error"][-1]


@pytest.mark.exhaustive
def test_the_words_name_the_statistics(trained):
    simulation, _, frame = trained
    texts = {}
    for which in ("kept", "own"):
        simulation.statistics = which
        texts[which] = simulation.describe(frame)
    simulation.statistics = "kept"
    assert "BatchNorm has kept" in texts["kept"]
    assert "data's own" in texts["own"]
    assert "After 60 of 150 steps" in texts["own"]


@pytest.mark.exhaustive
def test_the_ends_of_kept_runs_are_found_whichever_statistics_are_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    few: dict[str, Any] = {"width": 4, "seeds": 1, "training_steps": 150}
    frame = results.finished(Convolutions(depth=8, **few))
    for which in ("kept", "own"):
        ends = Convolutions(depth=20, statistics=which, **few).kept_ends()
        assert list(ends) == [8]
        assert ends[8].json() == frame.json()


def test_a_loss_that_is_no_number_comes_with_advice():
    none = np.ones(3)
    event = convolutions._divergence("plain", Look(30, float("nan"), 0.9, 0.9, 0.9, none, none, none, none))
    assert event.sentences().startswith("Step 30: the loss of a plain network overflowed")
    assert event.sentences().endswith("Try a lower learning rate.")
