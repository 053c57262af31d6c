"""The batches of several seeds that train side by side."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sims.engines import stretch
from sims.engines.recipe import Recipe


def seed_batches(seeds: Sequence[int], points: int, batch: int, step: int, steps: int) -> np.ndarray:
    """Numbers (steps, seeds, batch) of the points, of so many, that come next: for each seed as the engines draw
    them."""
    if steps <= 0:
        return np.empty((0, len(seeds), batch), np.int64)
    recipe = Recipe(batch=batch)
    return np.stack([stretch.batches(recipe, seed, points, step, steps) for seed in seeds], axis=1)


def fresh_batches(
    seeds: Sequence[int], stream: int, step: int, steps: int, draw: Callable[[np.random.Generator], np.ndarray]
) -> Iterator[np.ndarray]:
    """What `draw` draws for each of the steps that come next, (seeds, batch): every seed and step has a generator of
    its own, and another one in every `stream`."""
    for number in range(step + 1, step + steps + 1):
        yield np.stack([draw(np.random.default_rng((seed, stream, number))) for seed in seeds])
