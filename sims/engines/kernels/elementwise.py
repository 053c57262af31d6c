"""Elementwise operations on whole arrays of one shape."""

import numpy as np

from sims.engines.kernels.compiled import enclosed
from sims.engines.kernels.views import flat

Array = np.ndarray


@enclosed
def copy(values: Array, out: Array) -> None:
    """out = values, both C-contiguous arrays of one shape, such as (width, B)."""
    numbers, results = flat(values), flat(out)
    for i in range(results.size):
        results[i] = numbers[i]


@enclosed
def clear(out: Array) -> None:
    """out = 0, for an array of any shape."""
    results = flat(out)
    for i in range(results.size):
        results[i] = 0


@enclosed
def add_to(values: Array, out: Array) -> None:
    """out += values, both of one shape."""
    numbers, results = flat(values), flat(out)
    for i in range(results.size):
        results[i] += numbers[i]


@enclosed
def scaled(factor: float, values: Array, out: Array) -> None:
    """out = factor · values, both of one shape."""
    numbers, results = flat(values), flat(out)
    for i in range(results.size):
        results[i] = factor * numbers[i]


@enclosed
def scale_all(factor: float, out: Array) -> None:
    """out *= factor, for an array of any shape; 1 costs nothing."""
    if factor != 1:
        results, number = flat(out), out.dtype.type(factor)
        for i in range(results.size):
            results[i] *= number
