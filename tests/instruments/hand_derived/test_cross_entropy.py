"""Cross-entropy by hand against PyTorch's, and where its gradient comes from."""

import numpy as np
import pytest
import torch

from sims.instruments.hand_derived.cross_entropy import cross_entropy

OUTPUTS = np.random.default_rng(0).normal(scale=3, size=(7, 4))
LABELS = np.array([0, 1, 2, 3, 0, 1, 2])


def test_losses_and_gradients_are_those_of_torch() -> None:
    outputs = torch.tensor(OUTPUTS, requires_grad=True)
    expected = torch.nn.functional.cross_entropy(outputs, torch.tensor(LABELS), reduction="none")
    losses, gradient = cross_entropy(OUTPUTS, LABELS)
    np.testing.assert_allclose(losses, expected.detach(), rtol=1e-12)
    np.testing.assert_allclose(gradient, torch.autograd.grad(expected.sum(), outputs)[0], rtol=1e-12, atol=1e-15)


def test_a_complex_step_gives_the_derivative_of_the_loss() -> None:
    direction, step = np.random.default_rng(1).normal(size=OUTPUTS.shape), 1e-30
    losses, _ = cross_entropy(OUTPUTS + 1j * step * direction, LABELS)
    along = (cross_entropy(OUTPUTS, LABELS)[1] * direction).sum(axis=1)
    np.testing.assert_allclose(losses.imag / step, along, rtol=1e-12)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_large_outputs_do_not_overflow_and_the_precision_stays(precision: type[np.floating]) -> None:
    outputs = np.array([[1000.0, -1000.0]], precision)
    losses, gradient = cross_entropy(outputs, np.array([1]))
    assert losses.tolist() == [2000]
    assert gradient.tolist() == [[1, -1]]
    assert losses.dtype == gradient.dtype == precision
