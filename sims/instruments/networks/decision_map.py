"""The answers of a network over a plane: all of its inputs, if it has two of them, or a plane through test points."""

from dataclasses import replace
from functools import cache

import numpy as np

from sims.data.datasets import Source
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


@cache
def plane_of_inputs(source: Source, side: int) -> np.ndarray:
    """Points (side², inputs) a + u (b − a) + v (c − a), row by row from the lowest v, for u and v from −½ to 1½.

    a, b and c are the first three test points, a quarter or three quarters of the way along each side.
    """
    a, b, c = source.load().test_inputs[:3].astype(np.float64)
    along = (np.arange(side) + 0.5) / side * 2 - 0.5
    points = a + along[None, :, None] * (b - a) + along[:, None, None] * (c - a)
    return points.reshape(side**2, -1).astype(np.float32)


def classes_on_plane(state: TrainingState, side: int) -> np.ndarray:
    """The class (side, side) that the first seed's network answers on `plane_of_inputs`; -1 where it is not finite."""
    first = replace(state, seeds=state.seeds[:1], parameters=state.parameters[:1])
    outputs = predict(first, plane_of_inputs(state.source, side))[0]
    finite = np.isfinite(outputs).all(axis=1)
    return np.where(finite, outputs.argmax(axis=1), -1).astype(np.int8).reshape(side, side)


def share_of_commonest(answers: np.ndarray) -> float:
    """The share of a map that its most common class covers, 0 to 1."""
    return float(np.bincount(answers.reshape(-1) // LEVELS).max() / answers.size)
