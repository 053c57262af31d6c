"""Layer norm of batches that fill whole vectors and of those that do not, against PyTorch."""

import numba
import numpy as np
import pytest
import torch

from sims.engines.kernels.norms import layer_norm, layer_norm_back
from sims.engines.kernels.vectors import LANES

SIZES = [1, LANES - 1, LANES, 4 * LANES, 7 * LANES + 3]


@numba.njit
def forward(values: np.ndarray, scale: np.ndarray, out: np.ndarray) -> None:
    layer_norm(values, scale, out)


@numba.njit
def backward(gradient: np.ndarray, normal: np.ndarray, scale: np.ndarray, base: np.ndarray, out: np.ndarray) -> None:
    layer_norm_back(gradient, normal, scale, base, out)


def arrays(batch: int, features: int = 6) -> tuple[np.ndarray, ...]:
    """Values, gradient, normal and scale of a batch."""
    values, gradient = np.random.default_rng(1).normal(size=(2, features, batch)).astype(np.float32)
    normal, scale = np.empty_like(values), np.empty(batch, np.float32)
    forward(values, scale, normal)
    return values, gradient, normal, scale


@pytest.mark.parametrize("batch", SIZES)
def test_values_and_gradients_are_those_of_pytorch(batch: int) -> None:
    values, gradient, normal, scale = arrays(batch)
    inputs = torch.tensor(values.T, requires_grad=True)
    outputs = torch.nn.functional.layer_norm(inputs, inputs.shape[1:])
    outputs.backward(torch.tensor(gradient.T))
    out = np.full_like(values, np.nan)
    backward(gradient, normal, scale, out[:0], out)
    np.testing.assert_allclose(normal.T, outputs.detach(), atol=2e-6)
    np.testing.assert_allclose(scale, 1 / np.sqrt(values.var(axis=0) + 1e-5), rtol=1e-5)
    assert inputs.grad is not None
    np.testing.assert_allclose(out.T, inputs.grad, atol=5e-6)


@pytest.mark.parametrize("batch", SIZES)
def test_the_gradient_may_take_its_own_place_or_be_added(batch: int) -> None:
    _, gradient, normal, scale = arrays(batch)
    apart, added = np.empty_like(gradient), np.ones_like(gradient)
    backward(gradient, normal, scale, apart[:0], apart)
    backward(gradient, normal, scale, added, added)
    assert added.tobytes() == (apart + np.float32(1)).tobytes()
    backward(gradient, normal, scale, gradient[:0], gradient)
    assert gradient.tobytes() == apart.tobytes()


def test_a_point_has_the_same_bits_wherever_it_stands_in_whole_vectors() -> None:
    values, _, normal, _ = arrays(6 * LANES)
    few = np.ascontiguousarray(values[:, 4 * LANES : 5 * LANES])
    alone = np.empty_like(few)
    forward(few, np.empty(LANES, np.float32), alone)
    assert alone.tobytes() == normal[:, 4 * LANES : 5 * LANES].tobytes()
