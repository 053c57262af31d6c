"""Residual networks in the plane, x ← x + h·tanh(W x), with more and more blocks: many depths computed together.

With h = 1/L and weights that change smoothly with depth, L blocks are L Euler steps of the differential equation
dx/dt = tanh(W(t) x) from t = 0 to 1.
"""

from collections.abc import Sequence

import numpy as np

STRENGTH = 2.0
"""Standard deviation of a weight"""

FACTORS = {"1/L": 1.0, "1/√L": 0.5, "1": 0.0}
"""Label of a factor → its power of 1/L"""

STEPS = 256
"""Steps of the Runge–Kutta method: so many that its error is far below every difference measured here"""


def ring(points: int) -> np.ndarray:
    """Starting points (points, 2), evenly on the unit circle."""
    angle = 2 * np.pi * np.arange(points) / points
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def curve(seed: int, places: np.ndarray) -> np.ndarray:
    """Weights (places, 2, 2) that change smoothly with depth, at depths from 0 to 1: half a turn between two random
    draws."""
    one, other = np.random.default_rng((seed, 0)).normal(0, STRENGTH, (2, 2, 2))
    angle = np.pi * np.asarray(places, float)[:, None, None]
    return np.cos(angle) * one + np.sin(angle) * other


def weights(kind: str, blocks: int, seed: int) -> np.ndarray:
    """The weights of one network, (blocks, 2, 2): "smooth" in depth, or "independent" for each block and each depth.

    Raises ValueError for another kind.
    """
    if kind == "smooth":
        return curve(seed, np.arange(blocks) / blocks)
    if kind != "independent":
        raise ValueError(f"weights are smooth or independent, not {kind!r}")
    return np.random.default_rng((seed, blocks)).normal(0, STRENGTH, (blocks, 2, 2))


def streams(kind: str, power: float, blocks: int, seed: int, start: np.ndarray) -> np.ndarray:
    """The stream (blocks + 1, points, 2) of one network whose branches are multiplied by blocks^−power."""
    x = [start]
    for weight in weights(kind, blocks, seed):
        x.append(x[-1] + blocks**-power * np.tanh(x[-1] @ weight.T))
    return np.stack(x)


def ends(kind: str, power: float, depths: Sequence[int], seed: int, start: np.ndarray) -> np.ndarray:
    """The last streams (depths, points, 2) of networks of these depths, carried through their blocks together."""
    longest = max(depths)
    padded = np.zeros((longest, len(depths), 2, 2))
    for place, blocks in enumerate(depths):
        # A shallower network is padded with blocks of zeros, which pass their input on unchanged.
        padded[:blocks, place] = weights(kind, blocks, seed).transpose(0, 2, 1)
    factors = np.array([float(blocks) ** -power for blocks in depths])[:, None, None]
    x = np.broadcast_to(start, (len(depths), *start.shape))
    for matrices in padded:
        x = x + factors * np.tanh(x @ matrices)
    return x


def solution(seed: int, start: np.ndarray) -> np.ndarray:
    """The path (STEPS + 1, points, 2) of the differential equation from `start`, by the classical Runge–Kutta
    method."""
    w = curve(seed, np.arange(2 * STEPS + 1) / (2 * STEPS)).transpose(0, 2, 1)
    h, x = 1 / STEPS, [start]
    for step in range(0, 2 * STEPS, 2):
        first = np.tanh(x[-1] @ w[step])
        second = np.tanh((x[-1] + h / 2 * first) @ w[step + 1])
        third = np.tanh((x[-1] + h / 2 * second) @ w[step + 1])
        fourth = np.tanh((x[-1] + h * third) @ w[step + 2])
        x.append(x[-1] + h / 6 * (first + 2 * second + 2 * third + fourth))
    return np.stack(x)


def distance(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Root mean square distance of points (…, points, 2), of shape (…)."""
    gaps: np.ndarray = np.sqrt(np.square(one - other).sum(axis=-1).mean(axis=-1))
    return gaps
