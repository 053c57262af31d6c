"""The twin of the figure `interactions` in JavaScript makes of a run what Python makes of it: to the last bit, except
where it draws logarithms."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.design_choices.interactions import InteractionsView
from sims.simulations.design_choices.interactions import Cells, Interactions
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Given, Pairs
from tests.twins.runs import drawn_at_random

COUNT = drawn(30)
STEPS = 11
"""One more than between two records of the shortest run"""

SETTINGS: dict[str, list[Any]] = {
    **{name: ends(Interactions.param[name]) for name in Interactions().settings()},
    "depth": [4, 8],
    "learning_rate": Interactions.param.learning_rate.objects,
    "training_steps": Interactions.param.training_steps.objects,
    "seeds": [1, 2, 3, 4],
}


def runs_of_every_kind() -> Iterator[Given]:
    """A real run, and many with random measurements."""
    simulation = Interactions(depth=4, training_steps=300, seeds=2)
    start = simulation.start()
    for state in (start, simulation.advance(start, STEPS)):
        yield _given(simulation, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        simulation = Interactions(**{name: choose.choice(values) for name, values in SETTINGS.items()})
        end = simulation.training_steps
        yield _given(simulation, _random_cells(random, simulation, choose.choice([0, 1, end // 2, end])))


def _given(simulation: Interactions, cells: Cells) -> Given:
    return Given(simulation, cells, {" ".join(cell): run for cell, run in cells.items()})


def _random_cells(random: np.random.Generator, simulation: Interactions, step: int) -> Cells:
    cells = {}
    for cell, untrained in simulation.start().items():
        run = drawn_at_random(random, untrained, step)
        if random.random() < 0.5:
            fitting = np.where(random.random(len(run.seeds)) < 0.7, run.now.train_error / 64, run.now.train_error)
            run = replace(run, now=replace(run.now, train_error=fitting))
        cells[cell] = run
    return cells


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(InteractionsView(Interactions()), runs_of_every_kind())


class TestTwin(figures.SameAsPython):
    # The last digit of a logarithm is that of a library.
    alike = staticmethod(figures.near)


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {bool(frame["results"]["whole"]) for frame in frames} == {True, False}
    assert any(len(frame["diverged"]) > 1 for frame in frames)
