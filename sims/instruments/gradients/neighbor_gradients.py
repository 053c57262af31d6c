"""How much gradients of untrained ReLU networks at neighboring inputs resemble each other, in NumPy.

A block has one layer with He's weights and a ReLU. Inputs lie on an arc, so that all have the same length.
"""

from dataclasses import dataclass

import numpy as np

CONNECTIONS = ("plain", "residual", "scaled", "normalized")
"""F(h); h + F(h); h + F(h)/√depth; h + F(h / rms(h))"""


@dataclass(frozen=True)
class Stack:
    """The weights (depth, width, width) of a stack, and the projection (width,) that turns its output into one
    number."""

    weights: np.ndarray
    head: np.ndarray

    @classmethod
    def drawn(cls, depth: int, width: int, generator: np.random.Generator) -> "Stack":
        """Draw normal weights of variance 2/width."""
        weights = generator.standard_normal((depth, width, width)) * np.sqrt(2 / width)
        return cls(weights, generator.standard_normal(width))


def arc(degrees: np.ndarray, width: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Inputs on a circle of radius √width at these angles, and the directions along it, both (angles, width)."""
    one, other = np.linalg.qr(generator.standard_normal((width, 2)))[0].T * np.sqrt(width)
    angle = np.radians(degrees)[:, None]
    return np.cos(angle) * one + np.sin(angle) * other, np.cos(angle) * other - np.sin(angle) * one


def gradients(stack: Stack, connection: str, points: np.ndarray) -> np.ndarray:
    """The gradient of the network's scalar output with respect to its input at `points` (count, width); same shape.

    Raises ValueError for an unknown connection.
    """
    if connection not in CONNECTIONS:
        raise ValueError(f"{connection!r} is not one of {', '.join(CONNECTIONS)}")
    skip, normalized = float(connection != "plain"), connection == "normalized"
    factor = len(stack.weights) ** -0.5 if connection == "scaled" else 1.0
    cache = []
    for weights in stack.weights:
        size = np.sqrt(np.square(points).mean(axis=1, keepdims=True)) if normalized else np.ones((1, 1))
        inside = points / size
        hidden = inside @ weights.T
        cache.append((inside, size, hidden > 0))
        points = skip * points + factor * np.maximum(hidden, 0)
    back = np.broadcast_to(stack.head, points.shape)
    for weights, (inside, size, awake) in zip(stack.weights[::-1], reversed(cache), strict=True):
        through = (factor * back * awake) @ weights
        if normalized:
            through = (through - inside * (through * inside).mean(axis=1, keepdims=True)) / size
        back = skip * back + through
    return back


def autocorrelation(found: np.ndarray, lags: int) -> np.ndarray:
    """Mean cosine between gradients (inputs, width) that are 0 to lags − 1 inputs apart; a zero gradient counts as
    0."""
    length = np.linalg.norm(found, axis=1, keepdims=True)
    unit = np.divide(found, length, out=np.zeros_like(found), where=length > 0)
    cosines = unit @ unit.T
    return np.array([np.diagonal(cosines, lag).mean() for lag in range(lags)])
