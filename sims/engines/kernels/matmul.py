"""Products of small matrices, in tiles that stay in registers.

Everything is feature-major: a batch of B points with w features is a C-contiguous array (w, B), so that a vector holds
one feature of neighboring points. Sums are taken in a fixed order: the same numbers give the same bits.
"""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed, inlined
from sims.engines.kernels.sums import row_product_rest, row_product_whole
from sims.engines.kernels.vectors import LANES, load, multiply_add, spread, store, store_totals

Array = np.ndarray
PAIR = 2 * LANES


@compiled
def fill(bias: Array, out: Array) -> None:
    """Every column of out (m, B) = bias (m,), or 0 where the bias is empty."""
    for i in range(out.shape[0]):
        row, number = out[i], bias[i] if bias.size else out.dtype.type(0)
        for j in range(row.size):
            row[j] = number


@compiled
def add_product(left: Array, right: Array, packed: Array, out: Array) -> None:
    """out (m, B) += left (m, k) · right (k, B). `left` may be a transposed view; the others are C-contiguous.

    The columns of `right` are copied, a few at a time, into the scratch space `packed` (at least k, PAIR), where the
    rows of a tile lie next to each other; in a wide array they may all fall on the same few lines of the cache.
    """
    rows, columns = out.shape
    fours = rows - rows % 4
    for j in range(0, columns - columns % PAIR, PAIR):
        for k in range(left.shape[1]):
            store(packed, k * PAIR, load(right, k * columns + j))
            store(packed, k * PAIR + LANES, load(right, k * columns + j + LANES))
        for i in range(0, fours, 4):
            _tile(left, packed, out, i, j)
        for i in range(fours, rows):
            _strip(left, right, out, i, j)
            _strip(left, right, out, i, j + LANES)
    for j in range(columns - columns % PAIR, columns - columns % LANES, LANES):
        for i in range(rows):
            _strip(left, right, out, i, j)
    if columns % LANES:
        for i in range(rows):
            for k in range(left.shape[1]):
                number = left[i, k]
                for j in range(columns - columns % LANES, columns):
                    out[i, j] += number * right[k, j]


@inlined
def _tile(left: Array, packed: Array, out: Array, i: int, j: int) -> None:
    """Four rows and two vectors of columns of `add_product`."""
    width = out.shape[1]
    a = i * width + j
    b, c, d = a + width, a + 2 * width, a + 3 * width
    a0, b0, c0, d0 = load(out, a), load(out, b), load(out, c), load(out, d)
    a1, b1, c1, d1 = load(out, a + LANES), load(out, b + LANES), load(out, c + LANES), load(out, d + LANES)
    for k in range(left.shape[1]):
        r0, r1 = load(packed, k * PAIR), load(packed, k * PAIR + LANES)
        number = spread(left[i, k])
        a0, a1 = multiply_add(number, r0, a0), multiply_add(number, r1, a1)
        number = spread(left[i + 1, k])
        b0, b1 = multiply_add(number, r0, b0), multiply_add(number, r1, b1)
        number = spread(left[i + 2, k])
        c0, c1 = multiply_add(number, r0, c0), multiply_add(number, r1, c1)
        number = spread(left[i + 3, k])
        d0, d1 = multiply_add(number, r0, d0), multiply_add(number, r1, d1)
    store(out, a, a0)
    store(out, a + LANES, a1)
    store(out, b, b0)
    store(out, b + LANES, b1)
    store(out, c, c0)
    store(out, c + LANES, c1)
    store(out, d, d0)
    store(out, d + LANES, d1)


@enclosed
def _strip(left: Array, right: Array, out: Array, i: int, j: int) -> None:
    """One row and one vector of columns of `add_product`."""
    width = out.shape[1]
    sums = load(out, i * width + j)
    for k in range(left.shape[1]):
        sums = multiply_add(spread(left[i, k]), load(right, k * width + j), sums)
    store(out, i * width + j, sums)


@compiled
def outer(left: Array, right: Array, out: Array) -> None:
    """out (m, k) = left (m, B) · right (k, B)ᵀ: the gradient of a weight matrix, summed over the batch."""
    rows, columns = out.shape
    for i in range(0, rows - rows % 4, 4):
        for j in range(0, columns - columns % 4, 4):
            _square(left, right, out, i, j)
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
def _square(left: Array, right: Array, out: Array, i: int, j: int) -> None:
    """Four rows and four columns of `outer`, as far as whole vectors cover the batch."""
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
    store_totals(out, i * columns + j, a0, a1, a2, a3)
    store_totals(out, (i + 1) * columns + j, b0, b1, b2, b3)
    store_totals(out, (i + 2) * columns + j, c0, c1, c2, c3)
    store_totals(out, (i + 3) * columns + j, d0, d1, d2, d3)
