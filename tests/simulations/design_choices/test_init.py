"""Five starts: what is equal before the first step, what is zero, and what comes apart."""

from functools import cache

import numpy as np
import pytest
import torch

from sims.comparisons.branch_starts import STARTS, begin
from sims.contract.frame import Frame
from sims.data.datasets import Source
from sims.engines.perceptrons import Recipe, predict
from sims.pytorch.models.networks import network, ordered_parameters
from sims.simulations.design_choices.init import Init


@cache
def frame(steps: int, blocks: int = 4, optimizer: str = "adam") -> Frame:
    simulation = Init(blocks=blocks, width=16, seeds=3, optimizer=optimizer, training_steps=60)
    return simulation.frame(simulation.advance(simulation.start(), steps))


def test_g_17_the_first_layer_of_a_zero_branch_has_no_gradient_at_step_0_and_the_last_one_has() -> None:
    before, after = frame(0), frame(2)
    assert not before["zero_first"].any()
    assert before["zero_last"].all()
    assert after["zero_first"].all()
    for name in ("usual", "small", "multiplied", "gpt2"):
        assert before[f"{name}_first"].all()


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
def test_small_and_multiplied_are_equal_at_step_0_and_apart_after_a_step(optimizer: str) -> None:
    apart = frame(2, optimizer=optimizer)
    assert apart["compared"].tolist() == [0, 1, 2]
    assert apart["apart_high"][0] < 1e-6
    assert apart["apart_low"][1] > 1e-3


def test_maps_are_kept_of_early_steps_and_made_of_the_present_one() -> None:
    moments = {0: [0], 1: [0, 1], 2: [0, 1, 2], 10: [0, 1, 10], 12: [0, 1, 10, 12]}
    assert {step: frame(step)["seen"].tolist() for step in moments} == moments
    maps = frame(12)["maps"]
    assert len(maps) == 4
    assert (maps[0, 0] == maps[0, 1]).mean() > 0.99
    for step in (1, 2, 3):
        assert (maps[step, 0] != maps[step, 1]).any()
    np.testing.assert_array_equal(frame(2)["maps"][:2], maps[:2])


@pytest.mark.parametrize("blocks", [8, 32])
def test_f_05_the_stream_grows_with_the_sum_of_the_branches_or_stays(blocks: int) -> None:
    simulation = Init(blocks=blocks, seeds=5)
    start = simulation.frame(simulation.start())
    squares = {name: start[f"{name}_stream"][[0, -1]] ** 2 for name in STARTS}
    added = 2.0  # what one branch adds to the mean square: He weights behind a norm, halved by a ReLU, doubled again
    assert squares["usual"][1] == pytest.approx(squares["usual"][0] + added * blocks, rel=0.15)
    assert squares["small"][1] == pytest.approx(squares["small"][0] + added, rel=0.15)
    assert squares["zero"][1] == squares["zero"][0]
    assert squares["multiplied"][1] == pytest.approx(squares["small"][1], rel=1e-6)


@pytest.mark.parametrize("name", STARTS)
def test_the_networks_are_those_of_the_readable_blocks(name: str) -> None:
    run = begin(name, 3, 16, Recipe("adam", 1e-3, 64), Source("teacher"), (0,))
    points = Source("teacher").load().test_inputs[:50]
    model = network(run.architecture, points.shape[1], 10).double()
    torch.nn.utils.vector_to_parameters(torch.from_numpy(run.parameters[0].astype(float)), ordered_parameters(model))
    theirs = model(torch.from_numpy(points.astype(float))).detach().numpy()
    np.testing.assert_allclose(predict(run, points)[0], theirs, rtol=0, atol=2e-5)


def test_gpt_2s_scheme_has_its_spread_at_its_own_width() -> None:
    run = begin("gpt2", 8, 64, Recipe("adam", 1e-3, 64), Source("teacher"), (0, 1))
    model = network(run.architecture, 32, 10)
    torch.nn.utils.vector_to_parameters(torch.from_numpy(run.parameters[0]), ordered_parameters(model))
    first, _, last = model[1].branch[1], None, model[1].branch[3]
    assert first.weight.detach().std().item() == pytest.approx(0.02 * (768 / 64) ** 0.5, rel=0.05)
    assert last.weight.detach().std().item() == pytest.approx(0.02 * (768 / 64) ** 0.5 / 8**0.5, rel=0.05)
