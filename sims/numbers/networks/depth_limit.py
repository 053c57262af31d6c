"""The limit of a residual network as depth grows and branches shrink: a differential equation, or a random process.

Blocks are x ← x + h·tanh(W x), of width 8, from a fixed input.
"""

import numpy as np

from sims.contract.calculation import calculation

WIDTH, DRAWS = 8, 100


def end(weights: np.ndarray, factor: float) -> np.ndarray:
    """Return the stream after all blocks, (draws, width); `weights` has the shape (blocks, draws, width, width)."""
    x = np.ones((weights.shape[1], WIDTH))
    for weight in weights:
        x = x + factor * np.tanh(np.einsum("dij,dj->di", weight, x))
    return x


def smooth(blocks: int) -> np.ndarray:
    """Return weights that change smoothly with depth: one fixed curve of matrices, sampled at `blocks` points."""
    ends = np.random.default_rng(0).normal(0, 1 / np.sqrt(WIDTH), (2, WIDTH, WIDTH))
    angle = np.pi * np.arange(blocks)[:, None, None] / blocks
    curve = np.cos(angle) * ends[0] + np.sin(angle) * ends[1]
    return curve[:, None]


@calculation
def change(blocks: int) -> float:
    """The relative change of the final stream when the number of blocks doubles: smooth weights, factor 1/blocks."""
    one, other = (end(smooth(count), 1 / count) for count in (blocks, 2 * blocks))
    return float(np.linalg.norm(one - other) / np.linalg.norm(other))


@calculation(long=True)
def scatter(blocks: int, power: float) -> float:
    """Root mean square distance of the final stream from its mean, over that mean; 100 draws of independent weights.

    The factor is blocks^−power: 1/√blocks for 0.5, 1/blocks for 1.
    """
    generator = np.random.default_rng(0)
    weights = generator.normal(0, 1 / np.sqrt(WIDTH), (blocks, DRAWS, WIDTH, WIDTH))
    ends = end(weights, blocks**-power)
    middle = ends.mean(axis=0)
    return float(np.sqrt(((ends - middle) ** 2).sum(axis=1).mean()) / np.linalg.norm(middle))
