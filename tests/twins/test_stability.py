"""The twin of the figure `stability` in JavaScript makes of both maps what Python makes of them: to the last bit,
except where it draws logarithms."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from bokeh.events import Pan, Tap

from app.pictures.base.dragging import Throttle
from app.views.norm_placement.stability import FOOT, HEAD, StabilityView
from sims.engines.state import Overflow, TrainingState
from sims.simulations.norm_placement.stability import DEPTHS, RATES, Cells, Stability
from tests.twins import figures
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

GESTURES = 200

STARTS: tuple[dict[str, Any], ...] = (
    {"seeds": 1},
    {"seeds": 2, "network": "perceptron", "placement": "deep", "warmup": 10, "clip": 1.0, "initialization": "he"},
    {"seeds": 1, "network": "perceptron", "placement": "pre-open", "optimizer": "sgd", "training_steps": 40, "seed": 7},
    {"seeds": 3, "network": "perceptron", "placement": "peri", "training_steps": 320, "initialization": "default"},
)
"""Settings of a run. A run of transformers has many measurements, so there is only one."""

CASES = 3
"""States of each run with random measurements"""


def maps_of_every_kind() -> Iterator[Given]:
    """A few real steps, and states with random measurements, in which some networks learn and some diverge."""
    choose, random = Random(0), np.random.default_rng(0)
    for settings in STARTS:
        state = Stability(**settings).start()
        end = Stability(**settings).training_steps
        yield _given(_framed(choose, settings), state)
        for step in [*choose.sample([1, end // 8 + 1, end // 2, end - 1], CASES - 1), end]:
            cells = {name: _random_run(random, run, step) for name, run in state.items()}
            yield _given(_framed(choose, settings), cells)
    simulation = Stability(network="perceptron", seeds=2, learning_rate=1.0, optimizer="sgd", training_steps=40)
    yield _given(simulation, simulation.advance(simulation.start(), 6))


def _framed(choose: Random, settings: dict[str, Any]) -> Stability:
    return Stability(**settings, learning_rate=choose.choice(RATES), depth=choose.choice(DEPTHS))


def _given(simulation: Stability, cells: Cells) -> Given:
    return Given(simulation, cells, cells)


def _random_run(random: np.random.Generator, run: TrainingState, step: int) -> TrainingState:
    run = drawn_at_random(random, run, step)
    # Errors are shares of answers, so they are finite.
    error = random.choice([0.0, 0.03, 0.0499, 0.05, 0.3, 0.45, 0.9, 1.0], len(run.seeds))
    lost = random.random(len(run.seeds)) < random.choice([0, 0, 0.6])
    overflows = tuple(Overflow(step, "loss") if gone else None for gone in lost)
    return replace(run, now=replace(run.now, train_error=error), overflows=overflows)


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(StabilityView(Stability()), maps_of_every_kind())


class TestTwin(figures.SameAsPython):
    # The last digit of a logarithm is that of a library.
    alike = staticmethod(figures.near)


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    outcomes = {code for expected, _ in pairs for code in expected["frame"]["quantities"]["outcome"]["values"].tolist()}
    assert outcomes == {-1, 0, 1, 2, 3}
    assert {len(expected["frame"]["diverged"]) for expected, _ in pairs} >= {0, 2}


def test_gestures_choose_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Throttle, "allows", lambda _self: True)
    view = StabilityView(Stability())
    view.figures()
    choose = Random(0)
    xs = [*(choose.uniform(-1.5, len(RATES) + 0.5) for _ in range(GESTURES)), -0.5, 0.5, 1.5, 8.5, float("nan")]
    drawn = [choose.choice([Tap, Pan])(view._maps, x=x, y=choose.uniform(FOOT - 0.5, HEAD + 0.5)) for x in xs if x == x]
    outcomes = figures.pointed(view, drawn)
    assert all(expected == twin for expected, twin in outcomes)
    assert {len(expected or {}) for expected, _ in outcomes} == {0, 1, 2}
