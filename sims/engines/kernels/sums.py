"""Sums over rows, in vectors: always in the same order, and in a few instructions."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed
from sims.engines.kernels.vectors import LANES, load, multiply_add, spread, total, widen

Array = np.ndarray


@compiled
def row_sum(values: Array, i: int) -> float:
    """The sum of row i of values (w, B)."""
    batch = values.shape[1]
    whole, one = batch - batch % LANES, spread(values.dtype.type(1))
    sums = spread(values.dtype.type(0))
    for j in range(0, whole, LANES):
        sums = multiply_add(load(values, i * batch + j), one, sums)
    number = total(sums)
    for j in range(whole, batch):
        number += values[i, j]
    return number


@compiled
def row_squares(values: Array, i: int, center: float) -> float:
    """The sum of (x - center)² over row i of values (w, B)."""
    batch = values.shape[1]
    whole, one = batch - batch % LANES, spread(values.dtype.type(1))
    sums, shift = spread(values.dtype.type(0)), spread(-center)
    for j in range(0, whole, LANES):
        gap = multiply_add(load(values, i * batch + j), one, shift)
        sums = multiply_add(gap, gap, sums)
    number = total(sums)
    for j in range(whole, batch):
        number += (values[i, j] - center) * (values[i, j] - center)
    return number


@compiled
def row_product(left: Array, i: int, right: Array, j: int) -> float:
    """Row i of left (m, B) times row j of right (k, B)."""
    number = row_product_whole(left, i, right, j)
    return number + row_product_rest(left, i, right, j) if left.shape[1] % LANES else number


@enclosed
def row_product_whole(left: Array, i: int, right: Array, j: int) -> float:
    """`row_product` as far as whole vectors cover the batch."""
    batch = left.shape[1]
    sums = spread(left.dtype.type(0))
    for b in range(0, batch - batch % LANES, LANES):
        sums = multiply_add(load(left, i * batch + b), load(right, j * batch + b), sums)
    return total(sums)


@enclosed
def row_product_rest(left: Array, i: int, right: Array, j: int) -> float:
    """What `row_product_whole` leaves out."""
    number = left.dtype.type(0)
    for b in range(left.shape[1] - left.shape[1] % LANES, left.shape[1]):
        number += left[i, b] * right[j, b]
    return number


@compiled
def norm_of(values: Array) -> float:
    """The Euclidean norm of a C-contiguous array, summed in double precision."""
    whole, sums = values.size - values.size % LANES, spread(0.0)
    for i in range(0, whole, LANES):
        wide = widen(load(values, i))
        sums = multiply_add(wide, wide, sums)
    squares = total(sums)
    for number in values.reshape(-1)[whole:]:
        squares += np.float64(number) * np.float64(number)
    return np.sqrt(squares)
