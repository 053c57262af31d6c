"""The twin of the figure `sweep` in JavaScript makes of the heats what Python makes of them, to the last bit."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.design_choices.sweep import SweepView
from sims.comparisons.standings import FINISH
from sims.engines.state import TrainingState
from sims.simulations.design_choices.sweep import FRESH, STEPS, Heats, Sweep, chosen, scores
from tests.settings import ends
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Given, Pairs, network_of
from tests.twins.runs import drawn_at_random

CASES = drawn(30)

SETTINGS: dict[str, list[Any]] = {name: ends(Sweep.param[name]) for name in Sweep().settings()} | {
    "depth": [4],
    "seeds": [1, 2, 3, 5],
}


def heats_of_every_kind() -> Iterator[Given]:
    """A few real steps, and many sweeps and finals with random measurements, in which many seeds finish."""
    simulation = Sweep(depth=4, field="norms", seeds=2)
    start = simulation.start()
    for state in (start, simulation.advance(start, 6)):
        yield _given(simulation, state)
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(CASES):
        simulation = Sweep(**{name: choose.choice(values) for name, values in SETTINGS.items()})
        step = choose.choice([0, 1, 7, STEPS // 2, STEPS, STEPS, *(STEPS + more for more in (1, 100, STEPS, STEPS))])
        yield _given(simulation, _random_heats(random, simulation, step))


def _given(simulation: Sweep, state: Heats) -> Given:
    tried = {f"{name} {rate:g}": run for (name, rate), run in state.tried.items()}
    final = {f"{name} in the final": run for name, run in state.final.items()}
    return Given(simulation, state, tried | final)


def _random_heats(random: np.random.Generator, simulation: Sweep, step: int) -> Heats:
    tried = {cell: _random_run(random, run, min(step, STEPS)) for cell, run in simulation.start().tried.items()}
    if step <= STEPS:
        return Heats(tried, {})
    best = chosen(scores(tried), simulation.entrants)
    starts = {name: simulation._begin(name, best[name], simulation.seed + FRESH) for name in simulation.entrants}
    return Heats(tried, {name: _random_run(random, run, step - STEPS) for name, run in starts.items()})


def _random_run(random: np.random.Generator, run: TrainingState, step: int) -> TrainingState:
    run = drawn_at_random(random, run, step)
    errors = FINISH * random.choice([0, 0.9, 1, 1.1, 9], (len(run.records) + 1, len(run.seeds)), p=[0, *[0.25] * 4])
    # Few records are below the line, so that some seeds finish late and some do not.
    errors[random.random(len(errors)) < random.choice([0, 0.9, 1])] = 0.5
    records = [replace(record, train_error=now) for record, now in zip(run.records, errors, strict=False)]
    return replace(run, records=tuple(records))


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return figures.compared(SweepView(Sweep()), heats_of_every_kind())


class TestTwin(figures.SameAsPython):
    def test_it_would_start_the_same_runs(self, pairs: Pairs) -> None:
        """The networks of the final follow when the sweep is over."""
        finals = 0
        for expected, twin in pairs:
            networks = {name: network_of(case) for name, case in twin["networks"].items()}
            sweep = {name: run for name, run in expected["networks"].items() if not name.endswith("final")}
            assert networks == sweep
            is_over = expected["frame"]["step"] == STEPS
            assert bool(twin["further"]) == is_over
            finals += is_over
        assert finals > 1

    def test_the_final_has_each_network_at_its_own_rate(self, pairs: Pairs) -> None:
        for expected, twin in pairs:
            rates = expected["frame"]["results"]
            for name, case in twin["further"].items():
                architecture, recipe, points, seeds = network_of(case)
                entrant = name.removesuffix(" in the final")
                first = f"{entrant} 0.0003"
                assert (architecture, points) == (expected["networks"][first][0], expected["networks"][first][2])
                assert recipe == replace(expected["networks"][first][1], learning_rate=rates[f"{entrant}_rate"])
                assert seeds == tuple(seed + FRESH for seed in expected["networks"][first][3])


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    steps = {expected["frame"]["step"] for expected, _ in pairs}
    assert {0, STEPS, 2 * STEPS} < steps
    sentences = " ".join(expected["description"] for expected, _ in pairs)
    for words in ("No network has run yet", "Sweep, step", "own rate", "no network.", "; "):
        assert words in sentences
