"""Products of small matrices, in tiles that stay in registers.

Everything is feature-major: a batch of B points with w features is a C-contiguous array (w, B), so that a vector holds
one feature of neighboring points. Sums are taken in a fixed order: the same numbers give the same bits.
"""

from typing import Any

import numpy as np

from sims.training.compiled import compiled
from sims.training.sums import row_product, row_product_rest
from sims.training.vectors import LANES, load, multiply_add, spread, store, total

Array = np.ndarray
PAIR = 2 * LANES


@compiled
def product(left: Array, right: Array, bias: Array, keep: bool, out: Array) -> None:
    """out (m, B) = left (m, k) · right (k, B) + bias (m), or, with `keep`, out += left · right.

    An empty bias counts as zero. `left` may be a transposed view; `right` and `out` are C-contiguous.
    """
    rows, columns = out.shape
    for i in range(0, rows - rows % 4, 4):
        for j in range(0, columns - columns % PAIR, PAIR):
            _tile(left, right, bias, keep, out, i, j)
        for j in range(columns - columns % PAIR, columns - columns % LANES, LANES):
            for row in range(i, i + 4):
                _strip(left, right, bias, keep, out, row, j)
    for i in range(rows - rows % 4, rows):
        for j in range(0, columns - columns % LANES, LANES):
            _strip(left, right, bias, keep, out, i, j)
    for i in range(rows):
        for j in range(columns - columns % LANES, columns):
            number = out[i, j] if keep else _bias(out, bias, i)
            for k in range(left.shape[1]):
                number += left[i, k] * right[k, j]
            out[i, j] = number


@compiled
def _bias(out: Array, bias: Array, i: int) -> float:
    return bias[i] if bias.size else out.dtype.type(0)


@compiled
def _begin(out: Array, bias: Array, keep: bool, i: int, offset: int) -> Any:
    """The vector that the sums of `product` start from."""
    if keep:
        return load(out, offset)
    return spread(_bias(out, bias, i))


@compiled
def _tile(left: Array, right: Array, bias: Array, keep: bool, out: Array, i: int, j: int) -> None:
    """Four rows and two vectors of columns of `product`."""
    width = out.shape[1]
    a = i * width + j
    b, c, d = a + width, a + 2 * width, a + 3 * width
    a0, a1 = _begin(out, bias, keep, i, a), _begin(out, bias, keep, i, a + LANES)
    b0, b1 = _begin(out, bias, keep, i + 1, b), _begin(out, bias, keep, i + 1, b + LANES)
    c0, c1 = _begin(out, bias, keep, i + 2, c), _begin(out, bias, keep, i + 2, c + LANES)
    d0, d1 = _begin(out, bias, keep, i + 3, d), _begin(out, bias, keep, i + 3, d + LANES)
    for k in range(left.shape[1]):
        r0, r1 = load(right, k * width + j), load(right, k * width + j + LANES)
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


@compiled
def _strip(left: Array, right: Array, bias: Array, keep: bool, out: Array, i: int, j: int) -> None:
    """One row and one vector of columns of `product`."""
    width = out.shape[1]
    sums = _begin(out, bias, keep, i, i * width + j)
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
                out[row, j] = row_product(left, row, right, j)
    for i in range(rows - rows % 4, rows):
        for j in range(columns):
            out[i, j] = row_product(left, i, right, j)


@compiled
def _square(left: Array, right: Array, out: Array, i: int, j: int) -> None:
    """Four rows and four columns of `outer`."""
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
    _put(left, right, out, i, j, a0, a1, a2, a3)
    _put(left, right, out, i + 1, j, b0, b1, b2, b3)
    _put(left, right, out, i + 2, j, c0, c1, c2, c3)
    _put(left, right, out, i + 3, j, d0, d1, d2, d3)


@compiled
def _put(left: Array, right: Array, out: Array, i: int, j: int, s0: Any, s1: Any, s2: Any, s3: Any) -> None:
    """Four neighbors of row i of `outer`, from their vectors and what no whole vector covers."""
    out[i, j] = total(s0) + row_product_rest(left, i, right, j)
    out[i, j + 1] = total(s1) + row_product_rest(left, i, right, j + 1)
    out[i, j + 2] = total(s2) + row_product_rest(left, i, right, j + 2)
    out[i, j + 3] = total(s3) + row_product_rest(left, i, right, j + 3)
