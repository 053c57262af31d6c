"""The offset of every parameter of a language model in the one vector that the optimizer updates."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from sims.engines.language.architecture import LanguageModel


@dataclass(frozen=True)
class Linear:
    """A linear layer: its weight matrix (rows, columns) from offset `weight` on, its bias (rows,) from `bias`."""

    rows: int
    columns: int
    weight: int
    bias: int

    def weights(self, parameters: np.ndarray) -> np.ndarray:
        """The weight matrix in a parameter vector (P,): a view."""
        return parameters[self.weight : self.weight + self.rows * self.columns].reshape(self.rows, self.columns)

    def biases(self, parameters: np.ndarray) -> np.ndarray:
        """The bias in a parameter vector (P,): a view."""
        return parameters[self.bias : self.bias + self.rows]


@dataclass(frozen=True)
class Layout:
    """The symbols' vectors (symbols, width), the positions' vectors (context, width) and the matrices come first, since
    they decay. The biases follow, and then ReZero's α of every branch, and the β of value-skip attention."""

    layers: tuple[Linear, ...]
    """Two per branch: queries, keys and values (3 width, width), then the attention's output; or the two of the
    feed-forward branch"""
    positions: int
    """Offset of the positions' vectors"""
    decaying: int
    """The number of parameters that decay, counted from the start"""
    gates: int
    """Offset of α (branches,), or -1"""
    mixtures: int
    """Offset of β (blocks,), or -1"""
    size: int

    def table(self) -> np.ndarray:
        """(layers, 4) of rows, columns, weight and bias, for the kernels."""
        return np.array([[layer.rows, layer.columns, layer.weight, layer.bias] for layer in self.layers])


@cache
def make_layout(model: LanguageModel) -> Layout:
    """The layout of a model."""
    shapes = model.blocks * [
        (3 * model.width, model.width),
        (model.width, model.width),
        (model.hidden, model.width),
        (model.width, model.hidden),
    ]
    positions = model.symbols * model.width
    place = first = positions + model.context * model.width
    decaying = first + sum(rows * columns for rows, columns in shapes)
    bias = decaying
    layers: list[Linear] = []
    for rows, columns in shapes:
        layers.append(Linear(rows, columns, place, bias))
        place, bias = place + rows * columns, bias + rows
    gates = bias if model.skip == "rezero" else -1
    end = bias + (model.branches if gates >= 0 else 0)
    mixtures = end if model.attention == "value-skip" else -1
    return Layout(tuple(layers), positions, decaying, gates, mixtures, end + (model.blocks if mixtures >= 0 else 0))
