"""The batches of several seeds that train side by side."""

from collections.abc import Sequence

import numpy as np

from sims.engines import stretch
from sims.engines.recipe import Recipe


def seed_batches(seeds: Sequence[int], points: int, batch: int, step: int, steps: int) -> np.ndarray:
    """Indices (steps, seeds, batch) of the next points, out of `points`; each seed's are those that the engines
    draw."""
    recipe = Recipe(batch=batch)
    return np.stack([stretch.batches(recipe, seed, points, step, steps) for seed in seeds], axis=1)
