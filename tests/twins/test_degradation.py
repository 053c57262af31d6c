"""The twin of the figure `degradation` in JavaScript makes of a run what Python makes of it, to the last bit."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.depth.degradation import DegradationView
from sims.contract.frame import Frame
from sims.simulations.depth.degradation import DEFAULT, Degradation, Runs
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

CASES = drawn(60)
STEPS = 9
"""One more than between two records of the shortest run"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Degradation.param[name]) for name in Degradation().settings()},
    "depth": [2, 4, 32, 34, 64],
    "learning_rate": Degradation.param.learning_rate.objects,
    "width": [8],
    "training_steps": Degradation.param.training_steps.objects,
    "seeds": [1, 2, 3, 4, 5],
}

OTHERS: dict[str, Any] = {"networks": "both", "width": 8, "training_steps": 200, "seeds": 2}
"""Settings of the runs that are drawn pale"""


def runs_of_every_kind() -> Iterator[Given]:
    """A few real runs, and many with random measurements, next to frames of other depths."""
    for settings in (
        {},
        {"networks": "residual", "norm": "batch"},
        {"data": "digits", "learning_rate": 1.0, "seeds": 2},
    ):
        simulation = Degradation(**{"depth": 4, "width": 8, "training_steps": 200} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield _given(simulation, state, {})
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(CASES):
        settings = {name: choose.choice(values) for name, values in SETTINGS.items()}
        depths, default = (choose.sample([2, 4, 8, 64], choose.randrange(4)) for _ in range(2))
        beside = {str(depth): _random_frame(random, settings, depth) for depth in depths}
        beside |= {f"{DEFAULT}{depth}": _random_frame(random, OTHERS, depth) for depth in default}
        step = choose.choice([0, 1, settings["training_steps"] // 2, settings["training_steps"]])
        yield _given(Degradation(**settings), _random_runs(random, settings, step), beside)


def _given(simulation: Degradation, runs: Runs, beside: dict[str, Frame]) -> Given:
    simulation.kept_ends = beside.copy  # type: ignore[method-assign]
    return Given(simulation, runs, runs, beside=beside)


def _random_runs(random: np.random.Generator, settings: dict[str, Any], step: int) -> Runs:
    return {name: drawn_at_random(random, run, step) for name, run in Degradation(**settings).start().items()}


def _random_frame(random: np.random.Generator, settings: dict[str, Any], depth: int) -> Frame:
    there = settings | {"depth": depth}
    return Degradation(**there).frame(_random_runs(random, there, settings["training_steps"]))


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(DegradationView(Degradation()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    pass


@pytest.mark.exhaustive
def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {0 < frame["step"] < frame["steps"] for frame in frames} == {True, False}
    assert any(frame["step"] == frame["steps"] for frame in frames)
    causes = " ".join(divergence["cause"] for frame in frames for divergence in frame["diverged"])
    assert all(words in causes for words in ("the stream already grew", "the gradient already grew", "overshot"))
    quantities = [name for frame in frames for name in frame["quantities"]]
    assert len(quantities) > 1000
