"""Skips that can erase: x ← (I − β k kᵀ) x + β k v with ‖k‖ = 1, one after another (Zhang et al. 2601.00417)."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

WIDTH, POINTS, BLOCKS = 16, 64, 128
"""Width of a stream, streams that pass a chain at once, and blocks of a chain"""


@dataclass(frozen=True)
class Draw:
    """The random numbers of a seed."""

    streams: np.ndarray
    """(POINTS, WIDTH) initial streams, with a root mean square of 1 over all of them"""
    directions: np.ndarray
    """(BLOCKS, WIDTH) the k of every block, of norm 1 and with uniformly random direction"""
    values: np.ndarray
    """(BLOCKS, POINTS) the v of every block and stream, standard normal"""


@lru_cache(maxsize=16)
def draw(seed: int) -> Draw:
    """Draw the random numbers of a chain; they are the same for every β and every size of v."""
    random = np.random.default_rng(seed)
    streams = random.normal(size=(POINTS, WIDTH))
    directions = random.normal(size=(BLOCKS, WIDTH))
    return Draw(
        streams / np.sqrt(np.square(streams).mean()),
        directions / np.linalg.norm(directions, axis=1, keepdims=True),
        random.normal(size=(BLOCKS, POINTS)),
    )


def skip_matrix(beta: float, direction: np.ndarray) -> np.ndarray:
    """I − β k kᵀ, shape (width, width), for a direction k of norm 1."""
    matrix: np.ndarray = np.eye(len(direction)) - beta * np.outer(direction, direction)
    return matrix


def delta_sizes(betas: np.ndarray, value: float, seed: int) -> np.ndarray:
    """(betas, BLOCKS + 1) root mean square of the streams along the chain; `value` is the size of the v."""
    return _sizes(betas, betas, value, seed)


def add_sizes(betas: np.ndarray, value: float, seed: int) -> np.ndarray:
    """The same, (betas, BLOCKS + 1), for blocks that only add what the others write, β k v, and erase nothing."""
    return _sizes(np.zeros_like(betas), betas, value, seed)


def _sizes(erased: np.ndarray, written: np.ndarray, value: float, seed: int) -> np.ndarray:
    sample = draw(seed)
    streams = np.tile(sample.streams, (len(erased), 1, 1))
    sizes = [_size(streams)]
    for direction, values in zip(sample.directions, value * sample.values, strict=True):
        along = written[:, None] * values - erased[:, None] * (streams @ direction)
        streams = streams + along[..., None] * direction
        sizes.append(_size(streams))
    return np.stack(sizes, axis=1)


def _size(streams: np.ndarray) -> np.ndarray:
    sizes: np.ndarray = np.sqrt(np.square(streams).mean(axis=(1, 2)))
    return sizes


def delta_law(beta: float, value: float, blocks: int) -> float:
    """The expected root mean square after `blocks` blocks, from the mean of its square over random k and v.

    A block keeps (1 − β)² of the mean square along its k, which is one direction of `WIDTH`, and adds β²v² there. So m
    ← m + (β²v² − β(2 − β)m)/WIDTH.
    """
    forgets, gains = beta * (2 - beta) / WIDTH, (beta * value) ** 2 / WIDTH
    if forgets == 0:
        return float((1 + gains * blocks) ** 0.5)
    end = gains / forgets
    return float((end + (1 - end) * (1 - forgets) ** blocks) ** 0.5)


def add_law(beta: float, value: float, blocks: int) -> float:
    """The same for blocks that only add: the mean square is 1 + β²v² · blocks/WIDTH."""
    return float((1 + (beta * value) ** 2 * blocks / WIDTH) ** 0.5)
