"""One way to start, train and query perceptrons and transformers: calls go to the engine of the architecture."""

from collections.abc import Sequence

import numpy as np

from sims.data.datasets import Source
from sims.engines import perceptrons, transformers
from sims.engines.perceptrons import Architecture
from sims.engines.recipe import Recipe
from sims.engines.state import TrainingState
from sims.engines.transformers import Transformer


def start(
    architecture: Architecture | Transformer, recipe: Recipe, data: Source, seeds: Sequence[int]
) -> TrainingState[Architecture] | TrainingState[Transformer]:
    """Return the networks of all seeds before their first step."""
    if isinstance(architecture, Transformer):
        return transformers.start(architecture, recipe, data, tuple(seeds))
    return perceptrons.start(architecture, recipe, data, tuple(seeds))


def advance(run: TrainingState, steps: int) -> TrainingState:
    """Train the networks `steps` steps further and return the new state."""
    if isinstance(run.architecture, Transformer):
        return transformers.advance(run, steps)
    return perceptrons.advance(run, steps)


def predict(run: TrainingState, points: np.ndarray) -> np.ndarray:
    """Outputs (seeds, points, outputs) for points (points, features)."""
    if isinstance(run.architecture, Transformer):
        return transformers.predict(run, points)
    return perceptrons.predict(run, points)
