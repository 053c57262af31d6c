"""Spectra against torch: jacrev of every block and of all together, and its singular values."""

import numpy as np
import pytest
import torch
from torch.func import jacrev, vmap
from torch.nn.utils import vector_to_parameters

from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.gradients.jacobian_spectra import RESOLVED, Spectra, effective_rank, near_one, spectra
from sims.instruments.gradients.opened_blocks import opened
from sims.pytorch.models.networks import network, ordered_parameters

POINTS, WIDTH = 3, 8
NETWORKS = {
    "residual": Architecture(10, WIDTH, unit="two-layer", initialization="he"),
    "scaled": Architecture(10, WIDTH, unit="two-layer", initialization="he", branch_factor="1/sqrt(blocks)"),
    "plain": Architecture(10, WIDTH, skip="none", unit="two-layer", initialization="he"),
}


@pytest.fixture(scope="module", params=NETWORKS)
def pair(request: pytest.FixtureRequest) -> tuple[Spectra, torch.nn.Sequential, torch.Tensor]:
    """The spectra of a network after a few steps of training; its blocks in torch, and what enters the first."""
    state = advance(start(NETWORKS[request.param], Recipe("adam", 0.003, 32), "digits", (5,)), 10)
    data = state.source.load()
    model = network(state.architecture, data.features, data.classes).double()
    vector_to_parameters(torch.tensor(state.parameters[0], dtype=torch.float64), ordered_parameters(model))
    points = data.test_inputs[:POINTS]
    with torch.no_grad():
        entering = model[0](torch.tensor(points, dtype=torch.float64))
    return spectra(opened(state, 0, points, data.test_labels[:POINTS])), model[1:-1], entering


def test_the_values_of_every_block_are_those_of_torchs_jacobian(
    pair: tuple[Spectra, torch.nn.Sequential, torch.Tensor],
) -> None:
    actual, blocks, h = pair
    assert len(blocks) == len(actual.blocks) == 4
    for module, values in zip(blocks, actual.blocks, strict=True):
        jacobians = vmap(jacrev(lambda x, module=module: module(x[None])[0]))(h)
        assert values == pytest.approx(torch.linalg.svdvals(jacobians).detach().numpy(), abs=1e-10)
        h = module(h).detach()


def test_the_values_of_all_blocks_together_are_those_of_torchs_jacobian(
    pair: tuple[Spectra, torch.nn.Sequential, torch.Tensor],
) -> None:
    actual, blocks, h = pair
    jacobians = vmap(jacrev(lambda x: blocks(x[None])[0]))(h)
    assert actual.whole == pytest.approx(torch.linalg.svdvals(jacobians).detach().numpy(), rel=1e-9, abs=1e-9)


def test_the_ranks_of_plain_blocks_are_their_active_units() -> None:
    state = start(NETWORKS["plain"], Recipe(), "digits", (5,))
    data = state.source.load()
    blocks = opened(state, 0, data.test_inputs[:POINTS], data.test_labels[:POINTS])
    assert np.array_equal((spectra(blocks).blocks > 0).sum(axis=-1), blocks.slope.sum(axis=-1))


def test_what_is_rounding_counts_as_zero() -> None:
    state: TrainingState = start(NETWORKS["plain"], Recipe(), "digits", (5,))
    data = state.source.load()
    actual = spectra(opened(state, 0, data.test_inputs[:POINTS], data.test_labels[:POINTS]))
    for values in (actual.blocks, actual.whole):
        assert ((values == 0) | (values >= RESOLVED * values[..., :1])).all()


def test_a_network_beyond_the_finite_numbers_has_no_spectrum() -> None:
    state = start(NETWORKS["plain"], Recipe(), "digits", (5,))
    data = state.source.load()
    blocks = opened(state, 0, data.test_inputs[:POINTS], data.test_labels[:POINTS])
    lost = type(blocks)(**{**vars(blocks), "first": np.full_like(blocks.first, np.inf)})
    with np.errstate(invalid="ignore"):
        actual = spectra(lost)
    assert np.isnan(actual.blocks).all()
    assert np.isnan(actual.whole).all()
    assert np.isnan(effective_rank(actual.whole)).all()


def test_the_effective_rank_by_hand_and_by_torchs_entropy() -> None:
    assert effective_rank(np.ones(7)) == pytest.approx(7)
    assert effective_rank(np.array([3.0, 0, 0])) == pytest.approx(1)
    assert effective_rank(np.zeros(4)) == 0
    values = np.random.default_rng(0).exponential(size=(5, 6))
    entropy = torch.distributions.Categorical(probs=torch.tensor(values)).entropy()
    assert effective_rank(values) == pytest.approx(torch.exp(entropy).numpy())


def test_near_one_is_from_a_half_to_two() -> None:
    assert near_one(np.array([[0.49, 0.5, 1.0, 2.0, 2.01, 0.0, 3.0, 1.5]])) == 0.5
