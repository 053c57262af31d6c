"""Opened blocks against torch: the same stream, the same Jacobians, the same gradient."""

import numpy as np
import pytest
import torch
from torch.func import jacrev, vmap
from torch.nn.utils import vector_to_parameters

from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.gradients.opened_blocks import OpenedBlocks, opened
from sims.pytorch.models.networks import network, ordered_parameters

POINTS = 3
NETWORKS = {
    "two layers": Architecture(8, 8, unit="two-layer", initialization="he", branch_factor="1/sqrt(blocks)"),
    "one layer": Architecture(5, 8, unit="one-layer", initialization="he"),
    "ReLU first": Architecture(5, 8, initialization="he", branch_factor="1/sqrt(blocks)"),
    "plain, ReLU first": Architecture(5, 8, skip="none", initialization="he"),
    "ReLU first, Pre-LN": Architecture(5, 8, norm="pre-layer", initialization="he", final_norm=True),
    "plain": Architecture(6, 8, skip="none", unit="two-layer", initialization="he"),
    "Pre-LN": Architecture(6, 8, norm="pre-layer", unit="two-layer", initialization="he", final_norm=True),
}


@pytest.fixture(scope="module", params=NETWORKS)
def pair(request: pytest.FixtureRequest) -> tuple[OpenedBlocks, torch.nn.Sequential, TrainingState]:
    """A network after a few steps of training, opened; and the same network in torch."""
    state = advance(start(NETWORKS[request.param], Recipe("adam", 0.003, 32), "digits", (3,)), 5)
    data = state.source.load()
    blocks = opened(state, 0, data.test_inputs[:POINTS], data.test_labels[:POINTS])
    model = network(state.architecture, data.features, data.classes).double()
    vector_to_parameters(torch.tensor(state.parameters[0], dtype=torch.float64), ordered_parameters(model))
    return blocks, model, state


def test_the_stream_is_torchs(pair: tuple[OpenedBlocks, torch.nn.Sequential, TrainingState]) -> None:
    blocks, model, state = pair
    h = model[0](torch.tensor(state.source.load().test_inputs[:POINTS], dtype=torch.float64))
    for at, module in enumerate(list(model)[1 : 1 + blocks.count]):
        assert blocks.stream[at] == pytest.approx(h.detach().numpy(), abs=1e-12)
        h = module(h)
    assert blocks.stream[-1] == pytest.approx(h.detach().numpy(), abs=1e-12)


def test_every_jacobian_is_torchs(pair: tuple[OpenedBlocks, torch.nn.Sequential, TrainingState]) -> None:
    blocks, model, _ = pair
    for block in range(blocks.count):
        module = model[1 + block]
        expected = vmap(jacrev(lambda h, module=module: module(h[None])[0]))(torch.tensor(blocks.stream[block]))
        assert blocks.jacobian(block) == pytest.approx(expected.detach().numpy(), abs=1e-10)


def test_each_jacobian_belongs_to_the_input_of_its_own_block(
    pair: tuple[OpenedBlocks, torch.nn.Sequential, TrainingState],
) -> None:
    blocks, model, _ = pair
    whole = model[1 : 1 + blocks.count]
    start = torch.tensor(blocks.stream[0])
    expected = vmap(jacrev(lambda h: whole(h[None])[0]))(start).detach().numpy()
    own, same = np.eye(8), np.eye(8)
    for block in range(blocks.count):
        own = blocks.jacobian(block) @ own
        module = whole[block]
        at_start = vmap(jacrev(lambda h, module=module: module(h[None])[0]))(start).detach().numpy()
        same = at_start @ same
    assert own == pytest.approx(expected, abs=1e-9)
    assert np.linalg.norm(same - expected) > 1e-3 * np.linalg.norm(expected)


def test_the_gradient_is_torchs(pair: tuple[OpenedBlocks, torch.nn.Sequential, TrainingState]) -> None:
    blocks, model, state = pair
    h = torch.tensor(blocks.stream[0], requires_grad=True)
    outputs = model[1:](h)
    labels = torch.tensor(state.source.load().test_labels[:POINTS])
    (expected,) = torch.autograd.grad(torch.nn.functional.cross_entropy(outputs, labels, reduction="sum"), h)
    gradient = blocks.gradient
    for block in reversed(range(blocks.count)):
        gradient = blocks.block_back(block, gradient)
    assert gradient == pytest.approx(expected.numpy(), abs=1e-10)


def test_a_branch_agrees_with_finite_differences(pair: tuple[OpenedBlocks, torch.nn.Sequential, TrainingState]) -> None:
    blocks, model, _ = pair
    random = np.random.default_rng(0)
    direction, change = random.normal(size=(2, *blocks.gradient.shape))
    module, nudge = model[1], 1e-6
    h = torch.tensor(blocks.stream[0])
    with torch.no_grad():
        step = torch.tensor(nudge * direction)
        moved = (module(h + step) - module(h - step)).numpy() / (2 * nudge)
    assert (blocks.block_back(0, change) * direction).sum() == pytest.approx((change * moved).sum(), rel=1e-5)


@pytest.mark.parametrize(
    "architecture",
    [
        Architecture(6, 8, unit="original"),
        Architecture(6, 8, norm="batch", unit="two-layer"),
        Architecture(5, 8, skip="highway", unit="one-layer"),
        Architecture(5, 8, activation="tanh", unit="one-layer"),
    ],
)
def test_blocks_that_it_does_not_know_are_refused(architecture: Architecture) -> None:
    state = start(architecture, Recipe(), "digits", (0,))
    data = state.source.load()
    with pytest.raises(ValueError, match="only ReLU blocks"):
        opened(state, 0, data.test_inputs[:1], data.test_labels[:1])
