"""Sums over rows with vector instructions, always in the same order."""

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
    """`row_product` as far as whole vectors cover the batch. Row i of `left` and row j of `right`, both (rows, B)."""
    batch = left.shape[1]
    sums = spread(left.dtype.type(0))
    for b in range(0, batch - batch % LANES, LANES):
        sums = multiply_add(load(left, i * batch + b), load(right, j * batch + b), sums)
    return total(sums)


@enclosed
def row_product_rest(left: Array, i: int, right: Array, j: int) -> float:
    """The part of `row_product` after the last whole vector, which `row_product_whole` leaves out; of the same arrays,
    (rows, B)."""
    number = left.dtype.type(0)
    for b in range(left.shape[1] - left.shape[1] % LANES, left.shape[1]):
        number += left[i, b] * right[j, b]
    return number


@enclosed
def inner_product(left: Array, right: Array) -> float:
    """Return the sum of left · right over all numbers of two arrays (rows, B)."""
    number = left.dtype.type(0)
    for i in range(left.shape[0]):
        number += row_product(left, i, right, i)
    return number


@enclosed
def four_sums(values: Array, i: int) -> tuple[float, float, float, float]:
    """`row_sum` of row i of values (w, B) and of the next three rows, with the same bits. Faster than one by one: each
    addition must wait for the previous one of its own row, but not for those of the other rows."""
    batch = values.shape[1]
    whole, one = batch - batch % LANES, spread(values.dtype.type(1))
    a = b = c = d = spread(values.dtype.type(0))
    for j in range(i * batch, i * batch + whole, LANES):
        a = multiply_add(load(values, j), one, a)
        b = multiply_add(load(values, j + batch), one, b)
        c = multiply_add(load(values, j + 2 * batch), one, c)
        d = multiply_add(load(values, j + 3 * batch), one, d)
    first, second, third, fourth = total(a), total(b), total(c), total(d)
    for j in range(whole, batch):
        first += values[i, j]
        second += values[i + 1, j]
        third += values[i + 2, j]
        fourth += values[i + 3, j]
    return first, second, third, fourth


@enclosed
def four_squares(values: Array, i: int, centers: Array) -> tuple[float, float, float, float]:
    """`row_squares` of the same four rows, each around its own of the centers (w,), with the same bits."""
    batch = values.shape[1]
    whole, one = batch - batch % LANES, spread(values.dtype.type(1))
    a = b = c = d = spread(values.dtype.type(0))
    shift_a, shift_b = spread(-centers[i]), spread(-centers[i + 1])
    shift_c, shift_d = spread(-centers[i + 2]), spread(-centers[i + 3])
    for j in range(i * batch, i * batch + whole, LANES):
        gap_a, gap_b = multiply_add(load(values, j), one, shift_a), multiply_add(load(values, j + batch), one, shift_b)
        gap_c = multiply_add(load(values, j + 2 * batch), one, shift_c)
        gap_d = multiply_add(load(values, j + 3 * batch), one, shift_d)
        a, b = multiply_add(gap_a, gap_a, a), multiply_add(gap_b, gap_b, b)
        c, d = multiply_add(gap_c, gap_c, c), multiply_add(gap_d, gap_d, d)
    first, second, third, fourth = total(a), total(b), total(c), total(d)
    for j in range(whole, batch):
        first += (values[i, j] - centers[i]) * (values[i, j] - centers[i])
        second += (values[i + 1, j] - centers[i + 1]) * (values[i + 1, j] - centers[i + 1])
        third += (values[i + 2, j] - centers[i + 2]) * (values[i + 2, j] - centers[i + 2])
        fourth += (values[i + 3, j] - centers[i + 3]) * (values[i + 3, j] - centers[i + 3])
    return first, second, third, fourth


@enclosed
def four_products(left: Array, right: Array, i: int) -> tuple[float, float, float, float]:
    """`row_product` of row i of left (w, B) and row i of right (w, B), and of the next three, with the same bits."""
    batch = left.shape[1]
    whole, zero = batch - batch % LANES, left.dtype.type(0)
    a = b = c = d = spread(zero)
    for j in range(i * batch, i * batch + whole, LANES):
        a = multiply_add(load(left, j), load(right, j), a)
        b = multiply_add(load(left, j + batch), load(right, j + batch), b)
        c = multiply_add(load(left, j + 2 * batch), load(right, j + 2 * batch), c)
        d = multiply_add(load(left, j + 3 * batch), load(right, j + 3 * batch), d)
    first, second, third, fourth = total(a), total(b), total(c), total(d)
    if whole < batch:
        first += row_product_rest(left, i, right, i)
        second += row_product_rest(left, i + 1, right, i + 1)
        third += row_product_rest(left, i + 2, right, i + 2)
        fourth += row_product_rest(left, i + 3, right, i + 3)
    return first, second, third, fourth


@compiled
def norm_of(values: Array) -> float:
    """The Euclidean norm of a C-contiguous array of any shape, summed in double precision."""
    whole, sums = values.size - values.size % LANES, spread(0.0)
    for i in range(0, whole, LANES):
        wide = widen(load(values, i))
        sums = multiply_add(wide, wide, sums)
    squares = total(sums)
    for number in values.reshape(-1)[whole:]:
        squares += np.float64(number) * np.float64(number)
    return np.sqrt(squares)
