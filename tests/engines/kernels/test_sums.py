"""Sums over rows against numpy's, for rows that vectors cover and rows that they do not."""

import numpy as np
import pytest

from sims.engines.kernels import sums


@pytest.mark.parametrize("length", [1, 15, 16, 64, 77])
def test_sums_over_rows(length: int) -> None:
    random = np.random.default_rng(0)
    left, right = (random.normal(size=(3, length)).astype(np.float32) for _ in range(2))
    assert sums.row_sum(left, 1) == pytest.approx(left[1].sum(dtype=np.float64), abs=1e-5)
    center = np.float32(0.3)
    expected = ((left[1].astype(np.float64) - center) ** 2).sum()
    assert sums.row_squares(left, 1, center) == pytest.approx(expected, rel=1e-5)
    assert sums.row_product(left, 1, right, 2) == pytest.approx(left[1].astype(np.float64) @ right[2], abs=1e-5)
    assert sums.norm_of(left) == pytest.approx(np.linalg.norm(left.astype(np.float64)), rel=1e-12)


def test_a_norm_whose_squares_no_single_precision_number_can_hold() -> None:
    assert sums.norm_of(np.array([[3e30, 4e30]], np.float32)) == pytest.approx(5e30, rel=1e-6)
    assert sums.norm_of(np.array([[3e-30, 4e-30]], np.float32)) == pytest.approx(5e-30, rel=1e-6)
