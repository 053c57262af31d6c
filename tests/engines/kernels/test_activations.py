"""Activations against numpy's."""

import numpy as np
import pytest

from sims.engines.kernels import activations
from sims.engines.kernels.activations import IDENTITY, RELU, TANH

VALUES = np.concatenate([np.linspace(-12, 12, 4001), [0, -0.0, 1e-7, -1e-7, 100, -100]])


def activated(which: int, precision: type[np.floating], least: float = 0.0) -> np.ndarray:
    values = VALUES.astype(precision)[None]
    out = np.full_like(values, np.nan)
    activations.activate(which, values, least, out)
    return out[0]


@pytest.mark.parametrize(("precision", "tolerance"), [(np.float32, 4e-7), (np.float64, 1e-15)])
def test_tanh_in_both_precisions(precision: type[np.floating], tolerance: float) -> None:
    np.testing.assert_allclose(activated(TANH, precision), np.tanh(VALUES), rtol=tolerance, atol=tolerance)
    assert np.abs(activated(TANH, precision)).max() <= 1


def test_relu_and_identity() -> None:
    np.testing.assert_array_equal(activated(RELU, np.float64), np.maximum(VALUES, 0))
    np.testing.assert_array_equal(activated(IDENTITY, np.float64), VALUES)


def test_the_logistic_function() -> None:
    values = VALUES[None].copy()
    activations.logistic(values)
    np.testing.assert_allclose(values[0], 1 / (1 + np.exp(-VALUES)), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("which", [RELU, TANH])
def test_what_is_not_a_number_stays_so_and_infinity_is_not_swallowed(which: int, bad: float) -> None:
    values = np.array([[bad, 1.0]], np.float32)
    out = np.empty_like(values)
    activations.activate(which, values, 1e-18, out)
    assert np.isnan(out[0, 0]) if np.isnan(bad) else out[0, 0] == (np.inf if which == RELU else 1)


@pytest.mark.parametrize("which", [RELU, TANH, IDENTITY])
def test_what_is_at_most_the_least_becomes_zero_forward_and_backward(which: int) -> None:
    everything, rest = activated(which, np.float64), activated(which, np.float64, least=1e-6)
    np.testing.assert_array_equal(rest, np.where(np.abs(everything) <= 1e-6, 0, everything))
    gradient = np.array([[2e-6, -2e-6, 5e-7, -5e-7, np.nan]])
    activations.activate_back(which, np.full((1, 5), 0.1), 1e-6, gradient)
    assert (gradient[0] == 0).tolist() == [False, False, True, True, False]
    assert np.isnan(gradient[0, 4])
