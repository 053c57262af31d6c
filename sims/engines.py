"""One door to both trainers: a network of either kind is started and taken onward the same way."""

from collections.abc import Sequence

from sims import training, transformers
from sims.data import Source
from sims.training import Architecture, Recipe
from sims.transformers import Transformer

Run = training.State | transformers.State


def begin(architecture: Architecture | Transformer, recipe: Recipe, data: Source, seeds: Sequence[int]) -> Run:
    """The networks of all seeds before their first step."""
    if isinstance(architecture, Transformer):
        return transformers.start(architecture, recipe, data, tuple(seeds))
    return training.start(architecture, recipe, data, tuple(seeds))


def onward(run: Run, steps: int) -> Run:
    """The same networks `steps` steps later."""
    if isinstance(run, transformers.State):
        return transformers.advance(run, steps)
    return training.advance(run, steps)
