"""What each recipe begins with."""

import pytest

from sims.comparisons.scalings import SCALINGS
from sims.comparisons.trained_recipes import RECIPES, setup
from sims.instruments.training.stack_run import begin


@pytest.mark.parametrize(
    ("recipe", "width", "start"), [("rezero", 1, 0.0), ("fixup", 1, 1.0), ("layer-scale", 32, 1e-4)]
)
def test_what_is_learned_starts_where_the_recipe_says(recipe: str, width: int, start: float) -> None:
    factor = begin(setup(recipe, 4, 0.001, (0, 1))).weights["factor"]
    assert factor.shape == (2, 4, width)
    assert factor == pytest.approx(start)


@pytest.mark.parametrize("recipe", [recipe for recipe in RECIPES if recipe != "one"])
def test_rules_and_names_are_those_of_the_towers(recipe: str) -> None:
    assert setup(recipe, 16, 0.001, (0,)).rules == SCALINGS[recipe].rules(16)
    assert RECIPES[recipe].label == SCALINGS[recipe].label


def test_there_is_no_other_recipe() -> None:
    with pytest.raises(KeyError):
        setup("inverted", 16, 0.001, (0,))
