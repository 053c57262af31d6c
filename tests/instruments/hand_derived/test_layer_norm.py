"""Layer norm by hand against PyTorch's."""

import numpy as np
import pytest
import torch

from sims.instruments.hand_derived.layer_norm import norm_back, normalized

X, ARRIVING = np.random.default_rng(0).normal(size=(2, 3, 5, 6))


def test_values_and_gradients_are_those_of_torch() -> None:
    x = torch.tensor(X, requires_grad=True)
    expected = torch.nn.functional.layer_norm(x, (6,))
    (back,) = torch.autograd.grad(expected, x, torch.tensor(ARRIVING))
    normal, scale = normalized(X)
    np.testing.assert_allclose(normal, expected.detach(), rtol=1e-12)
    np.testing.assert_allclose(norm_back(ARRIVING, normal, scale), back, rtol=1e-9)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_the_precision_stays(precision: type[np.floating]) -> None:
    normal, scale = normalized(X.astype(precision))
    assert scale.shape == (3, 5, 1)
    assert normal.dtype == scale.dtype == norm_back(ARRIVING.astype(precision), normal, scale).dtype == precision
