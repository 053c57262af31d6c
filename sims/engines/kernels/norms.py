"""Batch norm and layer norm, forward and backward, without learned gain or shift.

All arrays are feature-major (w, B). The backward passes need only the normalized values and the scales 1/σ of the
forward pass (Ioffe & Szegedy 1502.03167, section 3; Ba et al. 1607.06450, section 3). Results go into arrays other than
the arguments, so that the compiler can work on several numbers at once.
"""

import numpy as np

from sims.engines.kernels.compiled import enclosed
from sims.engines.kernels.elementwise import clear, copy
from sims.engines.kernels.sums import row_product, row_squares, row_sum
from sims.engines.kernels.views import view

Array = np.ndarray

EPSILON = 1e-5
"""Added to every variance, as in torch."""


@enclosed
def batch_norm(values: Array, frozen: bool, mean: Array, scale: Array, out: Array) -> None:
    """Every feature to mean 0 and variance 1 over the batch, into `out`; its mean and 1/σ into `mean` and `scale` (w,).

    With `frozen` the mean and scale are taken as they come.
    """
    dtype = values.dtype.type
    features, batch = values.shape
    share = dtype(1 / batch)
    for i in range(features):
        row, normal = values[i], out[i]
        if not frozen:
            mean[i] = row_sum(values, i) * share
            scale[i] = dtype(1) / np.sqrt(row_squares(values, i, mean[i]) * share + dtype(EPSILON))
        center, factor = mean[i], scale[i]
        for j in range(batch):
            normal[j] = (row[j] - center) * factor


@enclosed
def batch_norm_back(gradient: Array, normal: Array, scale: Array) -> None:
    """The gradient with respect to the input of `batch_norm`, in place of that with respect to its output."""
    dtype = gradient.dtype.type
    features, batch = gradient.shape
    share = dtype(1 / batch)
    for i in range(features):
        row, hat, factor = gradient[i], normal[i], scale[i]
        level, slope = row_sum(gradient, i) * share, row_product(gradient, i, normal, i) * share
        for j in range(batch):
            row[j] = (row[j] - level - hat[j] * slope) * factor


@enclosed
def layer_norm(values: Array, scale: Array, sums: Array, out: Array) -> None:
    """Every point to mean 0 and variance 1 over its features, into `out`; 1/σ into `scale` (B,).

    `sums` (2, B) is scratch space.
    """
    dtype = values.dtype.type
    features, batch = values.shape
    share = dtype(1 / features)
    center = sums[0]
    center[:] = dtype(0)
    scale[:] = dtype(0)
    for i in range(features):
        row = values[i]
        for j in range(batch):
            center[j] += row[j]
    for j in range(batch):
        center[j] *= share
    for i in range(features):
        row, normal = values[i], out[i]
        for j in range(batch):
            normal[j] = row[j] - center[j]
            scale[j] += normal[j] * normal[j]
    for j in range(batch):
        scale[j] = dtype(1) / np.sqrt(scale[j] * share + dtype(EPSILON))
    for i in range(features):
        normal = out[i]
        for j in range(batch):
            normal[j] *= scale[j]


@enclosed
def add_layer_norm_back(gradient: Array, normal: Array, scale: Array, sums: Array, out: Array) -> None:
    """The gradient with respect to the input of `layer_norm`, added to what `out` holds.

    `gradient` is with respect to its output; `sums` (2, B) is scratch space.
    """
    dtype = gradient.dtype.type
    features, batch = gradient.shape
    share = dtype(1 / features)
    level, slope = sums[0], sums[1]
    sums[:] = dtype(0)
    for i in range(features):
        row, hat = gradient[i], normal[i]
        for j in range(batch):
            level[j] += row[j]
            slope[j] += row[j] * hat[j]
    for j in range(batch):
        level[j] *= share
        slope[j] *= share
    for i in range(features):
        row, hat, result = gradient[i], normal[i], out[i]
        for j in range(batch):
            result[j] += (row[j] - level[j] - hat[j] * slope[j]) * scale[j]


@enclosed
def layer_norm_back(change: Array, normal: Array, scale: Array, sums: Array, scratch: Array) -> None:
    """`add_layer_norm_back` in place on the gradient in `change`; `scratch` has at least as many rows."""
    before = view(scratch, 0, change.shape)
    copy(change, before)
    clear(change)
    add_layer_norm_back(before, normal, scale, sums, change)
