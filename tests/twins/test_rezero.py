"""The twin of the figure `rezero` in JavaScript makes of a run what Python makes of it, to the last bit."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.depth.rezero import RezeroView
from sims.simulations.depth.rezero import Factors, Rezero
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures, observed
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

COUNT = drawn(60)
STEPS = 6
"""One more than between two looks of the shortest run"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Rezero.param[name]) for name in Rezero().settings()},
    "blocks": [12, 12, 32],
    "learning_rate": Rezero.param.learning_rate.objects,
    "training_steps": Rezero.param.training_steps.objects,
    "seeds": [1, 2, 3, 4, 5],
}


def runs_of_every_kind() -> Iterator[Given]:
    """A few real runs, and many with random measurements."""
    for settings in ({}, {"mirrored": True, "seeds": 2}):
        simulation = Rezero(**{"blocks": 12, "training_steps": 200} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield _given(simulation, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        simulation = Rezero(**{name: choose.choice(values) for name, values in SETTINGS.items()})
        end = simulation.training_steps
        yield _given(simulation, _random_state(random, simulation, choose.choice([0, 1, end // 2, end])))


def _given(simulation: Rezero, state: Factors) -> Given:
    measures = observed.rezero(simulation, state)
    return Given(simulation, state, {"rezero": state.rezero, "zero": state.zero}, measures)


def _random_state(random: np.random.Generator, simulation: Rezero, step: int) -> Factors:
    start = simulation.start()
    rezero, zero = (drawn_at_random(random, run, step) for run in (start.rezero, start.zero))
    size = 10.0 ** random.integers(-6, 3)
    shape = len(rezero.seeds), simulation.blocks
    rezero.parameters[:, -simulation.blocks :] = _factors(random, size, shape)
    steps = tuple(record.step for record in rezero.records)
    return Factors(rezero, zero, steps, tuple(_factors(random, size, shape) for _ in steps))


def _factors(random: np.random.Generator, size: float, shape: tuple[int, int]) -> np.ndarray:
    drawn = size * random.normal(size=shape).astype(np.float32).astype(float)
    return np.where(random.random(shape) < random.choice([0, 0.1]), random.choice([0, np.nan]), drawn)


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(RezeroView(Rezero()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    pass


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {len(frame["diverged"]) for frame in frames} == {0, 1, 2}
    assert {frame["results"]["below"] == 0 for frame in frames} == {True, False}
