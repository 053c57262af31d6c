"""The answers of a network with two inputs over the whole plane, as bytes."""

from dataclasses import replace

import numpy as np

from sims.data.input_features import as_fed
from sims.engines.dispatch import predict
from sims.engines.state import TrainingState

SIDE = 64
"""Points along each side of a map."""

LEVELS = 16
"""Number of confidence levels that a byte distinguishes."""

NOTHING = 255
"""The byte of a point where the answer is not finite."""


def grid(reach: float, side: int = SIDE) -> np.ndarray:
    """Points (side², 2) at the cell centers of the square ±`reach`, row by row from the lowest."""
    middle = ((np.arange(side) + 0.5) / side * 2 - 1) * reach
    return np.stack(np.meshgrid(middle, middle), axis=-1).reshape(-1, 2).astype(np.float32)


def decision_map(state: TrainingState, reach: float, side: int = SIDE) -> np.ndarray:
    """The map (side, side) of the first seed's network, from one batched pass.

    A byte is LEVELS · class + confidence. The confidence is the largest softmax output, mapped from [1 / classes, 1] to
    the levels 0 to LEVELS − 1.
    """
    first = replace(state, seeds=state.seeds[:1], parameters=state.parameters[:1])
    outputs = predict(first, as_fed(state.source, grid(reach, side)))[0].T
    classes = len(outputs)
    finite = np.isfinite(outputs).all(axis=0)
    # The outputs of a diverging network may differ by more than the largest number of their precision.
    with np.errstate(invalid="ignore", over="ignore"):
        largest = 1 / np.exp(outputs - outputs.max(axis=0)).sum(axis=0)
    share = np.where(finite, (largest - 1 / classes) / (1 - 1 / classes), 0)
    level = np.clip(share * LEVELS, 0, LEVELS - 1).astype(np.uint8)
    answer = outputs.argmax(axis=0).astype(np.uint8) * np.uint8(LEVELS) + level
    return np.where(finite, answer, np.uint8(NOTHING)).reshape(side, side)


def share_of_commonest(answers: np.ndarray) -> float:
    """The share of a map that its most common class covers, 0 to 1."""
    return float(np.bincount(answers.reshape(-1) // LEVELS).max() / answers.size)
