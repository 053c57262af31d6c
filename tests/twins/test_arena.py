"""The twin of the figure `arena` in JavaScript makes of a race what Python makes of it: to the last bit, except where
it draws logarithms."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.design_choices.arena import ArenaView
from sims.comparisons.racer import SIDE, Racer
from sims.comparisons.standings import FINISH
from sims.simulations.design_choices.arena import Arena, Racers
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

CASES = drawn(40)
STEPS = 3
"""One more than between two records of the shortest race"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Arena.param[name]) for name in Arena().settings()},
    "depth": [4, 8, 64],
    "learning_rate": Arena.param.learning_rate.objects,
    "training_steps": [100, 250],
    "seeds": [1, 2, 3, 5],
}


def races_of_every_kind() -> Iterator[Given]:
    """A few real races, and many with random measurements, in which many seeds finish."""
    for settings in ({}, {"task": "digits", "field": "norms", "seeds": 1}, {"learning_rate": 0.1, "optimizer": "sgd"}):
        simulation = Arena(**{"depth": 4, "training_steps": 100} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield _given(simulation, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(CASES):
        settings = {name: choose.choice(values) for name, values in SETTINGS.items()}
        # A start of a deep network takes long, and its layers do not matter here.
        settings["depth"] = 4 if settings["field"] == "all" or choose.random() < 0.8 else settings["depth"]
        simulation = Arena(**settings)
        end = settings["training_steps"]
        step = choose.choice([0, 1, end // 2, end, end, end])
        yield _given(simulation, _random_state(random, simulation, step))


def _given(simulation: Arena, state: Racers) -> Given:
    runs = {name: lane.run for name, lane in state.items()}
    observed = {name: {"maps": np.array(lane.maps, np.uint8)} for name, lane in state.items()}
    return Given(
        simulation, state, runs, observed, milliseconds={name: lane.milliseconds for name, lane in state.items()}
    )


def _random_state(random: np.random.Generator, simulation: Arena, step: int) -> Racers:
    racing = random.choice([0.0, 0.5, 1.0])
    return {name: _random_lane(random, lane, step, racing) for name, lane in simulation.start().items()}


def _random_lane(random: np.random.Generator, lane: Racer, step: int, racing: float) -> Racer:
    run = drawn_at_random(random, lane.run, step)
    # Errors are shares of answers, so they are finite; around the finish line there are ties.
    errors = random.integers(0, 257, (len(run.records) + 1, len(run.seeds))) / 256
    if random.random() < racing:
        errors = FINISH * random.choice([0, 0.9, 1, 1.1, 9], errors.shape)
    records = [replace(record, train_error=now) for record, now in zip(run.records, errors[1:], strict=True)]
    run = replace(run, records=tuple(records), now=replace(run.now, train_error=errors[0]))
    maps = tuple(random.integers(0, 256, (SIDE, SIDE), np.uint8) for _ in run.records) if lane.maps else ()
    seconds = tuple(random.uniform(1e-5, 1e-2, random.integers(3)))
    return Racer(run, seconds, maps)


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(ArenaView(Arena()), races_of_every_kind())


class TestTwin(figures.SameAsPython):
    # The last digit of a logarithm is that of a library.
    alike = staticmethod(figures.near)


@pytest.mark.exhaustive
def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    sentences = " ".join(expected["description"] for expected, _ in pairs)
    for words in ("overflowed", "next to no gradient", "its loss has grown", "% wrong", "no network is across", "1. "):
        assert words in sentences
    shared = [expected["frame"]["quantities"]["places"]["values"].tolist() for expected, _ in pairs]
    assert any(places.count(1) == 1 for places in shared)
    assert any(places.count(1) > 1 for places in shared)
