"""Batch norm and layer norm, forward and backward, without learned gain or shift.

All arrays are feature-major (w, B). The backward passes need only the normalized values and the scales 1/σ of the
forward pass (Ioffe & Szegedy 1502.03167, section 3; Ba et al. 1607.06450, section 3). `out` may be `values` itself.
"""

from typing import Any

import numpy as np

from sims.engines.kernels.compiled import enclosed
from sims.engines.kernels.sums import four_products, four_squares, four_sums, row_product, row_squares, row_sum
from sims.engines.kernels.vectors import (
    LANES,
    add,
    divide,
    four_of,
    load,
    load_like,
    multiply,
    root,
    spread,
    spread_like,
    store,
    subtract,
)

Array = np.ndarray

EPSILON = 1e-5
"""Added to every variance, as in torch."""


@enclosed
def batch_norm(values: Array, frozen: bool, mean: Array, scale: Array, out: Array) -> None:
    """Write every feature with mean 0 and variance 1 over the batch to `out`; its mean and 1/σ to `mean`, `scale` (w,).

    With `frozen`, use the given mean and scale instead.
    """
    if not frozen:
        _moments(values, mean, scale)
    features, batch = values.shape
    whole = batch - batch % LANES
    for i in range(features):
        center, factor = spread(mean[i]), spread(scale[i])
        for place in range(i * batch, i * batch + whole, LANES):
            store(out, place, multiply(subtract(load(values, place), center), factor))
        for j in range(whole, batch):
            out[i, j] = (values[i, j] - mean[i]) * scale[i]


@enclosed
def _moments(values: Array, mean: Array, scale: Array) -> None:
    """Write the mean and 1/σ of every row to `mean` and `scale` (w,)."""
    dtype = values.dtype.type
    features, batch = values.shape
    fours, share = features - features % 4, dtype(1 / batch)
    for i in range(0, fours, 4):
        mean[i], mean[i + 1], mean[i + 2], mean[i + 3] = four_sums(values, i)
        for row in range(i, i + 4):
            mean[row] *= share
        scale[i], scale[i + 1], scale[i + 2], scale[i + 3] = four_squares(values, i, mean)
    for i in range(fours, features):
        mean[i] = row_sum(values, i) * share
        scale[i] = row_squares(values, i, mean[i])
    for i in range(features):
        scale[i] = dtype(1) / np.sqrt(scale[i] * share + dtype(EPSILON))


@enclosed
def batch_norm_back(gradient: Array, normal: Array, scale: Array) -> None:
    """Replace `gradient` (features, B), that with respect to the output of `batch_norm`, by that with respect to its
    input. `normal` (features, B) is its output, and `scale` (features,) its 1/σ."""
    features = gradient.shape[0]
    fours = features - features % 4
    for i in range(0, fours, 4):
        sums, products = four_sums(gradient, i), four_products(gradient, normal, i)
        _pass_back(gradient, normal, i, sums[0], products[0], scale)
        _pass_back(gradient, normal, i + 1, sums[1], products[1], scale)
        _pass_back(gradient, normal, i + 2, sums[2], products[2], scale)
        _pass_back(gradient, normal, i + 3, sums[3], products[3], scale)
    for i in range(fours, features):
        _pass_back(gradient, normal, i, row_sum(gradient, i), row_product(gradient, i, normal, i), scale)


@enclosed
def _pass_back(gradient: Array, normal: Array, i: int, total: float, product: float, scale: Array) -> None:
    """Apply `batch_norm_back` to row i, given the row's sum and the sum of its products with the normalized values."""
    share = gradient.dtype.type(1 / gradient.shape[1])
    row, hat, factor, level, slope = gradient[i], normal[i], scale[i], total * share, product * share
    for j in range(gradient.shape[1]):
        row[j] = (row[j] - level - hat[j] * slope) * factor


@enclosed
def layer_norm(values: Array, scale: Array, out: Array) -> None:
    """Write every point with mean 0 and variance 1 over its features to `out`; 1/σ to `scale` (B,)."""
    # Four vectors at a time, because their sums do not have to wait for each other; then one; then single points.
    dtype, batch = values.dtype.type, values.shape[1]
    fours, whole = batch - batch % (4 * LANES), batch - batch % LANES
    for j in range(0, fours, 4 * LANES):
        _normalize(values, j, four_of(dtype(0)), scale, out)
    for j in range(fours, whole, LANES):
        _normalize(values, j, spread(dtype(0)), scale, out)
    share = dtype(1 / values.shape[0])
    for j in range(whole, batch):
        total = squares = dtype(0)
        for i in range(values.shape[0]):
            total += values[i, j]
        center = total * share
        for i in range(values.shape[0]):
            squares += (values[i, j] - center) * (values[i, j] - center)
        scale[j] = dtype(1) / np.sqrt(squares * share + dtype(EPSILON))
        for i in range(values.shape[0]):
            out[i, j] = (values[i, j] - center) * scale[j]


@enclosed
def _normalize(values: Array, j: int, zero: Any, scale: Array, out: Array) -> None:
    """Apply `layer_norm` to as many columns as `zero` has lanes, from column j on."""
    dtype, batch = values.dtype.type, values.shape[1]
    share = spread_like(dtype(1 / values.shape[0]), zero)
    total = squares = zero
    for place in range(j, values.size, batch):
        total = add(total, load_like(values, place, zero))
    center = multiply(total, share)
    for place in range(j, values.size, batch):
        gap = subtract(load_like(values, place, zero), center)
        squares = add(squares, multiply(gap, gap))
    variance = add(multiply(squares, share), spread_like(dtype(EPSILON), zero))
    factor = divide(spread_like(dtype(1), zero), root(variance))
    store(scale, j, factor)
    for place in range(j, values.size, batch):
        store(out, place, multiply(subtract(load_like(values, place, zero), center), factor))


@enclosed
def layer_norm_back(gradient: Array, normal: Array, scale: Array, base: Array, out: Array) -> None:
    """Write the gradient with respect to the input of `layer_norm` to `out`, given that with respect to its output in
    `gradient`, both (features, B). `normal` (features, B) is its output, and `scale` (B,) its 1/σ. Unless `base` is
    empty, it is added. `out` may be `gradient` or `base` itself."""
    dtype, batch = gradient.dtype.type, gradient.shape[1]
    fours, whole = batch - batch % (4 * LANES), batch - batch % LANES
    for j in range(0, fours, 4 * LANES):
        _normalize_back(gradient, normal, scale, j, four_of(dtype(0)), base, out)
    for j in range(fours, whole, LANES):
        _normalize_back(gradient, normal, scale, j, spread(dtype(0)), base, out)
    share = dtype(1 / gradient.shape[0])
    for j in range(whole, batch):
        total = slopes = dtype(0)
        for i in range(gradient.shape[0]):
            total += gradient[i, j]
            slopes += gradient[i, j] * normal[i, j]
        level, slope = total * share, slopes * share
        for i in range(gradient.shape[0]):
            change = (gradient[i, j] - level - normal[i, j] * slope) * scale[j]
            out[i, j] = change + (base[i, j] if base.size else dtype(0))


@enclosed
def _normalize_back(gradient: Array, normal: Array, scale: Array, j: int, zero: Any, base: Array, out: Array) -> None:
    """Apply `layer_norm_back` to as many columns as `zero` has lanes, from column j on."""
    batch = gradient.shape[1]
    share, factor = spread_like(gradient.dtype.type(1 / gradient.shape[0]), zero), load_like(scale, j, zero)
    total = slopes = zero
    for place in range(j, gradient.size, batch):
        row = load_like(gradient, place, zero)
        total = add(total, row)
        slopes = add(slopes, multiply(row, load_like(normal, place, zero)))
    level, slope = multiply(total, share), multiply(slopes, share)
    for place in range(j, gradient.size, batch):
        rest = subtract(load_like(gradient, place, zero), level)
        change = multiply(subtract(rest, multiply(load_like(normal, place, zero), slope)), factor)
        store(out, place, add(load_like(base, place, zero) if base.size else zero, change))
