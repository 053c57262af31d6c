"""Networks with weights in their sums."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from sims.kept import results
from sims.simulations.depth import sum_weights
from sims.simulations.depth.sum_weights import ALPHAS, KINDS, RATES, SumWeights, alphas, skips

SMALL: dict[str, Any] = {"blocks": 16, "seeds": 2, "training_steps": 100}


def finished(**settings):
    simulation = SumWeights(**SMALL, **settings)
    state = simulation.advance(simulation.start(), 100)
    return simulation, state, simulation.frame(state)


@pytest.fixture(scope="module")
def factors():
    return finished()


@pytest.fixture(scope="module")
def weights():
    return finished(part="skip", norm=True)


def test_both_marks_are_among_the_factors():
    assert alphas(16) == tuple(sorted((*ALPHAS, 1 / 16, 1 / 4)))


def test_fixed_weights_are_constant_or_fall():
    assert skips("one", 3) == skips("learned", 3) == (1, 1, 1)
    assert skips("constant", 2) == (0.9, 0.9)
    assert skips("falling", 4) == pytest.approx((1, 0.9, 0.8, 0.7))
    assert sum_weights.kept("constant", 16) == pytest.approx(0.9**16)


@pytest.mark.exhaustive
def test_a_frame_holds_every_factor_at_every_rate(factors):
    simulation, state, frame = factors
    assert frame["loss"].shape == (len(RATES), len(alphas(16)))
    for at, kind in enumerate(simulation.kinds):
        known = [state[f"{kind}, rate {rate:g}"].now.train_loss for rate in RATES]
        assert frame["loss"][:, at].tolist() == np.median(known, axis=1).tolist()
        assert frame["best"][at] == frame["loss"][:, at].min()
        assert frame["best_rate"][at] == RATES[frame["loss"][:, at].argmin()]


@pytest.mark.exhaustive
def test_a_quiet_factor_ends_closer_to_the_best_one_when_each_has_its_rate(factors):
    frame = factors[2]
    quiet, good = 1, alphas(16).index(1 / 4)
    at_one_rate = frame["loss"][RATES.index(0.001)]
    assert frame["best"][quiet] / frame["best"][good] < at_one_rate[quiet] / at_one_rate[good] / 2


def test_before_training_the_loss_grows_with_large_factors(factors):
    before = factors[2]["before"]
    assert (np.diff(before[alphas(16).index(1 / 4) :]) > 0).all()


@pytest.mark.exhaustive
def test_only_learned_weights_move(weights):
    _, state, frame = weights
    for kind in KINDS:
        run = state[f"{kind}, rate 0.01"].run
        assert np.array_equal(run.skips, np.float32([skips(kind, 16)] * 2)) == (kind != "learned")
    assert frame["skips"].shape == (len(RATES), 16)
    assert (frame["skips_low"] <= frame["skips"]).all()


def test_all_kinds_share_their_initial_weights_without_those_of_the_skips(weights):
    state = SumWeights(**SMALL, part="skip", norm=True).start()
    first, *others = (state[f"{kind}, rate 0.001"].run.parameters[:, :-16] for kind in KINDS)
    for other in others:
        np.testing.assert_array_equal(first, other)


def test_the_words_name_what_was_tried(factors, weights):
    for (simulation, state, frame), words in ((factors, "with α = 0.001"), (weights, "0.9")):
        assert words in simulation.describe(frame)
        assert "wait" in simulation.describe(simulation.frame(simulation.start()))
        assert frame.step == 100
        assert simulation.advance(state, 5) == state


def test_a_seed_that_stops_is_said(factors):
    simulation, state, _ = factors
    name = next(iter(state))
    lost = replace(state[name].run, lost=np.array([0, 7]))
    [divergence] = simulation.frame({**state, name: replace(state[name], run=lost)}).diverged
    assert divergence.step == 7
    assert "α = 0" in divergence.sentences()


def test_readings_are_those_of_finished_runs(factors, weights, monkeypatch):
    frames = {"branch": factors[2], "skip": weights[2]}
    monkeypatch.setattr(results, "finished", lambda simulation: frames[simulation.part])
    branch, skip = (partial(reader, blocks=16) for reader in (sum_weights.branch, sum_weights.skip))
    frame = frames["branch"]
    assert branch("0.1", 0.001) == frame["loss"][1, alphas(16).index(0.1)]
    assert branch("1/√L", what="rate") == frame["best_rate"][alphas(16).index(0.25)]
    assert branch("3", what="before") == frame["before"][-1]
    ratio = sum_weights.times("0.001", "1/L", blocks=16)
    assert ratio == branch("0.001") / branch("1/L")
    assert skip("falling", 0.01, "error", "highest") == frames["skip"]["error_high"][3, 3]
    assert sum_weights.weight(16, 0.03, "lowest", 16) == frames["skip"]["skips_low"][-1, -1]
    with pytest.raises(ValueError, match="not in"):
        branch("0.2")
    with pytest.raises(ValueError, match="statistic"):
        skip("one", statistic="mean")
