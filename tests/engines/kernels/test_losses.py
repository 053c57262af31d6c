"""Losses and the count of wrong answers."""

import numpy as np
import pytest

from sims.engines.kernels.losses import CROSS_ENTROPY, loss_and_gradient, wrong_answers


def test_huge_outputs_leave_the_cross_entropy_finite() -> None:
    outputs = np.array([[1e30, 3.0], [0.0, 1e30]], np.float32)
    assert loss_and_gradient(CROSS_ENTROPY, outputs, np.array([0, 0])) == pytest.approx(5e29, rel=1e-5)
    np.testing.assert_allclose(outputs, [[0, -0.5], [0, 0.5]], atol=1e-7)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_outputs_that_are_not_finite_give_a_loss_that_is_not_finite(bad: float) -> None:
    outputs = np.array([[bad, 0.0], [bad, 1.0]], np.float32)
    assert not np.isfinite(loss_and_gradient(CROSS_ENTROPY, outputs, np.array([0, 1])))


def test_the_first_largest_output_is_the_answer() -> None:
    outputs = np.array([[1.0, 0, 2, 5], [1, 3, 2, np.nan], [0, 3, 2, 5]], np.float32)
    assert [wrong_answers(outputs, np.array([label] * 4)) for label in range(3)] == [2, 3, 4]
    assert wrong_answers(outputs[:, :3].copy(), np.array([0, 1, 0])) == 0


def test_the_sign_of_a_single_output_is_the_answer() -> None:
    outputs = np.array([[0.5, -0.5, 0.0, np.nan]], np.float32)
    assert wrong_answers(outputs, np.array([1, 0, 0, 0])) == 1
    assert wrong_answers(outputs, np.array([0, 1, 1, 1])) == 4
