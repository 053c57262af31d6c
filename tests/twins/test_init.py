"""The twin of the figure `init` in JavaScript makes of a run what Python makes of it, to the last bit."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.design_choices.init import InitView
from sims.simulations.design_choices.init import EARLY, SEEN, SIDE, Init, Runs
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures, observed
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

COUNT = drawn(60)
STEPS = 6
"""Neither a step of a comparison nor one of a record"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Init.param[name]) for name in Init().settings()},
    "blocks": [2, 4, 16],
    "learning_rate": Init.param.learning_rate.objects,
    "width": [8, 16],
    "training_steps": Init.param.training_steps.objects,
    "seeds": [1, 2, 3, 4, 5],
}


def runs_of_every_kind() -> Iterator[Given]:
    """A few real runs, and many with random measurements."""
    for settings in ({}, {"optimizer": "sgd", "data": "digits", "seeds": 2, "look": "gpt2"}):
        simulation = Init(**{"blocks": 4, "width": 8, "training_steps": 300} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, 1), simulation.advance(start, STEPS)):
            yield _given(simulation, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        simulation = Init(**{name: choose.choice(values) for name, values in SETTINGS.items()})
        end = simulation.training_steps
        yield _given(simulation, _random_state(random, simulation, choose.choice([0, 1, end // 2, end])))


def _given(simulation: Init, state: Runs) -> Given:
    return Given(simulation, state, state.of, observed.init(simulation, state))


def _random_state(random: np.random.Generator, simulation: Init, step: int) -> Runs:
    runs = {name: drawn_at_random(random, run, step) for name, run in simulation.start().of.items()}
    recorded = {record.step for record in runs["usual"].records}
    compared = sorted({early for early in EARLY if early <= step} | recorded)
    size, odd = 10.0 ** random.integers(-8, 3), random.choice([0, 0, 0.3])
    shape = len(compared), simulation.seeds
    apart = (size * random.random(shape)).astype(np.float32)
    apart = np.where(random.random(shape) < odd, random.choice(np.array([np.nan, np.inf, 0], np.float32), shape), apart)
    maps = random.integers(-1, 10, (sum(early <= step for early in SEEN), 2, SIDE, SIDE), np.int8)
    return Runs(runs, tuple(apart), tuple(compared), tuple(maps))


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(InitView(Init()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    pass


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {len(frame["diverged"]) > 1 for frame in frames} == {True, False}
    assert {frame["results"]["apart"] == 0 for frame in frames} == {True, False}
