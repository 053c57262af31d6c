"""What a skip makes of the stream and the branch, number by number, and what that makes of a gradient.

All arrays are (features, B).
"""

import numpy as np

from sims.engines.kernels.compiled import enclosed
from sims.engines.kernels.sums import row_product

Array = np.ndarray


@enclosed
def add_weighted(carry: float, stream: Array, factor: float, branch: Array, out: Array) -> None:
    """out = carry · stream + factor · branch"""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = carry * stream[i, j] + factor * branch[i, j]


@enclosed
def add_kept(kept: Array, stream: Array, branch: Array, out: Array) -> None:
    """out = kept · stream + branch"""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = kept[i, j] * stream[i, j] + branch[i, j]


@enclosed
def pass_gate(gate: Array, stream: Array, branch: Array, out: Array) -> None:
    """out = stream + gate · (branch - stream)"""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = stream[i, j] + gate[i, j] * (branch[i, j] - stream[i, j])


@enclosed
def pass_gate_back(gate: Array, stream: Array, branch: Array, change: Array, gate_change: Array, out: Array) -> None:
    """From the gradient of `pass_gate` in `change`: the branch's share into `out`, that of W h + b behind the gate into
    `gate_change`; the carried share stays in `change`."""
    one = gate.dtype.type(1)
    for i in range(gate.shape[0]):
        for j in range(gate.shape[1]):
            opening, slope = gate[i, j], change[i, j]
            out[i, j] = opening * slope
            gate_change[i, j] = slope * (branch[i, j] - stream[i, j]) * opening * (one - opening)
            change[i, j] = (one - opening) * slope


@enclosed
def scaled(factor: float, values: Array, out: Array) -> None:
    """out = factor · values"""
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            out[i, j] = factor * values[i, j]


@enclosed
def multiply(factors: Array, out: Array) -> None:
    """out ·= factors"""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] *= factors[i, j]


@enclosed
def product(left: Array, right: Array) -> float:
    """The sum of left · right."""
    total = left.dtype.type(0)
    for i in range(left.shape[0]):
        total += row_product(left, i, right, i)
    return total
