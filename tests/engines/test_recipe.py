"""Recipes that cannot be followed are refused."""

from typing import Any

import pytest

from sims.engines.recipe import Recipe


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"optimizer": "adagrad"}, "must be one of sgd, momentum, adam"),
        ({"loss": "hinge"}, "must be one of cross-entropy, squared error"),
        ({"batch": 0}, "at least one point"),
        ({"warmup": -1}, "warmup at least 0"),
        ({"record_every": 0}, "record_every must be at least 1"),
        ({"clip": 0.0}, "clip must be positive"),
    ],
)
def test_an_impossible_recipe_is_refused_in_words(choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Recipe(**choices)
