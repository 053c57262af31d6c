"""How alike a network makes different inputs, layer by layer."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sims.engines.perceptrons import TrainingState, layer_values

COMPARED = 64
"""Inputs that the pages compare with each other"""


def likeness_by_layer(state: TrainingState, points: np.ndarray) -> np.ndarray:
    """Mean cosine between the activations of different points, for each seed and layer, (seeds, layers - 1).

    `points` (points, inputs) are at least two; all their pairs count. The layers are those of `layer_values`, from the
    stem to the last layer before the head. The cosine lies between -1 and 1: at 1, every point has the same activation
    up to its length. A layer may set all units of a point to zero; such a vector has no direction, and its cosine with
    any other counts as 0. A layer whose activations are not all finite has NaN.
    """
    return np.stack([mean_cosine(layer_values(single, points)) for single in _each_seed(state)])


def mean_cosine(values: np.ndarray) -> np.ndarray:
    """Mean cosine over the pairs of different points of values (layers, units, points), (layers,); see
    `likeness_by_layer` for vectors of zeros."""
    values = values.astype(np.float64)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        directions = np.divide(values, lengths, out=np.zeros_like(values), where=lengths != 0)
    # The squared length of the sum of all directions is the sum of all their products, of each with itself included.
    pairs = (directions.sum(axis=2) ** 2).sum(axis=1) - (directions**2).sum(axis=(1, 2))
    count = values.shape[2]
    mean: np.ndarray = pairs / (count * (count - 1))
    return mean


def original_stream(state: TrainingState, points: np.ndarray) -> np.ndarray:
    """What the head of a network of "original" units with ReLU reads at these points, (seeds, width, points).

    `layer_values` has the outputs of the branches, so the sums and their ReLUs are computed again here.

    Raises ValueError for other networks.
    """
    network = state.architecture
    if network.unit != "original" or network.activation != "relu" or network.final_norm:
        raise ValueError("this needs blocks of the original unit with ReLU, and no norm in front of the head")
    streams = []
    for single in _each_seed(state):
        values = layer_values(single, points)
        stream = values[0]
        for branch in values[2::2]:
            stream = np.maximum(network.factor * branch + (network.carry * stream if network.skip != "none" else 0), 0)
        streams.append(stream)
    return np.stack(streams)


def _each_seed(state: TrainingState) -> Iterator[TrainingState]:
    """A state for each seed alone, for `layer_values`, which returns the values of the last seed only."""
    for seed, parameters in zip(state.seeds, state.parameters, strict=True):
        yield replace(state, seeds=(seed,), parameters=parameters[None])
