"""The twin of the figure `pollute` in JavaScript makes of a run what Python makes of it, to the last bit."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.shortcuts.pollute import PolluteView
from sims.simulations.shortcuts.pollute import Pollute, Runs
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

COUNT = drawn(60)
STEPS = 6
"""One more than between two records of the shortest run"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Pollute.param[name]) for name in Pollute().settings()},
    **{name: Pollute.param[name].objects for name in ("factor", "blocks", "dropped", "learning_rate")},
    "training_steps": Pollute.param.training_steps.objects,
    "seeds": [1, 2, 3, 4, 5],
}


def runs_of_every_kind() -> Iterator[Given]:
    """A few real runs, and many with random measurements."""
    for settings in ({}, {"pollutant": "linear", "seeds": 2}, {"pollutant": "dropout", "final_norm": False}):
        simulation = Pollute(**{"blocks": 4, "training_steps": 100} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield Given(simulation, state, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        simulation = Pollute(**{name: choose.choice(values) for name, values in SETTINGS.items()})
        end = simulation.training_steps
        state = _random_runs(random, simulation, choose.choice([0, 1, end // 2, end]))
        yield Given(simulation, state, state)


def _random_runs(random: np.random.Generator, simulation: Pollute, step: int) -> Runs:
    return {name: drawn_at_random(random, run, step) for name, run in simulation.start().items()}


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(PolluteView(Pollute()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    pass


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {len(frame["diverged"]) for frame in frames} == {0, 1, 2}
