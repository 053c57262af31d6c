"""The simplest work on whole arrays (w, B), number by number."""

import numpy as np

from sims.engines.kernels.compiled import enclosed

Array = np.ndarray


@enclosed
def copy(values: Array, out: Array) -> None:
    """out = values"""
    for i in range(values.shape[0]):
        row, result = values[i], out[i]
        for j in range(row.size):
            result[j] = row[j]


@enclosed
def clear(out: Array) -> None:
    """out = 0"""
    for i in range(out.shape[0]):
        row = out[i]
        for j in range(row.size):
            row[j] = 0


@enclosed
def add_to(values: Array, out: Array) -> None:
    """out += values"""
    for i in range(out.shape[0]):
        row, other = out[i], values[i]
        for j in range(row.size):
            row[j] += other[j]


@enclosed
def scale_all(factor: float, out: Array) -> None:
    """out *= factor; 1 costs nothing."""
    if factor != 1:
        number = out.dtype.type(factor)
        for i in range(out.shape[0]):
            row = out[i]
            for j in range(row.size):
                row[j] *= number
