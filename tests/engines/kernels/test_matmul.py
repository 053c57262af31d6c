"""Products of all shapes, those that fill no tile included, against numpy's."""

import numpy as np
import pytest

from sims.engines.kernels.matmul import NARROW, TILE, outer, product
from sims.engines.kernels.sums import row_product
from sims.engines.kernels.vectors import LANES

SHAPES = [
    *((1, 1, 1), (4, 4, TILE), (10, 2, 64), (3, 7, 10), (48, 32, 128), (5, 9, TILE + 17), (8, 12, 1437), (6, 5, 16)),
    *((15, 3, 2 * TILE), (29, 6, 3 * TILE + 1)),
]


def arrays(*shapes: tuple[int, int]) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [random.normal(size=shape).astype(np.float32) for shape in shapes]


NOTHING = np.empty(0, np.float32)


@pytest.mark.parametrize(("rows", "inner", "columns"), SHAPES)
def test_products_add_to_what_is_there(rows: int, inner: int, columns: int) -> None:
    left, right, out = arrays((rows, inner), (inner, columns), (rows, columns))
    packed = np.empty((inner, TILE), np.float32)
    expected = out + left.astype(np.float64) @ right
    product(left, right, NOTHING, out, packed, out)
    np.testing.assert_allclose(out, expected, atol=2e-5)


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(("rows", "inner", "columns"), SHAPES)
def test_or_start_with_a_number_for_each_row_or_with_nothing(rows: int, inner: int, columns: int, biased: bool) -> None:
    left, right = arrays((rows, inner), (inner, columns))
    starts = arrays((rows, 1))[0][:, 0].copy() if biased else NOTHING
    out, packed = np.full((rows, columns), np.nan, np.float32), np.empty((inner, TILE), np.float32)
    product(left, right, starts, out[:0], packed, out)
    expected = left.astype(np.float64) @ right + (starts[:, None] if biased else 0)
    np.testing.assert_allclose(out, expected, atol=2e-5)


@pytest.mark.parametrize(("rows", "inner", "columns"), SHAPES)
def test_the_left_factor_may_be_a_transposed_view(rows: int, inner: int, columns: int) -> None:
    left, right = arrays((inner, rows), (inner, columns))
    out, packed = np.empty((rows, columns), np.float32), np.empty((inner, TILE), np.float32)
    product(left.T, right, NOTHING, out[:0], packed, out)
    np.testing.assert_allclose(out, left.T.astype(np.float64) @ right, atol=2e-5)


def test_a_column_has_the_same_bits_at_every_place_of_whole_vectors() -> None:
    left, right = arrays((7, 9), (9, NARROW + TILE))
    packed = np.empty((9, TILE), np.float32)
    alone, together = np.empty((7, LANES), np.float32), np.empty((7, NARROW + TILE), np.float32)
    product(left, right, NOTHING, together[:0], packed, together)
    narrow = np.empty((7, NARROW), np.float32)
    product(left, np.ascontiguousarray(right[:, :NARROW]), NOTHING, narrow[:0], packed, narrow)
    assert narrow.tobytes() == together[:, :NARROW].tobytes()
    product(left, np.ascontiguousarray(right[:, TILE : TILE + LANES]), NOTHING, alone[:0], packed, alone)
    assert alone.tobytes() == together[:, TILE : TILE + LANES].tobytes()


def test_a_row_has_the_same_bits_in_every_tile_and_alone() -> None:
    left, right = arrays((8 + 4 + 3, 21), (21, TILE))
    packed, together = np.empty((21, TILE), np.float32), np.empty((15, TILE), np.float32)
    product(left, right, NOTHING, together[:0], packed, together)
    for row, expected in zip(left, together, strict=True):
        alone = np.empty((1, TILE), np.float32)
        product(row[None].copy(), right, NOTHING, alone[:0], packed, alone)
        assert alone.tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_sum_over_the_batch_has_the_same_bits_in_a_square_and_alone(kind: type[np.floating]) -> None:
    left, right = (array.astype(kind) for array in arrays((9, 5 * LANES), (10, 5 * LANES)))
    together = np.empty((9, 10), kind)
    outer(left, right, together)
    alone = [[row_product(left, i, right, j) for j in range(10)] for i in range(9)]
    assert np.array(alone, kind).tobytes() == together.tobytes()


@pytest.mark.parametrize(("rows", "columns", "batch"), SHAPES)
def test_outer_products_sum_over_the_batch(rows: int, columns: int, batch: int) -> None:
    left, right = arrays((rows, batch), (columns, batch))
    out = np.full((rows, columns), np.nan, np.float32)
    outer(left, right, out)
    np.testing.assert_allclose(out, left.astype(np.float64) @ right.T, atol=1e-6 * batch + 1e-5)
