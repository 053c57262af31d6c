"""Chains of delta skips against their matrices, and against the law for the mean of their square."""

import numpy as np
import pytest
import torch

from sims.instruments.stacks.delta_chain import BLOCKS, add_law, add_sizes, delta_law, delta_sizes, draw, skip_matrix

BETAS = np.array([0.0, 0.5, 1.0, 1.7, 2.0])


@pytest.mark.parametrize("value", [0.0, 1.5])
@pytest.mark.parametrize("at", range(len(BETAS)))
def test_a_chain_is_the_product_of_its_blocks_in_torch(value: float, at: int) -> None:
    sample, beta = draw(4), float(BETAS[at])
    streams = torch.tensor(sample.streams)
    expected = [streams.square().mean().sqrt().item()]
    for direction, values in zip(torch.tensor(sample.directions), torch.tensor(sample.values), strict=True):
        skip = torch.eye(len(direction)) - beta * torch.outer(direction, direction)
        streams = streams @ skip.T + beta * value * torch.outer(values, direction)
        expected.append(streams.square().mean().sqrt().item())
    np.testing.assert_allclose(delta_sizes(BETAS, value, 4)[at], expected, rtol=1e-10)


def test_every_direction_has_length_one():
    np.testing.assert_allclose(np.linalg.norm(draw(0).directions, axis=1), 1, rtol=1e-14)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 1.7, 2.0])
def test_the_skip_stretches_nothing_across_k_and_by_one_minus_beta_along_it(beta: float) -> None:
    direction = draw(1).directions[0]
    actual = np.sort(np.linalg.eigvals(skip_matrix(beta, direction)).real)
    np.testing.assert_allclose(actual, np.sort([1 - beta, *[1.0] * (len(direction) - 1)]), atol=1e-12)


@pytest.mark.parametrize("beta", [0.5, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("value", [1.0, 3.0])
@pytest.mark.parametrize("blocks", [16, BLOCKS])
def test_sizes_keep_to_the_law_for_their_mean_square(beta: float, value: float, blocks: int) -> None:
    """Over twenty seeds, in mean square."""
    for sizes, law in ((delta_sizes, delta_law), (add_sizes, add_law)):
        actual = [sizes(np.array([beta]), value, seed)[0, blocks] for seed in range(20)]
        assert np.sqrt(np.mean(np.square(actual))) == pytest.approx(law(beta, value, blocks), rel=0.05)


def test_erasing_alone_shrinks_but_for_the_identity_and_the_reflection():
    ends = delta_sizes(BETAS, 0.0, 0)[:, -1]
    np.testing.assert_allclose(ends[[0, -1]], 1, rtol=1e-12)
    assert (ends[1:-1] < 0.2).all()


def test_what_only_adds_outgrows_what_erases():
    assert add_sizes(np.ones(1), 3.0, 0)[0, -1] > 2 * delta_sizes(np.ones(1), 3.0, 0)[0, -1]
