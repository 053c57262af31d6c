"""Layer norm and batch norm of batches that fill whole vectors and of those that do not, against PyTorch."""

import numba
import numpy as np
import pytest
import torch

from sims.engines.kernels.norms import batch_norm, batch_norm_back, layer_norm, layer_norm_back
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


def test_a_point_has_the_same_bits_at_every_place_of_whole_vectors() -> None:
    values, _, normal, _ = arrays(6 * LANES)
    few = np.ascontiguousarray(values[:, 4 * LANES : 5 * LANES])
    alone = np.empty_like(few)
    forward(few, np.empty(LANES, np.float32), alone)
    assert alone.tobytes() == normal[:, 4 * LANES : 5 * LANES].tobytes()


@numba.njit
def forward_batch(values: np.ndarray, frozen: bool, mean: np.ndarray, scale: np.ndarray, out: np.ndarray) -> None:
    batch_norm(values, frozen, mean, scale, out)


@numba.njit
def backward_batch(gradient: np.ndarray, normal: np.ndarray, scale: np.ndarray) -> None:
    batch_norm_back(gradient, normal, scale)


@pytest.mark.parametrize("features", [1, 4, 7])
@pytest.mark.parametrize("batch", [2, LANES, 7 * LANES + 3])
def test_a_batch_is_normalized_as_pytorch_does(batch: int, features: int) -> None:
    values, gradient = np.random.default_rng(2).normal(1, 3, size=(2, features, batch)).astype(np.float32)
    inputs = torch.tensor(values.T, requires_grad=True)
    outputs = torch.nn.functional.batch_norm(inputs, None, None, training=True)
    outputs.backward(torch.tensor(gradient.T))
    mean, scale, normal = np.empty(features, np.float32), np.empty(features, np.float32), np.empty_like(values)
    forward_batch(values, False, mean, scale, normal)
    np.testing.assert_allclose(normal.T, outputs.detach(), atol=5e-6)
    np.testing.assert_allclose(mean, values.mean(axis=1), atol=2e-6)
    np.testing.assert_allclose(scale, 1 / np.sqrt(values.var(axis=1) + 1e-5), rtol=1e-5)
    backward_batch(gradient, normal, scale)
    assert inputs.grad is not None
    np.testing.assert_allclose(gradient.T, inputs.grad, atol=2e-5)


def test_a_frozen_batch_norm_takes_what_it_finds() -> None:
    values = np.arange(10, dtype=np.float32).reshape(5, 2)
    mean, scale, normal = np.ones(5, np.float32), np.full(5, 2, np.float32), np.empty_like(values)
    forward_batch(values, True, mean, scale, normal)
    np.testing.assert_array_equal(normal, 2 * (values - 1))
    assert (mean == 1).all()
    assert (scale == 2).all()


def test_a_feature_has_the_same_bits_at_every_place() -> None:
    values, gradient = np.random.default_rng(3).normal(size=(2, 9, 5 * LANES + 3)).astype(np.float32)
    mean, scale, normal = np.empty(9, np.float32), np.empty(9, np.float32), np.empty_like(values)
    forward_batch(values, False, mean, scale, normal)
    together = gradient.copy()
    backward_batch(together, normal, scale)
    for row in range(9):
        one = slice(row, row + 1)
        alone, back = np.empty_like(values[one]), gradient[one].copy()
        forward_batch(values[one].copy(), False, mean[:1].copy(), scale[one].copy(), alone)
        backward_batch(back, alone, scale[one])
        assert (alone.tobytes(), back.tobytes()) == (normal[one].tobytes(), together[one].tobytes())


@pytest.mark.parametrize("batch", SIZES)
def test_a_norm_may_take_the_place_of_its_values(batch: int) -> None:
    values, _, normal, scale = arrays(batch)
    inside = values.copy()
    forward(inside, scale, inside)
    assert inside.tobytes() == normal.tobytes()
    mean, scale = np.empty((2, len(values)), np.float32)
    forward_batch(values, False, mean, scale, normal)
    forward_batch(values, False, mean, scale, values)
    assert values.tobytes() == normal.tobytes()
