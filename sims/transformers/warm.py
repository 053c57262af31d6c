"""Compiling the kernels ahead of the first reader."""

from sims.data import source
from sims.training.recipe import Recipe
from sims.transformers.architecture import Transformer
from sims.transformers.engine import advance, start


def warm() -> None:
    """Compile everything that a run in single precision calls, or load it from the disk."""
    advance(start(Transformer(depth=2), Recipe("adam", 0.001, 16), source("spirals"), (0,)), 1)
