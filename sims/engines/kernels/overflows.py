"""Finds where a pass stopped being finite: which quantity, in which block or layer."""

import numpy as np

from sims.engines.kernels.compiled import enclosed, inlined

Array = np.ndarray

FINITE, ACTIVATIONS, LOSS, GRADIENT = 0, 1, 2, 3
"""The quantity that stopped being finite first"""


@enclosed
def note_overflow(
    step: int, mean: float, length: float, weight_gradients: Array, activations: Array, overflow: Array
) -> None:
    """Write to `overflow` (3,): the step, the quantity that is not finite, and the index of its block or layer."""
    overflow[0] = step
    overflow[1], overflow[2] = _first_overflow(mean, length, weight_gradients, activations)


@inlined
def _first_overflow(mean: float, length: float, weight_gradients: Array, activations: Array) -> tuple[int, int]:
    if not np.isfinite(mean):
        # The forward pass goes through the blocks in rising order, so the first one that is not finite is the cause.
        for block in range(activations.size):
            if not np.isfinite(activations[block]):
                return ACTIVATIONS, block
        return LOSS, 0
    if not np.isfinite(length):
        # The backward pass starts at the last layer.
        for layer in range(weight_gradients.size - 1, -1, -1):
            if not np.isfinite(weight_gradients[layer]):
                return GRADIENT, layer
        return GRADIENT, 0
    return FINITE, 0
