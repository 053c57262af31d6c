"""Highway networks: how far their gates are open, and how much of the gradient gets past them."""

import numpy as np

from sims.contract.calculation import calculation
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.kernels.norms import EPSILON
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, start
from sims.engines.perceptrons.engine import outputs
from sims.engines.perceptrons.layout import Linear, make_layout

SEEDS = tuple(range(20))
"""The ratio varies by factors of ten from seed to seed; five seeds do not settle its first digit."""


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + e^−x) of every number, without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def openings(run: TrainingState) -> np.ndarray:
    """The opening T of every gate, mean over training points and units: shape (seeds, blocks), 0 to 1.

    Computed in double precision from the network of each seed: h ← h + T·(F(h) − h) with T = σ(W_T h + b_T)
    (Srivastava et al. 1505.00387, equations 2 and 3). Raises ValueError for a network without gates, or with another
    norm than Pre-LN or other branches than one layer.
    """
    a = run.architecture
    if a.skip != "highway" or a.unit != "one-layer" or a.norm not in ("none", "pre-layer"):
        raise ValueError("gates are read in highway networks of one-layer blocks, without a norm or with Pre-LN")
    data = run.source.load()
    layout = make_layout(a, data.features, outputs(run.recipe, data))
    activation = np.tanh if a.activation == "tanh" else lambda x: np.maximum(x, 0)
    means = np.empty((len(run.seeds), a.blocks))
    for seed, row in enumerate(run.parameters.astype(float)):
        stream = activation(_affine(row, layout.layers[0], data.train_inputs))
        for block, gate in enumerate(layout.gates):
            inside = _normalized(stream) if a.norm == "pre-layer" else stream
            branch = activation(_affine(row, layout.layers[block + 1], inside))
            opening = sigmoid(_affine(row, gate, stream))
            means[seed, block] = opening.mean()
            stream = stream + opening * (branch - stream)
    return means


def _affine(row: np.ndarray, layer: Linear, points: np.ndarray) -> np.ndarray:
    return points @ layer.weights(row).T + layer.biases(row)


def _normalized(points: np.ndarray) -> np.ndarray:
    centered = points - points.mean(axis=1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(axis=1, keepdims=True) + EPSILON)


@calculation
def opening(bias: float) -> float:
    """The opening T of a gate that depends only on its bias: σ(b)."""
    return float(sigmoid(np.array(bias)))


@calculation
def carried(bias: float, blocks: int) -> float:
    """The share of a signal left on the carry route alone after `blocks` gates with that bias: (1 − σ(b))^blocks."""
    return (1 - float(opening(bias=bias))) ** blocks


def gradient_ratio(bias: float, blocks: int, seeds: tuple[int, ...] = SEEDS) -> np.ndarray:
    """∂L/∂h before the first block over ∂L/∂h after the last, before training, for real networks: (seeds,).

    Highway networks of width 32 on the spirals, He weights, all 256 points, gates initialized as in the library.
    """
    architecture = Architecture(blocks + 2, 32, skip="highway", unit="one-layer", gate_bias=bias)
    gradients = start(architecture, Recipe("sgd", 0.1, None), source("spirals"), seeds, np.float64).now.stream_gradients
    return np.asarray(gradients[:, 0] / gradients[:, -1])


@calculation(long=True)
def measured(bias: float, blocks: int) -> str:
    """`gradient_ratio` of 20 seeds to one digit: the median and, in parentheses, the lowest and the highest."""
    ratios = gradient_ratio(bias, blocks)
    median, lowest, highest = (number(float(ratio), 1) for ratio in (np.median(ratios), ratios.min(), ratios.max()))
    return f"{median} ({lowest} to {highest})"
