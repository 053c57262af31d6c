"""Initial weights of a transformer, drawn from a separate generator for every seed."""

import numpy as np

from sims.engines.deep_norm import start_factor
from sims.engines.perceptrons.layout import Linear
from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.layout import Layout


def initial_parameters(architecture: Transformer, layout: Layout, seed: int) -> np.ndarray:
    """Return the parameter vector (float64) that `Transformer.initialization` describes.

    It does not depend on the placement of the norm, except for DeepNorm's factor β: a Pre-LN and a Post-LN network of
    one seed start with the same weights.
    """
    random = np.random.default_rng((seed, 0))
    vector = np.zeros(layout.size)
    last = len(layout.layers) - 1
    for number, layer in enumerate(layout.layers):
        # Layer 0 is the embedding; each sublayer has two layers; the last layer is the head.
        sublayer, second = divmod(number - 1, 2)
        inside = 0 < number < last
        attends = inside and sublayer % 2 == 0
        before_relu = inside and not attends and not second
        weight = layer.weights(vector)
        weight[:] = _weights(architecture, layer, random, queries=attends and not second, before_relu=before_relu)
        if architecture.norm == "deep-norm" and inside:
            # Of attention's first layer, β multiplies only the values, not queries and keys.
            values = weight[2 * layer.columns :] if attends and not second else weight
            values *= start_factor(architecture.depth)
        if architecture.initialization == "default" and layer.bias >= 0 and not attends:
            bound = layer.columns**-0.5
            layer.biases(vector)[:] = random.uniform(-bound, bound, layer.rows)
    vector[layout.positions :] = random.normal(size=layout.size - layout.positions)
    return vector


def _weights(
    architecture: Transformer, layer: Linear, random: np.random.Generator, queries: bool, before_relu: bool
) -> np.ndarray:
    shape = layer.rows, layer.columns
    match architecture.initialization:
        case "default":
            bound = (6 / (layer.rows + layer.columns)) ** 0.5 if queries else layer.columns**-0.5
            return random.uniform(-bound, bound, shape)
        case "he":
            return random.normal(0, ((2 if before_relu else 1) / layer.columns) ** 0.5, shape)
        case "xavier":
            return random.normal(0, (2 / (layer.rows + layer.columns)) ** 0.5, shape)
