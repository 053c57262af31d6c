"""Numbers that training counts as zero, on every processor alike.

Many processors take more than a hundred cycles for an operation on a subnormal number: below 1e-38 in single precision.
A network whose gradients fade, or whose softmax is saturated, would be full of them. So in a training step, numbers
of at most `NEGLIGIBLE` become zero wherever they could shrink further: after an activation, and where a gradient passes
back through an activation or a gate. The product of two that are left is still no subnormal number. This changes no
parameter: Adam divides by at least ε = 1e-8. What is measured keeps all numbers, if that could change a digit.
"""

import numpy as np

from sims.engines.kernels.compiled import enclosed

Array = np.ndarray

NEGLIGIBLE = 1e-18

FAINT = 1e-8
"""Norms of at least this size are so much larger that `NEGLIGIBLE` numbers cannot change a digit of them in single
precision"""


@enclosed
def faint(weight_gradients: Array, stream_gradients: Array, activations: Array) -> bool:
    """Whether one of these measures (n,) is so small that leaving out negligible numbers may have changed it."""
    return min(_smallest(weight_gradients), _smallest(stream_gradients), _smallest(activations)) < FAINT


@enclosed
def _smallest(measures: Array) -> float:
    smallest = np.inf
    for i in range(measures.size):
        smallest = min(smallest, measures[i])
    return smallest
