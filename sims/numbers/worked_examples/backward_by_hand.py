"""The worked examples of the page on the backward pass: a block of two inputs."""

import numpy as np

from sims.contract.calculation import Number, calculation
from sims.contract.wording import vector

INPUT = np.array([1.0, 2.0])
SECOND = np.array([[0.5, 0.0], [1.0, -1.0]])
"""W₂ of the block y = x + W₂ ReLU(W₁ x)"""

EXACT = ".10g"


@calculation
def small_block(
    what: str, a: float = 1, b: float = 0.5, c: float = -0.5, d: float = 1, first: float = 1, second: float = -2
) -> Number:
    """A tensor or gradient of the block with W₁ = [a, b; c, d] and the upstream gradient [first, second], as text.

    Forward "z", "h", "branch", "y"; back "dh", "dz", "dW2", "dW1", "by branch", "dx". The mask is 1 where z > 0.
    """
    return vector(_passed(np.array([[a, b], [c, d]]), np.array([first, second]))[what], EXACT)


def _passed(weights: np.ndarray, upstream: np.ndarray) -> dict[str, np.ndarray]:
    z = weights @ INPUT
    h = np.maximum(z, 0)
    dh = SECOND.T @ upstream
    dz = dh * (z > 0)
    return {
        "z": z,
        "h": h,
        "branch": SECOND @ h,
        "y": INPUT + SECOND @ h,
        "dh": dh,
        "dz": dz,
        "dW2": np.outer(upstream, h),
        "dW1": np.outer(dz, INPUT),
        "by branch": weights.T @ dz,
        "dx": upstream + weights.T @ dz,
    }


@calculation
def nudged(a: float = 1, b: float = 0.5, c: float = -0.5, d: float = 1, first: float = 1, second: float = -2) -> Number:
    """The slopes of the block's loss along its two inputs by central differences, rounded to 8 digits, as text."""
    weights, upstream = np.array([[a, b], [c, d]]), np.array([first, second])

    def loss(x: np.ndarray) -> float:
        return float(upstream @ (x + SECOND @ np.maximum(weights @ x, 0)))

    slopes = [(loss(INPUT + move) - loss(INPUT - move)) / 2e-6 for move in 1e-6 * np.eye(2)]
    return vector(np.round(slopes, 8) + 0.0, EXACT)
