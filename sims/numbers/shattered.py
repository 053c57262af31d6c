"""Shattered gradients: how little the gradients at two neighboring inputs resemble each other (Balduzzi et al.
1702.08591), in untrained ReLU networks."""

import numpy as np

from sims.contract.calculation import calculation

WIDTH, STARTS = 128, 20
CONNECTIONS = ("plain", "residual", "normalized")
"""No skip; h + F(h); h + F(h / rms(h)), where a norm in front of every branch keeps its input at one size"""


def gradients(connection: str, depth: int, points: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """∂f/∂x at `points` (count, width), of the same shape, for f a random projection of the last of `depth` blocks.

    A branch is one layer with He's weights and a ReLU. Raises ValueError for an unknown connection.
    """
    if connection not in CONNECTIONS:
        raise ValueError(f"{connection!r} is not one of {', '.join(CONNECTIONS)}")
    skip, kept = float(connection != "plain"), []
    for _ in range(depth):
        weights = generator.normal(0, np.sqrt(2 / WIDTH), (WIDTH, WIDTH))
        size = np.sqrt((points**2).mean(axis=1, keepdims=True)) if connection == "normalized" else np.ones((1, 1))
        inside = points / size
        hidden = inside @ weights.T
        kept.append((weights, inside, size, hidden > 0))
        points = skip * points + np.maximum(hidden, 0)
    back = np.broadcast_to(generator.normal(size=WIDTH), points.shape)
    for weights, inside, size, awake in reversed(kept):
        through = (back * awake) @ weights
        if connection == "normalized":
            through = (through - inside * (through * inside).mean(axis=1, keepdims=True)) / size
        back = skip * back + through
    return back


@calculation(long=True)
def likeness(connection: str, depth: int, degrees: float = 10) -> float:
    """Cosine between the gradients at two inputs that many degrees apart, mean of 20 random starts; 1: the same."""
    angle = np.radians(degrees)
    found = []
    for seed in range(STARTS):
        generator = np.random.default_rng(seed)
        axes = np.linalg.qr(generator.normal(size=(WIDTH, 2)))[0].T * np.sqrt(WIDTH)
        points = np.stack([axes[0], np.cos(angle) * axes[0] + np.sin(angle) * axes[1]])
        one, other = gradients(connection, depth, points, generator)
        found.append(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
    return float(np.mean(found))
