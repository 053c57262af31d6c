"""What the gradient of the stream at its first place, over that at its last, says about a network."""

import numpy as np

from sims.engines.state import Record

VANISHED, EXPLODED = 1e-3, 1e3
LEVEL = (0.1, 10.0)
"""Ratios of the first place's gradient to the last's, before training, that count as level in a diagnosis."""

FINE = 0.1
"""A training error below this share counts as a good fit."""


def diagnosis(ratio: float, error: float) -> str:
    """The name of a failure, from the first-to-last gradient ratio before training and the training error after it.

    A good fit is "fine" whatever its gradients looked like; a bad fit is "vanished" below a ratio of 1e-3, "exploded"
    above 1e3, "stalled" between 0.1 and 10, and "tilted" in the two gaps. None of them says that the depth is to blame:
    that takes a shallower network that fits, and a search for a better learning rate.
    """
    if error < FINE:
        return "fine"
    if not ratio >= VANISHED:
        return "vanished"
    if ratio > EXPLODED:
        return "exploded"
    return "stalled" if LEVEL[0] <= ratio <= LEVEL[1] else "tilted"


def gradient_ratio(record: Record) -> float:
    """∂L/∂h before the first block over ∂L/∂h after the last, median over the seeds; NaN if the latter is 0."""
    return float(np.median(first_to_last(record)))


def first_to_last(record: Record) -> np.ndarray:
    """Norm of the stream's gradient after the stem over that after the last block, for each seed, (seeds,).

    The gradient of the stream, and not that of the weights: in a ReLU network without biases, a common factor on all
    weights changes the gradients of all weight matrices by the same power of it, so that their ratio cannot show it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: np.ndarray = record.stream_gradients[:, 0] / record.stream_gradients[:, -1]
    return ratios


def slope(ratio: float) -> str:
    """ "level" if the first block's gradient is within a factor of ten of the last one's; else "fading" on its way
    back, "growing", or "zero"."""
    if ratio == 0:
        return "zero"
    if LEVEL[0] <= ratio <= LEVEL[1]:
        return "level"
    return "fading" if ratio < LEVEL[0] else "growing"
