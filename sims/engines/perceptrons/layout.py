"""The offset of every parameter of a perceptron in the one vector that the optimizer updates."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from sims.engines.perceptrons.architecture import Architecture


@dataclass(frozen=True)
class Linear:
    """A linear layer: its weight matrix (rows, columns) from offset `weight` on, its bias from `bias` (-1: none)."""

    rows: int
    columns: int
    weight: int
    bias: int

    @property
    def end(self) -> int:
        """The offset after its last parameter."""
        return self.weight + self.rows * self.columns if self.bias < 0 else self.bias + self.rows

    def weights(self, parameters: np.ndarray) -> np.ndarray:
        """The weight matrices (..., rows, columns) in parameter vectors (..., P): a view for reading or writing."""
        matrices = parameters[..., self.weight : self.weight + self.rows * self.columns]
        return matrices.reshape(*parameters.shape[:-1], self.rows, self.columns)

    def biases(self, parameters: np.ndarray) -> np.ndarray:
        """The biases (..., rows) in parameter vectors (..., P), as a view; (..., 0) if there are none."""
        return parameters[..., self.weight + self.rows * self.columns : self.end]

    def numbers(self, parameters: np.ndarray) -> np.ndarray:
        """Weights and then biases, (..., end − weight), in parameter vectors (..., P): a view."""
        return parameters[..., self.weight : self.end]


@dataclass(frozen=True)
class Layout:
    """All linear layers of a network, stem to head, then the gates of highway blocks or the linear maps on the skips,
    then the factors of rezero."""

    layers: tuple[Linear, ...]
    gates: tuple[Linear, ...]
    factors: int
    """Offset of rezero's factors, one per block; equal to `size` if there are none"""
    size: int
    """The network's number of parameters"""

    def table(self) -> np.ndarray:
        """(layers + gates, 4) of rows, columns, weight and bias, for the kernels."""
        return np.array(
            [[layer.rows, layer.columns, layer.weight, layer.bias] for layer in (*self.layers, *self.gates)]
        )


@cache
def make_layout(architecture: Architecture, inputs: int, outputs: int) -> Layout:
    """Return the layout of a network for points of `inputs` features and `outputs` outputs."""
    a = architecture
    # Batch norm subtracts the mean, so a bias before it would have no effect.
    biased = a.norm != "batch"
    shapes = [(a.width, inputs, biased)]
    for block in range(a.blocks):
        if a.skip == "dense":
            shapes.append((a.growth, a.width + block * a.growth, biased))
        else:
            shapes += [(a.width, a.width, biased)] * a.layers_per_block
    shapes.append((outputs, a.last_width, True))
    layers = _assign_offsets(shapes, 0)
    gates = _assign_offsets(
        [(a.width, a.width, True)] * (a.blocks if a.skip in ("highway", "linear") else 0), layers[-1].end
    )
    factors = gates[-1].end if gates else layers[-1].end
    return Layout(layers, gates, factors, factors + (a.blocks if a.skip == "rezero" else 0))


def _assign_offsets(shapes: list[tuple[int, int, bool]], offset: int) -> tuple[Linear, ...]:
    assigned: list[Linear] = []
    for rows, columns, biased in shapes:
        weight = assigned[-1].end if assigned else offset
        assigned.append(Linear(rows, columns, weight, weight + rows * columns if biased else -1))
    return tuple(assigned)
