"""The offset of every parameter of a transformer in the one vector that the optimizer updates."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from sims.engines.perceptrons.layout import Linear
from sims.engines.transformers.architecture import Transformer


@dataclass(frozen=True)
class Layout:
    """The linear layers of a transformer: the embedding, two of each sublayer, the head; then the position vectors.

    An attention sublayer has queries, keys and values as one layer (3 width, width), and its output layer.
    """

    layers: tuple[Linear, ...]
    positions: int
    """Offset of the position vectors, (tokens, width)"""
    size: int
    """The network's number of parameters"""

    def table(self) -> np.ndarray:
        """(layers, 4) of rows, columns, weight and bias, for the kernels."""
        return np.array([[layer.rows, layer.columns, layer.weight, layer.bias] for layer in self.layers])


def token_features(architecture: Transformer, inputs: int) -> int:
    """Return the number of features per token. Raises ValueError if the inputs cannot be split equally into tokens."""
    if inputs % architecture.tokens:
        raise ValueError(f"{architecture.tokens} tokens cannot share {inputs} features equally")
    return inputs // architecture.tokens


@cache
def make_layout(architecture: Transformer, inputs: int, outputs: int) -> Layout:
    """The layout of a transformer for points of `inputs` features and `outputs` classes."""
    a = architecture
    shapes = [(a.width, token_features(a, inputs))]
    for sublayer in range(a.depth):
        if sublayer % 2 == 0:
            shapes += [(3 * a.width, a.width), (a.width, a.width)]
        else:
            shapes += [(a.hidden, a.width), (a.width, a.hidden)]
    shapes.append((outputs, a.width))
    layers: list[Linear] = []
    for rows, columns in shapes:
        weight = layers[-1].end if layers else 0
        # Only the embedding has no bias: the position vectors play its part.
        layers.append(Linear(rows, columns, weight, weight + rows * columns if layers else -1))
    positions = layers[-1].end
    return Layout(tuple(layers), positions, positions + a.tokens * a.width)
