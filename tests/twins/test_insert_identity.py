"""The twin of the figure `insert_identity` in JavaScript makes of a run what Python makes of it, to the last bit."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.depth.insert_identity import InsertIdentityView
from sims.simulations.depth import insert_identity
from sims.simulations.depth.insert_identity import Cut, InsertIdentity
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures, observed
from tests.twins.figures import Given, Pairs
from tests.twins.runs import ODD, drawn_at_random

COUNT = drawn(60)
STEPS = 9
"""One more than between two records of the shortest run"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(InsertIdentity.param[name]) for name in InsertIdentity().settings()},
    "inserted": [0, 1, 2, 36, 60],
    "training_steps": InsertIdentity.param.training_steps.objects,
    "seeds": [1, 2, 3, 4, 5],
}


def runs_of_every_kind() -> Iterator[Given]:
    """A few real runs, and many with random measurements."""
    for settings in ({}, {"weights": "random", "seeds": 2}, {"data": "digits", "inserted": 0}):
        simulation = InsertIdentity(**{"inserted": 8, "training_steps": 200} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield _given(simulation, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        simulation = InsertIdentity(**{name: choose.choice(values) for name, values in SETTINGS.items()})
        end = simulation.training_steps
        yield _given(simulation, _random_state(random, simulation, choose.choice([0, 1, end // 2, end])))


def _given(simulation: InsertIdentity, state: Cut) -> Given:
    return Given(simulation, state, {"deep": state.deep}, observed.insert_identity(simulation, state))


def _random_state(random: np.random.Generator, simulation: InsertIdentity, step: int) -> Cut:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(insert_identity, "FIRST_STEPS", 1)
        start = simulation.start()
    deep = drawn_at_random(random, start.deep, step)
    if random.random() < 0.2:
        deep = replace(deep, parameters=deep.parameters * random.choice(np.array([0, np.nan], np.float32)))
    shallow = replace(start.shallow, now=drawn_at_random(random, start.deep, 0).now)
    return Cut(
        shallow=shallow,
        deep=deep,
        change=np.abs(_often(random, random.choice([0, np.nan]), _singles(random, start.change.shape))),
        outputs=_often(random, random.choice(ODD), _singles(random, start.outputs.shape)),
        activations=_often(random, random.choice(ODD), np.abs(_singles(random, start.activations.shape))),
    )


def _singles(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    sizes: np.ndarray = random.normal(size=shape) * 10.0 ** random.integers(-12, 12)
    return sizes.astype(np.float32)


def _often(random: np.random.Generator, odd: float, values: np.ndarray) -> np.ndarray:
    return np.where(random.random(values.shape) < random.choice([0, 0.4, 1]), np.float32(odd), values)


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(InsertIdentityView(InsertIdentity()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    pass


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {len(frame["diverged"]) for frame in frames} == {0, 1}
    assert {frame["results"]["change"] == 0 for frame in frames} == {True, False}
