"""The twin of the figure `failures` in JavaScript makes of a run what Python makes of it: to the last bit, except where
it draws logarithms."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.depth.failures import FailuresView
from sims.contract.frame import Frame
from sims.data.datasets import source
from sims.instruments.networks.likeness import COMPARED, likeness_by_layer
from sims.simulations.depth.failures import CASES, MEANING, Failures, Opened
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Given, Pairs
from tests.twins.runs import ODD, drawn_at_random

COUNT = drawn(60)
STEPS = 13
"""One more than between two records of the shortest run"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Failures.param[name]) for name in Failures().settings()},
    "depth": [8, 20, 56],
    "learning_rate": Failures.param.learning_rate.objects,
    "training_steps": Failures.param.training_steps.objects,
    "seeds": [1, 2, 3, 4, 5],
}


def runs_of_every_kind() -> Iterator[Given]:
    """A few real runs, and many with random measurements, next to frames of the failures."""
    for settings in ({}, {"initialization": "default"}, {"norm": "pre-layer", "skip": "additive", "seeds": 2}):
        simulation = Failures(**{"depth": 10, "training_steps": 300} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield _given(simulation, state, {})
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        settings = {name: choose.choice(values) for name, values in SETTINGS.items()}
        if choose.random() < 0.4:
            settings |= choose.choice(list(CASES.values()))
        beside = {
            name: _random_frame(random, settings | CASES[name])
            for name in choose.sample(list(CASES), choose.randrange(4))
        }
        end = settings["training_steps"]
        step = choose.choice([0, 1, end // 2, end, end, end])
        simulation = Failures(**settings)
        yield _given(simulation, _random_state(random, simulation, step), beside)


def _given(simulation: Failures, state: Opened, beside: dict[str, Frame]) -> Given:
    simulation.kept_cases = beside.copy  # type: ignore[method-assign]
    return Given(simulation, state, {"network": state.run}, {"network": _observed(state)}, beside)


def _random_state(random: np.random.Generator, simulation: Failures, step: int) -> Opened:
    run = drawn_at_random(random, simulation.untrained(), step)
    first, *others = run.records
    slope = np.linspace(random.choice([-8, 0, 8]), 0, run.architecture.depth - 1)
    sloping = 10.0**slope * first.stream_gradients
    odd = random.random(sloping.shape) < random.choice([0, 0.1])
    first = replace(first, stream_gradients=np.where(odd, random.choice(ODD), sloping))
    now = run.now if step else first
    if random.random() < 0.4:
        now = replace(now, train_error=now.train_error / 16)
    run = replace(run, records=(first, *others), now=now)
    if random.random() < 0.2:
        run = replace(run, parameters=run.parameters * np.float32(np.nan))
    alike = random.uniform(-0.1, 1, (len(run.seeds), run.architecture.depth - 1))
    return Opened(run, np.where(random.random(alike.shape) < 0.1, np.nan, alike))


def _random_frame(random: np.random.Generator, settings: dict[str, Any]) -> Frame:
    simulation = Failures(**settings)
    return simulation.frame(_random_state(random, simulation, simulation.training_steps))


def _observed(state: Opened) -> dict[str, np.ndarray]:
    points = source("teacher").load().test_inputs[:COMPARED]
    now = likeness_by_layer(state.run, points) if state.run.step else state.likeness
    return {"start": state.likeness.ravel(), "now": now.ravel()}


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(FailuresView(Failures()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    # The last digit of a logarithm is that of a library.
    alike = staticmethod(figures.near)


@pytest.mark.exhaustive
def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    verdicts = {expected["frame"]["results"]["diagnosis"] for expected, _ in pairs}
    assert verdicts == {*MEANING, "not trained yet"}
    assert {len(expected["frame"]["diverged"]) for expected, _ in pairs} == {0, 1}
