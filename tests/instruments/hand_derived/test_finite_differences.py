"""Finite differences against gradients that are known, and against the plan's own."""

import numpy as np
import pytest

from sims.instruments.hand_derived.block_plan import PLANS, backward, forward
from sims.instruments.hand_derived.finite_differences import of_tensor, of_weight, relative_error, slopes, writer
from tests.instruments.hand_derived.test_block_plan import weights


def test_slopes_of_a_known_function():
    values = np.array([[1.0, -2.0], [0.5, 3.0]])
    actual = slopes(values, 1e-5, lambda copies: (copies**3).sum(axis=(-1, -2)))
    np.testing.assert_allclose(actual, 3 * values**2, rtol=1e-8)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("arrangement", PLANS)
def test_b_backward_every_gradient_agrees_with_finite_differences(arrangement, seed):
    rng = np.random.default_rng(seed)
    plan, x, w, dy = PLANS[arrangement], rng.normal(size=(4, 8)), weights(rng), rng.normal(size=(4, 8))
    t = forward(plan, x, w)
    d, dw = backward(plan, dy, t, w)

    def loss(y: np.ndarray) -> np.ndarray:
        return (y * dy).sum(axis=(-1, -2))

    for name in vars(d):
        assert relative_error(getattr(d, name), of_tensor(plan, t, w, name, loss, 1e-5)) < 1e-6, name
    for name in vars(dw):
        assert relative_error(getattr(dw, name), of_weight(plan, x, w, name, loss, 1e-5)) < 1e-6, name


def test_the_line_that_writes_a_tensor():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(4, 8)), weights(rng)
    t = forward(PLANS["pre"], x, w)
    assert [writer(PLANS["pre"], t, w, name) for name in ("x", "n1", "v", "r", "y")] == [0, 1, 2, 5, 10]
    with pytest.raises(KeyError, match="nothing"):
        writer(PLANS["pre"], t, w, "nothing")


def test_a_relative_error_of_zeros():
    assert relative_error(np.zeros(3), np.zeros(3)) == 0
    assert relative_error(np.ones(3), np.zeros(3)) == 1
    assert relative_error(np.array([3.0, 4.0]), np.array([3.0, 0.0])) == pytest.approx(4 / 3)
