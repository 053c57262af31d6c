"""The twin of the figure `variants` in JavaScript makes of a run what Python makes of it: to the last bit, except where
it draws logarithms and arcs."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from app.views.wiring.variants import VariantsView
from sims.comparisons.contender import Contender
from sims.engines.perceptrons.stochastic_depth import Thinned
from sims.simulations.wiring.variants import Runs, Variants
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures, observed
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

COUNT = drawn(30)
STEPS = 13
"""One more than between two records of the shortest run"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Variants.param[name]) for name in Variants().settings()},
    "depth": [4, 6, 10, 32],
    "learning_rate": Variants.param.learning_rate.objects,
    "training_steps": Variants.param.training_steps.objects,
    "seeds": [1, 2, 3, 4, 5],
}


def runs_of_every_kind() -> Iterator[Given]:
    """A few real runs, and many with random measurements."""
    for settings in ({}, {"norm": "pre-layer", "budget": "parameters", "seeds": 2, "measure": "test"}):
        simulation = Variants(**{"depth": 4, "training_steps": 300} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield _given(simulation, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        simulation = Variants(**{name: choose.choice(values) for name, values in SETTINGS.items()})
        end = simulation.training_steps
        yield _given(simulation, _random_state(random, simulation, choose.choice([0, 1, end // 2, end])))


def _given(simulation: Variants, state: Runs) -> Given:
    runs = {name: lane.run for name, lane in state.items()}
    times = {name: lane.milliseconds for name, lane in state.items() if isinstance(lane, Contender)}
    return Given(simulation, state, runs, observed.variants(simulation, state), milliseconds=times)


def _random_state(random: np.random.Generator, simulation: Variants, step: int) -> Runs:
    return {name: _random_lane(random, lane, step) for name, lane in simulation.start().items()}


def _random_lane(random: np.random.Generator, lane: Contender | Thinned, step: int) -> Contender | Thinned:
    if isinstance(lane, Contender):
        times = tuple(10.0 ** random.uniform(-5, -2, random.integers(0, 3)))
        return Contender(drawn_at_random(random, lane.run, step), times)
    recording = replace(lane.run, recipe=replace(lane.run.recipe, record_every=lane.every))
    return replace(lane, run=replace(drawn_at_random(random, recording, step), recipe=lane.run.recipe))


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(VariantsView(Variants()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    # The last digit of a logarithm, a sine or a cosine is that of a library.
    alike = staticmethod(figures.near)
    # A page cannot ask how long the processor worked for it.
    words: ClassVar = {"milliseconds of processor time per": "milliseconds on this browser's clock per"}


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {len(frame["diverged"]) > 2 for frame in frames} == {True, False}
    assert {"highway_milliseconds" in frame["results"] for frame in frames} == {True, False}
