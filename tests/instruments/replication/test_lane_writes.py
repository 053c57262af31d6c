"""The dye of what branches write: against loops over tokens, and at the start, where it is known."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from sims.instruments.replication.lane_run import LOOKED_AT, LaneSetup, begin, model_of
from sims.instruments.replication.lane_writes import advance_written, begin_written, written
from sims.instruments.replication.trained_designs import BLOCKS, held_out

FORMS = ("hyper-connections", "mhc")


def setup(form: str, steps: int = 20) -> LaneSetup:
    return LaneSetup(form, 20, False, 0.008, steps, (0, 1))


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", FORMS)
def test_at_the_start_a_branch_writes_one_unit_to_each_lane(form: str) -> None:
    dye = begin_written(setup(form)).dye
    assert dye.shape == (2, 2 * BLOCKS, 2 * BLOCKS + 1, 4)
    for branch in range(2 * BLOCKS):
        assert not dye[:, branch, : branch + 1].any()
        assert dye[:, branch, branch + 1 :] == pytest.approx(1, abs=0.01)


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", FORMS)
def test_a_write_is_what_the_lanes_gain_of_a_branch_and_mixes_carry_it(form: str) -> None:
    run, random = begin(setup(form)), np.random.default_rng(0)
    noise = {name: 0.1 * random.standard_normal(weight.shape) for name, weight in run.weights.items()}
    run = replace(run, weights={name: (run.weights[name] + noise[name]).astype(np.float32) for name in noise})
    model, outputs = model_of(run), list[torch.Tensor]()
    branches = [lambda x, branch=branch: outputs.append(branch(x)) or outputs[-1] for branch in model.branches()]
    model.branches = lambda: branches
    pieces = held_out()[1][:: len(held_out()[1]) // LOOKED_AT]
    with torch.no_grad():
        passed = model.passed(torch.tensor(pieces[:, :-1]).expand(2, -1, -1))
    lanes, mixes = ([getattr(place, name).double().numpy() for place in passed] for name in ("lanes", "mix"))
    changes = [output.double().numpy() for output in outputs]
    expected = np.zeros((2, 2 * BLOCKS, 2 * BLOCKS + 1, 4))
    for branch, change in enumerate(changes):
        gains = lanes[branch + 1] - np.einsum("spcij,spcjw->spciw", mixes[branch + 1], lanes[branch])
        amounts = np.einsum("spciw,spcw->spci", gains, change) / np.square(change).sum(axis=-1, keepdims=True)
        expected[:, branch, branch + 1] = amounts.mean(axis=(1, 2))
        for place in range(branch + 2, 2 * BLOCKS + 1):
            amounts = np.einsum("spcij,spcj->spci", mixes[place], amounts)
            expected[:, branch, place] = amounts.mean(axis=(1, 2))
    assert written(run) == pytest.approx(expected, rel=1e-3, abs=1e-3)


@pytest.mark.exhaustive
def test_doubly_stochastic_mixes_keep_what_was_written() -> None:
    state = advance_written(begin_written(setup("mhc")), 20, 10)
    sums = state.dye.sum(axis=-1)
    for branch in range(2 * BLOCKS):
        later = sums[:, branch, branch + 1 :]
        assert later == pytest.approx(later[:, :1] * np.ones_like(later), rel=0.01)


@pytest.mark.exhaustive
def test_dye_is_that_of_the_last_look_however_a_run_is_cut() -> None:
    whole = advance_written(begin_written(setup("mhc")), 20, 10)
    cut = advance_written(advance_written(begin_written(setup("mhc")), 7, 10), 8, 10)
    assert cut.run.step == 15
    assert [look.step for look in cut.run.looks] == [0, 10]
    assert cut.dye == pytest.approx(written(advance_written(begin_written(setup("mhc")), 10, 10).run))
    assert advance_written(cut, 5, 10).dye == pytest.approx(whole.dye)
    untouched = begin_written(setup("mhc"))
    assert advance_written(untouched, 7, 10).dye is untouched.dye
