"""Which points make up which batch."""

import numpy as np

from sims.training.recipe import Recipe


def batches(recipe: Recipe, seed: int, points: int, first: int, steps: int) -> np.ndarray:
    """Which of `points` training points make up the batches of the steps first + 1 … first + steps: (steps, batch).

    A function of its arguments alone: the order of an epoch comes from the seed and the number of the epoch.
    """
    if recipe.batch is None or recipe.batch >= points:
        return np.tile(np.arange(points), (steps, 1))
    per_epoch = points // recipe.batch
    epochs = range(first // per_epoch, (first + steps - 1) // per_epoch + 1)
    orders = [np.random.default_rng((seed, 1, epoch)).permutation(points) for epoch in epochs]
    rows = np.concatenate([each[: per_epoch * recipe.batch].reshape(per_epoch, recipe.batch) for each in orders])
    skipped = first - epochs[0] * per_epoch
    return rows[skipped : skipped + steps]
