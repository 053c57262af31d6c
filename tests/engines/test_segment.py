"""A run pauses wherever a record is due, and before its first step nothing has been measured."""

from dataclasses import replace

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.recipe import Recipe
from sims.engines.segment import in_segments, unmeasured
from sims.engines.state import TrainingState


def begun(recipe: Recipe) -> TrainingState[str]:
    return unmeasured(np.ones((2, 5), np.float32), "any", recipe, source("spirals"), (4, 7), layers=3, positions=2)


@pytest.mark.parametrize(("first", "steps", "counts"), [(0, 7, [3, 3, 1]), (2, 5, [1, 3, 1]), (3, 3, [3]), (1, 0, [])])
def test_a_segment_ends_at_a_record_or_with_the_steps(first: int, steps: int, counts: list[int]) -> None:
    actual = []

    def advance(state: TrainingState[str], count: int) -> TrainingState[str]:
        actual.append(count)
        return replace(state, step=state.step + count)

    after = in_segments(replace(begun(Recipe(record_every=3)), step=first), steps, advance)
    assert actual == counts
    assert after.step == first + steps


@pytest.mark.parametrize(("optimizer", "columns"), [("sgd", (0, 0)), ("momentum", (5, 0)), ("adam", (5, 5))])
def test_an_optimizer_has_room_for_what_it_keeps(optimizer, columns) -> None:
    state = begun(Recipe(optimizer))
    assert (state.first_moment.shape[1], state.second_moment.shape[1]) == columns
    assert state.first_moment.dtype == np.float32
    assert state.losses.shape == (0, 2)
    assert state.now.weight_gradients.shape == (2, 3)
    assert state.now.activations.shape == (2, 2)
