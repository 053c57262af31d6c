"""Initial weights of a perceptron, drawn from a separate generator for every seed."""

import numpy as np

from sims.engines.deep_norm import start_factor
from sims.engines.orthogonal import orthogonal
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.layout import Layout


def initial_parameters(architecture: Architecture, plan: Layout, seed: int) -> np.ndarray:
    """Return the parameter vector (float64) that `Architecture.initialization` describes.

    Layers are drawn from stem to head, and gates after them, so that networks that differ only in their skip share
    the weights of all layers.
    """
    random = np.random.default_rng((seed, 0))
    vector = np.zeros(plan.size)
    for number, layer in enumerate(plan.layers):
        stem, head = number == 0, number == len(plan.layers) - 1
        # The stem is layer 0, so the last layers of the blocks have multiples of `layers_per_block` as numbers.
        last_of_branch = not (stem or head) and number % architecture.layers_per_block == 0
        if architecture.initialization == "looks-linear":
            weight, bias = mirrored(layer.rows, layer.columns, random, stem, head), np.zeros(layer.rows)
        else:
            weight, bias = drawn(architecture, layer.rows, layer.columns, random)
        if architecture.initialization == "zero-last" and last_of_branch:
            weight[:] = 0
        if architecture.norm == "deep-norm" and not (stem or head):
            weight *= start_factor(architecture.blocks)
        layer.weights(vector)[:] = weight
        if layer.bias >= 0:
            layer.biases(vector)[:] = bias
    for gate in plan.gates:
        weight, _ = drawn(architecture, gate.rows, gate.columns, random)
        gate.weights(vector)[:] = weight
        gate.biases(vector)[:] = architecture.gate_bias if architecture.skip == "highway" else 0.0
    return vector


def drawn(
    architecture: Architecture, rows: int, columns: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw weights (rows, columns) and biases (rows,) of a layer."""
    shape, bias = (rows, columns), np.zeros(rows)
    match architecture.initialization:
        case "default":
            bound = columns**-0.5
            return random.uniform(-bound, bound, shape), random.uniform(-bound, bound, rows)
        case "he" | "zero-last":
            return random.normal(0, np.sqrt(2 / columns), shape), bias
        case "xavier":
            return random.normal(0, np.sqrt(2 / (rows + columns)), shape), bias
        case "orthogonal" | "looks-linear":
            return (np.sqrt(2) if architecture.activation == "relu" else 1) * orthogonal(shape, random), bias
        case "uniform":
            return random.uniform(-0.5, 0.5, shape), bias + 0.1


def mirrored(rows: int, columns: int, random: np.random.Generator, stem: bool, head: bool) -> np.ndarray:
    """Draw (rows, columns) weights [[A, -A], [-A, A]], A orthogonal; [A; -A] for the stem and [A, -A] for the head."""
    a = orthogonal((rows if head else rows // 2, columns if stem else columns // 2), random)
    upper = a if stem else np.hstack([a, -a])
    return upper if head else np.vstack([upper, -upper])
