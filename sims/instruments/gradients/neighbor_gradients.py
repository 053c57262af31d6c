"""How much gradients of untrained ReLU networks at neighboring inputs resemble each other, in NumPy.

Blocks have normal weights with which a branch is about as strong as what it gets. Inputs lie on an arc, so that all
have the same length.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

CONNECTIONS = ("plain", "residual", "scaled", "normalized")
"""F(h); h + F(h); h + F(h)/√depth; h + F(h / rms(h))"""

BRANCHES = ("relu", "linear", "two-layer")
"""F(h): ReLU(W h), which can only add; W ReLU(h); V ReLU(W h)"""


@dataclass(frozen=True)
class Stack:
    """The weights (depth, width, width) of a stack, and the projection (width,) that turns its output into one
    number. `second`, like `weights`, are those of the second layers, where a branch has two."""

    weights: np.ndarray
    head: np.ndarray
    second: np.ndarray

    @classmethod
    def drawn(cls, depth: int, width: int, generator: np.random.Generator) -> "Stack":
        """Draw normal weights of variance 2/width, and 1/width for second layers, which no ReLU follows."""
        weights = generator.standard_normal((depth, width, width)) * np.sqrt(2 / width)
        head = generator.standard_normal(width)
        return cls(weights, head, generator.standard_normal((depth, width, width)) / np.sqrt(width))


class Passage(NamedTuple):
    """What one block keeps for its backward pass: its branch's input and the size it was divided by, and where the ReLU
    let something through."""

    inside: np.ndarray
    size: np.ndarray
    awake: np.ndarray


def arc(degrees: np.ndarray, width: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Inputs on a circle of radius √width at these angles, and the directions along it, both (angles, width)."""
    one, other = np.linalg.qr(generator.standard_normal((width, 2)))[0].T * np.sqrt(width)
    angle = np.radians(degrees)[:, None]
    return np.cos(angle) * one + np.sin(angle) * other, np.cos(angle) * other - np.sin(angle) * one


def forward(
    stack: Stack, connection: str, points: np.ndarray, branch: str = "relu"
) -> tuple[np.ndarray, list[Passage]]:
    """The states of `points` (count, width) after the last block, same shape, and what each block keeps.

    Raises ValueError for an unknown connection or branch.
    """
    for name, known in ((connection, CONNECTIONS), (branch, BRANCHES)):
        if name not in known:
            raise ValueError(f"{name!r} is not one of {', '.join(known)}")
    skip, factor = _weights_in_the_sum(stack, connection)
    passages = []
    for weights, second in zip(stack.weights, stack.second, strict=True):
        normalized = connection == "normalized"
        size = np.sqrt(np.square(points).mean(axis=1, keepdims=True)) if normalized else np.ones((1, 1))
        inside = points / size
        before = inside if branch == "linear" else inside @ weights.T
        passages.append(Passage(inside, size, before > 0))
        after = np.maximum(before, 0)
        if branch != "relu":
            after = after @ (weights if branch == "linear" else second).T
        points = skip * points + factor * after
    return points, passages


def gradients(stack: Stack, connection: str, points: np.ndarray, branch: str = "relu") -> np.ndarray:
    """The gradient of the network's scalar output with respect to its input at `points` (count, width); same shape.

    Raises ValueError for an unknown connection or branch.
    """
    _, activations = forward(stack, connection, points, branch)
    skip, factor = _weights_in_the_sum(stack, connection)
    back = np.broadcast_to(stack.head, points.shape)
    blocks = zip(stack.weights[::-1], stack.second[::-1], reversed(activations), strict=True)
    for weights, second, (inside, size, awake) in blocks:
        through = factor * back
        if branch != "relu":
            through = through @ (weights if branch == "linear" else second)
        through = through * awake
        if branch != "linear":
            through = through @ weights
        if connection == "normalized":
            through = (through - inside * (through * inside).mean(axis=1, keepdims=True)) / size
        back = skip * back + through
    return back


def _weights_in_the_sum(stack: Stack, connection: str) -> tuple[float, float]:
    """What multiplies the skip, and what the branch."""
    return float(connection != "plain"), len(stack.weights) ** -0.5 if connection == "scaled" else 1.0


def autocorrelation(values: np.ndarray, lags: int) -> np.ndarray:
    """Mean cosine between gradients (inputs, width) that are 0 to lags − 1 inputs apart; a zero gradient counts as
    0."""
    length = np.linalg.norm(values, axis=1, keepdims=True)
    unit = np.divide(values, length, out=np.zeros_like(values), where=length > 0)
    cosines = unit @ unit.T
    return np.array([np.diagonal(cosines, lag).mean() for lag in range(lags)])
