"""Mixes of lanes against numpy.linalg, against PyTorch's gradients and against what two lanes give by hand."""

import numpy as np
import pytest
import torch

from sims.instruments.stacks.lane_mixing import (
    MIXINGS,
    composites,
    doubly_stochastic,
    gradients,
    mixes,
    rotations,
    singular_values,
)


@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
@pytest.mark.parametrize("own", [0.0, 8.0])
def test_rows_and_columns_of_sinkhorn_sum_to_1(lanes: int, own: float) -> None:
    matrices = mixes("doubly", lanes, 40, 2.0, own, 3)
    assert (matrices >= 0).all()
    assert matrices.sum(axis=-1) == pytest.approx(np.ones((40, lanes)), abs=1e-6)
    assert matrices.sum(axis=-2) == pytest.approx(np.ones((40, lanes)), abs=1e-6)


def test_two_lanes_have_a_limit_in_closed_form() -> None:
    matrix = doubly_stochastic(np.array([[0.0, 1.0], [2.0, 0.0]]))
    # Of a doubly stochastic 2 × 2 matrix the ratio of products, here e^−3, is all that Sinkhorn–Knopp keeps.
    odds = np.exp(-1.5)
    stays = odds / (1 + odds)
    assert matrix == pytest.approx(np.array([[stays, 1 - stays], [1 - stays, stays]]), abs=1e-8)
    assert stays == pytest.approx(0.1824, abs=5e-5)
    assert singular_values(matrix) == pytest.approx([1, 0.635], abs=5e-4)


@pytest.mark.parametrize("mixing", MIXINGS)
def test_composites_are_products_and_their_singular_values_those_of_linalg(mixing: str) -> None:
    matrices = mixes(mixing, 4, 6, 1.0, 0.5, 1)
    products = composites(matrices)
    assert products[0] == pytest.approx(np.eye(4))
    assert products[-1] == pytest.approx(np.linalg.multi_dot(matrices[::-1]))
    squares = np.linalg.eigvalsh(products[-1].T @ products[-1])[::-1]
    assert singular_values(products)[-1] == pytest.approx(np.sqrt(np.abs(squares)), abs=1e-6)


def test_rotations_are_orthogonal() -> None:
    matrices = rotations(np.random.default_rng(0).standard_normal((20, 8, 8)))
    assert matrices @ matrices.swapaxes(-2, -1) == pytest.approx(np.broadcast_to(np.eye(8), (20, 8, 8)), abs=1e-12)


@pytest.mark.parametrize("mixing", MIXINGS)
def test_the_gradient_of_every_lane_is_that_of_pytorch(mixing: str) -> None:
    matrices = mixes(mixing, 4, 12, 1.0, 1.0, 5)
    top = np.array([1.0, -2.0, 0.5, 0.0])
    lanes = [torch.randn(4, 3, dtype=torch.float64, requires_grad=True)]
    for mix in matrices:
        lanes.append(torch.tensor(mix) @ lanes[-1])
        lanes[-1].retain_grad()
    (torch.tensor(top) @ lanes[-1][:, 0]).backward()
    expected = np.array([one.grad[:, 0].numpy() for one in lanes])
    assert gradients(matrices, top) == pytest.approx(expected, abs=1e-10)
