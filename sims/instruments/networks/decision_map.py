"""What a network of two inputs answers all over the plane, as bytes."""

from dataclasses import replace

import numpy as np

from sims.data.input_features import as_fed
from sims.engines.either import predict
from sims.engines.state import TrainingState

SIDE = 64
"""Points along each side of a map."""

LEVELS = 16
"""Steps of confidence that a byte tells apart."""

NOTHING = 255
"""The byte of a place where the answer is no finite number."""


def grid(reach: float, side: int = SIDE) -> np.ndarray:
    """Points (side², 2), row by row from the lowest, in the middle of the cells of a square of ±`reach`."""
    middle = ((np.arange(side) + 0.5) / side * 2 - 1) * reach
    return np.stack(np.meshgrid(middle, middle), axis=-1).reshape(-1, 2).astype(np.float32)


def decision_map(state: TrainingState, reach: float, side: int = SIDE) -> np.ndarray:
    """The map (side, side) of the first seed's network, from one batched pass.

    A byte is LEVELS · class + confidence. The confidence is the share of the way from "as likely as any other of the
    classes" to "certain" that the largest softmax output has gone, in LEVELS steps from 0.
    """
    first = replace(state, seeds=state.seeds[:1], parameters=state.parameters[:1])
    outputs = predict(first, as_fed(state.source, grid(reach, side)))[0].T
    classes = len(outputs)
    finite = np.isfinite(outputs).all(axis=0)
    # Outputs of a network on its way to infinity may lie further apart than the largest number.
    with np.errstate(invalid="ignore", over="ignore"):
        largest = 1 / np.exp(outputs - outputs.max(axis=0)).sum(axis=0)
    share = np.where(finite, (largest - 1 / classes) / (1 - 1 / classes), 0)
    level = np.clip(share * LEVELS, 0, LEVELS - 1).astype(np.uint8)
    answer = outputs.argmax(axis=0).astype(np.uint8) * np.uint8(LEVELS) + level
    return np.where(finite, answer, np.uint8(NOTHING)).reshape(side, side)


def share_of_commonest(answers: np.ndarray) -> float:
    """The share of a map that its commonest class takes up, 0 to 1."""
    return float(np.bincount(answers.reshape(-1) // LEVELS).max() / answers.size)
