"""Joins the stream and the branch elementwise, as each skip does, and takes gradients back through the joins.

All arrays are (features, B).
"""

import numpy as np

from sims.engines.kernels.compiled import enclosed
from sims.engines.kernels.views import flat

Array = np.ndarray


@enclosed
def add_weighted(carry: float, stream: Array, factor: float, branch: Array, rectified: bool, out: Array) -> None:
    """out = carry · stream + factor · branch, or ReLU of that; all arrays (width, B)."""
    carried, added, results, zero = flat(stream), flat(branch), flat(out), stream.dtype.type(0)
    if rectified:
        for i in range(results.size):
            total = carry * carried[i] + factor * added[i]
            results[i] = zero if total <= zero else total
    else:
        for i in range(results.size):
            results[i] = carry * carried[i] + factor * added[i]


@enclosed
def add_kept(kept: Array, stream: Array, branch: Array, out: Array) -> None:
    """out = kept · stream + branch; all arrays (width, B), and `kept` the factors of the dropout on a skip."""
    factors, carried, added, results = flat(kept), flat(stream), flat(branch), flat(out)
    for i in range(results.size):
        results[i] = factors[i] * carried[i] + added[i]


@enclosed
def pass_gate(gate: Array, stream: Array, branch: Array, out: Array) -> None:
    """out = stream + gate · (branch - stream); all arrays (width, B), and the gate from 0 to 1."""
    openings, carried, added, results = flat(gate), flat(stream), flat(branch), flat(out)
    for i in range(results.size):
        results[i] = carried[i] + openings[i] * (added[i] - carried[i])


@enclosed
def pass_gate_back(
    gate: Array, stream: Array, branch: Array, least: float, change: Array, gate_change: Array, out: Array
) -> None:
    """Given the gradient of `pass_gate` in `change`, write the branch's share to `out`, and that of the gate's W h + b
    to `gate_change`; the skip's share stays in `change`. All arrays are (width, B). Shares of at most the size `least`
    become 0."""
    zero, one, bound = gate.dtype.type(0), gate.dtype.type(1), gate.dtype.type(least)
    openings, carried, added, slopes = flat(gate), flat(stream), flat(branch), flat(change)
    of_gate, of_branch = flat(gate_change), flat(out)
    for i in range(slopes.size):
        opening, slope = openings[i], slopes[i]
        added_share, gate_share = opening * slope, slope * (added[i] - carried[i]) * opening * (one - opening)
        carried_share = (one - opening) * slope
        of_branch[i] = zero if abs(added_share) <= bound else added_share
        of_gate[i] = zero if abs(gate_share) <= bound else gate_share
        slopes[i] = zero if abs(carried_share) <= bound else carried_share


@enclosed
def multiply(factors: Array, out: Array) -> None:
    """out ·= factors, both (width, B)."""
    numbers, results = flat(factors), flat(out)
    for i in range(results.size):
        results[i] *= numbers[i]
