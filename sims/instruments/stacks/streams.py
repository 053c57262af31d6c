"""The stream of a trained network after every block, and what the head would answer if it read there."""

import numpy as np

from sims.engines.perceptrons import TrainingState
from sims.engines.perceptrons.layout import Linear, make_layout


def streams(run: TrainingState, points: np.ndarray, seed: int = 0) -> np.ndarray:
    """The stream of the network with index `seed` for points (points, inputs): (blocks + 1, points, width), in double
    precision; the first is the stem's output.

    For additive two-layer ReLU blocks without a norm. Raises ValueError for any other.
    """
    a = run.architecture
    if (a.skip, a.unit, a.norm, a.activation, a.final_norm) != ("additive", "two-layer", "none", "relu", False):
        raise ValueError("streams are told for additive two-layer ReLU blocks without a norm")
    (stem, *layers, _head), row = _layers(run), run.parameters[seed].astype(float)
    stream = np.maximum(points @ stem.weights(row).T + stem.biases(row), 0)
    states = [stream]
    for first, second in zip(layers[::2], layers[1::2], strict=True):
        hidden = np.maximum(stream @ first.weights(row).T + first.biases(row), 0)
        stream = a.carry * stream + a.factor * (hidden @ second.weights(row).T + second.biases(row))
        states.append(stream)
    return np.array(states)


def margin(run: TrainingState, seed: int = 0) -> tuple[np.ndarray, float]:
    """Weights (width,) and bias of the head's second output minus its first: how it decides between two classes."""
    head, row = _layers(run)[-1], run.parameters[seed].astype(float)
    (first, second), biases = head.weights(row), head.biases(row)
    return second - first, float(biases[1] - biases[0])


def _layers(run: TrainingState) -> tuple[Linear, ...]:
    data = run.source.load()
    return make_layout(run.architecture, data.features, data.classes).layers
