"""Compiling the kernels ahead of the first reader."""

from sims.training.architecture import Architecture
from sims.training.engine import advance, predict, start
from sims.training.recipe import Recipe


def warm() -> None:
    """Compile everything that a run in single precision calls, or load it from the disk."""
    state = advance(start(Architecture(depth=2), Recipe(batch=16), "spirals", (0,)), 1)
    predict(state, state.source.load().test_inputs)
