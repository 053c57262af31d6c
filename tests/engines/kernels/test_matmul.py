"""Products of all shapes, those that fill no tile included, against numpy's."""

import numpy as np
import pytest

from sims.engines.kernels.matmul import PAIR, add_product, fill, outer

SHAPES = [(1, 1, 1), (4, 4, PAIR), (10, 2, 64), (3, 7, 10), (48, 32, 128), (5, 9, PAIR + 17), (8, 12, 1437), (6, 5, 16)]


def arrays(*shapes: tuple[int, int]) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [random.normal(size=shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize(("rows", "inner", "columns"), SHAPES)
def test_products_add_to_what_is_there(rows: int, inner: int, columns: int) -> None:
    left, right, out = arrays((rows, inner), (inner, columns), (rows, columns))
    packed = np.empty((inner, PAIR), np.float32)
    expected = out + left.astype(np.float64) @ right
    add_product(left, right, packed, out)
    np.testing.assert_allclose(out, expected, atol=2e-5)


@pytest.mark.parametrize(("rows", "inner", "columns"), SHAPES)
def test_the_left_factor_may_be_a_transposed_view(rows: int, inner: int, columns: int) -> None:
    left, right = arrays((inner, rows), (inner, columns))
    out, packed = np.zeros((rows, columns), np.float32), np.empty((inner, PAIR), np.float32)
    add_product(left.T, right, packed, out)
    np.testing.assert_allclose(out, left.T.astype(np.float64) @ right, atol=2e-5)


@pytest.mark.parametrize(("rows", "columns", "batch"), SHAPES)
def test_outer_products_sum_over_the_batch(rows: int, columns: int, batch: int) -> None:
    left, right = arrays((rows, batch), (columns, batch))
    out = np.full((rows, columns), np.nan, np.float32)
    outer(left, right, out)
    np.testing.assert_allclose(out, left.astype(np.float64) @ right.T, atol=1e-6 * batch + 1e-5)


def test_filling_repeats_the_bias_or_clears() -> None:
    out = np.full((2, 5), np.nan, np.float32)
    fill(np.array([1, -2], np.float32), out)
    assert out.tolist() == [[1] * 5, [-2] * 5]
    fill(np.empty(0, np.float32), out)
    assert not out.any()
