"""The recipes whose stacks are trained: their initial rules, and the factors that each of them learns."""

from collections.abc import Mapping
from dataclasses import dataclass

from sims.comparisons.scalings import SCALINGS, scaled
from sims.instruments.training.stack_run import BLOCK, CHANNELS, FIXUP, StackSetup


@dataclass(frozen=True)
class TrainedRecipe:
    """A recipe's name, and what it learns in addition to the weights, in the words of `StackSetup.learned`."""

    label: str
    learned: str = ""


RECIPES: Mapping[str, TrainedRecipe] = {
    "one": TrainedRecipe("α = 1"),
    "root": TrainedRecipe("1/√L"),
    "inverse": TrainedRecipe("1/L"),
    "fixup": TrainedRecipe("Fixup", FIXUP),
    "rezero": TrainedRecipe("ReZero", BLOCK),
    "layer-scale": TrainedRecipe("LayerScale", CHANNELS),
    "pre": TrainedRecipe("Pre-LN"),
    "layer-norm-scaling": TrainedRecipe("LayerNorm Scaling"),
    "post": TrainedRecipe("Post-LN"),
    "deep": TrainedRecipe("DeepNorm"),
}
"""Key → recipe; all keys but the first are keys of `SCALINGS`"""


def setup(recipe: str, blocks: int, learning_rate: float, seeds: tuple[int, ...]) -> StackSetup:
    """Return the setup of a run with a recipe. Raises KeyError for an unknown recipe."""
    learned = RECIPES[recipe].learned
    rules = scaled(1.0) if recipe == "one" else SCALINGS[recipe].rules(blocks)
    return StackSetup(rules, learned, blocks, learning_rate, seeds)
