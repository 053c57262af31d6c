"""The recipes whose stacks are trained: their rules at the start, and what each of them learns in front of a branch."""

from collections.abc import Mapping
from dataclasses import dataclass

from sims.comparisons.scalings import SCALINGS, scaled
from sims.instruments.training.stack_run import BLOCK, CHANNELS, FIXUP, StackSetup


@dataclass(frozen=True)
class TrainedRecipe:
    """A recipe's name, and what it learns besides the weights, as `StackSetup.learned` names it."""

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
"""Key, of `SCALINGS` but for the first → recipe"""


def setup(recipe: str, blocks: int, learning_rate: float, seeds: tuple[int, ...]) -> StackSetup:
    """What a run under a recipe starts with. Raises KeyError for an unknown recipe."""
    learned = RECIPES[recipe].learned
    rules = scaled(1.0) if recipe == "one" else SCALINGS[recipe].rules(blocks)
    return StackSetup(rules, learned, blocks, learning_rate, seeds)
