"""The batches of several seeds that train at the same time."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sims.engines import segment
from sims.engines.recipe import Recipe


def seed_batches(seeds: Sequence[int], points: int, batch: int, step: int, steps: int) -> np.ndarray:
    """Indices (steps, seeds, batch) of the points in the next `steps` batches, from 0 to `points` - 1, drawn for each
    seed as the engines draw them."""
    if steps <= 0:
        return np.empty((0, len(seeds), batch), np.int64)
    recipe = Recipe(batch=batch)
    return np.stack([segment.batches(recipe, seed, points, step, steps) for seed in seeds], axis=1)


def fresh_batches(
    seeds: Sequence[int], stream: int, step: int, steps: int, draw: Callable[[np.random.Generator], np.ndarray]
) -> Iterator[np.ndarray]:
    """Yield what `draw` returns, (seeds, batch), for each of the next `steps` steps. Every seed, step and `stream` has
    its own generator."""
    for number in range(step + 1, step + steps + 1):
        yield np.stack([draw(np.random.default_rng((seed, stream, number))) for seed in seeds])
