"""Sums over rows against numpy's, for rows that vectors cover and rows that they do not."""

import numba
import numpy as np
import pytest

from sims.engines.kernels import sums


@numba.njit
def fours(left: np.ndarray, right: np.ndarray, i: int, centers: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return sums.four_sums(left, i), sums.four_squares(left, i, centers), sums.four_products(left, right, i)


@numba.njit
def singly(left: np.ndarray, right: np.ndarray, i: int, center: float) -> tuple[float, float, float]:
    return sums.row_sum(left, i), sums.row_squares(left, i, center), sums.row_product(left, i, right, i)


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


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("length", [1, 16, 64, 77])
def test_four_rows_have_the_bits_of_each(length: int, kind: type[np.floating]) -> None:
    left, right = np.random.default_rng(0).normal(size=(2, 7, length)).astype(kind)
    centers = left.mean(axis=1)
    together = np.transpose(fours(left, right, 2, centers))
    alone = [singly(left, right, i, centers[i]) for i in range(2, 6)]
    np.testing.assert_array_equal(together, alone)
