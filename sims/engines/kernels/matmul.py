"""Products of small matrices, in tiles that stay in registers.

All arrays are feature-major: a batch of B points with w features is a C-contiguous array (w, B), so that a vector holds
one feature of neighboring points. Sums are taken in a fixed order: the same inputs give the same bits.
"""

from typing import Any

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed, inlined
from sims.engines.kernels.sums import row_product_rest, row_product_whole
from sims.engines.kernels.vectors import (
    LANES,
    load,
    load_like,
    long_registers,
    multiply_add,
    one_of,
    spread,
    spread_like,
    store,
    store_four_totals,
    store_sixteen_totals,
    two_of,
)

Array = np.ndarray
LONG_REGISTERS = long_registers()
TILE = 2 * LANES if LONG_REGISTERS else LANES
"""Columns of a tile. Four rows of that length, which are being summed, must fit in the registers."""
_tile_of = two_of if LONG_REGISTERS else one_of

NARROW = 256
"""Number of columns up to which copying gains nothing, because the rows fall on enough different cache lines"""


@compiled
def product(left: Array, right: Array, starts: Array, base: Array, packed: Array, out: Array) -> None:
    """out (m, B) = left (m, k) · right (k, B) + base (m, B), where `base` may be `out` itself. If `base` is empty,
    starts (m,) is added to every column instead; if that is empty, too, nothing. `left` may be a transposed view; the
    others are C-contiguous.

    In a wide array, the rows of a tile may all fall on the same few cache lines. So its columns are copied, a few at a
    time, into the scratch space `packed` (at least k, TILE), where they lie next to each other.
    """
    rows, columns = out.shape
    fours, tiled, whole = rows - rows % 4, columns - columns % TILE, columns - columns % LANES
    zero = _tile_of(out.dtype.type(0))
    wide = columns > NARROW
    source, apart = (packed, TILE) if wide else (right, columns)
    for j in range(0, tiled, TILE):
        if wide:
            for k in range(left.shape[1]):
                store(packed, k * TILE, load_like(right, k * columns + j, zero))
        # Four rows at a time share every vector that is loaded.
        for i in range(0, fours, 4):
            _tile(left, source, 0 if wide else j, apart, starts, base, out, i, j, zero)
        for i in range(fours, rows):
            for column in range(j, j + TILE, LANES):
                _strip(left, right, starts, base, out, i, column)
    for j in range(tiled, whole, LANES):
        for i in range(rows):
            _strip(left, right, starts, base, out, i, j)
    # The last columns, which do not fill a vector.
    if whole < columns:
        for i in range(rows):
            for j in range(whole, columns):
                if base.size:
                    out[i, j] = base[i, j]
                else:
                    out[i, j] = starts[i] if starts.size else out.dtype.type(0)
            for k in range(left.shape[1]):
                number = left[i, k]
                for j in range(whole, columns):
                    out[i, j] += number * right[k, j]


@inlined
def _start(starts: Array, base: Array, i: int, place: int, zero: Any) -> Any:
    """Return the vector that the sums of row i start from; the result will be stored at `place`."""
    if base.size:
        return load_like(base, place, zero)
    return spread_like(starts[i], zero) if starts.size else zero


@inlined
def _tile(
    left: Array,
    source: Array,
    first: int,
    apart: int,
    starts: Array,
    base: Array,
    out: Array,
    i: int,
    j: int,
    zero: Any,
) -> None:
    """Compute four rows of `product`, as many columns as `zero` has lanes. `source` holds the rows of `right` for these
    columns: the first at offset `first`, each `apart` numbers after the previous."""
    width = out.shape[1]
    a, b, c, d = i * width + j, (i + 1) * width + j, (i + 2) * width + j, (i + 3) * width + j
    row_a, row_b = _start(starts, base, i, a, zero), _start(starts, base, i + 1, b, zero)
    row_c, row_d = _start(starts, base, i + 2, c, zero), _start(starts, base, i + 3, d, zero)
    for k in range(left.shape[1]):
        numbers = load_like(source, first + k * apart, zero)
        row_a = multiply_add(spread_like(left[i, k], zero), numbers, row_a)
        row_b = multiply_add(spread_like(left[i + 1, k], zero), numbers, row_b)
        row_c = multiply_add(spread_like(left[i + 2, k], zero), numbers, row_c)
        row_d = multiply_add(spread_like(left[i + 3, k], zero), numbers, row_d)
    store(out, a, row_a)
    store(out, b, row_b)
    store(out, c, row_c)
    store(out, d, row_d)


@enclosed
def _strip(left: Array, right: Array, starts: Array, base: Array, out: Array, i: int, j: int) -> None:
    """Compute one row of `product`, `LANES` columns."""
    width = out.shape[1]
    sums = _start(starts, base, i, i * width + j, spread(out.dtype.type(0)))
    for k in range(left.shape[1]):
        sums = multiply_add(spread(left[i, k]), load(right, k * width + j), sums)
    store(out, i * width + j, sums)


@compiled
def outer(left: Array, right: Array, out: Array) -> None:
    """out (m, k) = left (m, B) · right (k, B)ᵀ: the gradient of a weight matrix, summed over the batch."""
    rows, columns = out.shape
    for i in range(0, rows - rows % 4, 4):
        for j in range(0, columns - columns % 4, 4):
            if LONG_REGISTERS:
                _square_of_four(left, right, out, i, j)
            else:
                _square_of_two(left, right, out, i, j)
                _square_of_two(left, right, out, i, j + 2)
                _square_of_two(left, right, out, i + 2, j)
                _square_of_two(left, right, out, i + 2, j + 2)
        for j in range(columns - columns % 4, columns):
            for row in range(i, i + 4):
                out[row, j] = row_product_whole(left, row, right, j)
    for i in range(rows - rows % 4, rows):
        for j in range(columns):
            out[i, j] = row_product_whole(left, i, right, j)
    if left.shape[1] % LANES:
        for i in range(rows):
            for j in range(columns):
                out[i, j] += row_product_rest(left, i, right, j)


@inlined
def _square_of_four(left: Array, right: Array, out: Array, i: int, j: int) -> None:
    """Compute four rows and four columns of `outer`, as far as whole vectors cover the batch."""
    # Sixteen sums at once: each loaded vector is used four times, and no addition has to wait for the previous one.
    batch = left.shape[1]
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = spread(left.dtype.type(0))
    c0 = c1 = c2 = c3 = d0 = d1 = d2 = d3 = spread(left.dtype.type(0))
    for b in range(0, batch - batch % LANES, LANES):
        row_a, row_b = load(left, i * batch + b), load(left, (i + 1) * batch + b)
        row_c, row_d = load(left, (i + 2) * batch + b), load(left, (i + 3) * batch + b)
        column = load(right, j * batch + b)
        a0, b0 = multiply_add(row_a, column, a0), multiply_add(row_b, column, b0)
        c0, d0 = multiply_add(row_c, column, c0), multiply_add(row_d, column, d0)
        column = load(right, (j + 1) * batch + b)
        a1, b1 = multiply_add(row_a, column, a1), multiply_add(row_b, column, b1)
        c1, d1 = multiply_add(row_c, column, c1), multiply_add(row_d, column, d1)
        column = load(right, (j + 2) * batch + b)
        a2, b2 = multiply_add(row_a, column, a2), multiply_add(row_b, column, b2)
        c2, d2 = multiply_add(row_c, column, c2), multiply_add(row_d, column, d2)
        column = load(right, (j + 3) * batch + b)
        a3, b3 = multiply_add(row_a, column, a3), multiply_add(row_b, column, b3)
        c3, d3 = multiply_add(row_c, column, c3), multiply_add(row_d, column, d3)
    columns = out.shape[1]
    totals = (a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3)
    store_sixteen_totals(out, i * columns + j, columns, totals)


@enclosed
def _square_of_two(left: Array, right: Array, out: Array, i: int, j: int) -> None:
    """Compute two rows and two columns of `outer`, with the same bits: as many sums as short registers hold."""
    batch = left.shape[1]
    a0 = a1 = b0 = b1 = spread(left.dtype.type(0))
    for b in range(0, batch - batch % LANES, LANES):
        row_a, row_b = load(left, i * batch + b), load(left, (i + 1) * batch + b)
        column = load(right, j * batch + b)
        a0, b0 = multiply_add(row_a, column, a0), multiply_add(row_b, column, b0)
        column = load(right, (j + 1) * batch + b)
        a1, b1 = multiply_add(row_a, column, a1), multiply_add(row_b, column, b1)
    columns = out.shape[1]
    store_four_totals(out, i * columns + j, columns, (a0, a1, b0, b1))
