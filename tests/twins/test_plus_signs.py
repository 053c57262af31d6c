"""The twin of the figure `plus_signs` in JavaScript makes of a run what Python makes of it.

An arc cosine and a logarithm have the last digit of a library, so numbers may differ by one part in 10¹². What signals
meet in trained networks is compared in `test_groups.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.pictures.charts.lit_network import DROP, ROWS
from app.views.base import View
from app.views.depth.plus_signs import PlusSignsView
from sims.contract.frame import finite
from sims.contract.number_list import written
from sims.contract.parameters import to_text
from sims.data.datasets import source
from sims.engines.perceptrons.weighted_stack import Answers, WeightedStack
from sims.instruments.networks.weighted_passes import WeightedPasses
from sims.simulations.depth import plus_signs
from sims.simulations.depth.plus_signs import BLOCKS, LOOKS, STRENGTHS, Looked, PlusSigns
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Case, Given, Pairs
from tests.twins.runs import plain

COUNT = drawn(90)
IMAGES = 1438
"""Errors are multiples of one over this."""

NETWORKS = {f"_network.screens.{screen}.figure": screen for screen in ROWS}

SETTINGS: dict[str, list[Any]] = {
    "strength": list(STRENGTHS.values()),
    "blocks": list(BLOCKS),
    "norm": [False, True],
    "learning_rate": PlusSigns.param.learning_rate.objects,
    "training_steps": PlusSigns.param.training_steps.objects,
    "seeds": [1, 2, 3, 5],
    "seed": [0, 1, 7, 9999],
}


class GivenStack(Given):
    """A stack, in place of networks of layers; presses in the picture and around it, and events that are none."""

    def runs_as_data(self) -> Case:
        return {"stack": as_data(self.state, plus_signs._passes(self.state.run))}

    def networks(self) -> Mapping[str, Any]:
        run = self.state.run
        every = self.simulation.settings()["training_steps"] // LOOKS
        return {"stack": (run.stack, run.learning_rate, run.batch, every, run.source, run.seeds)}

    def as_data(self, view: View[Any]) -> Case:
        return super().as_data(view) | {"gestures": self._gestures()}

    def pointed(self, view: View[Any]) -> list[dict[str, str] | None]:
        return [self._pressed(view, gesture) for gesture in self._gestures()]

    def _gestures(self) -> list[Case]:
        random = Random(str(self.simulation.settings()))
        tap = {"event_name": "tap"}
        taps = [
            tap | {"origin": origin, "x": random.choice([*range(-1, 30), random.uniform(-1, 29)]), "y": y}
            for origin in NETWORKS
            for y in (0.3, 1.1, -0.4, -0.41, 1.7, 1.71, None, 0.3 - DROP, random.uniform(-7, 3))
        ]
        return [*taps, taps[0] | {"event_name": "pan"}, taps[0] | {"origin": "_signals._charts.stream"}]

    @staticmethod
    def _pressed(view: Any, gesture: Case) -> dict[str, str] | None:
        """What Python makes of a gesture; it is told of presses in its picture alone."""
        if gesture["event_name"] != "tap" or gesture["origin"] not in NETWORKS:
            return None
        changes: dict[str, str] = {}
        view.change = lambda name, value: changes.update({name: to_text(value)})
        view._network.screens[NETWORKS[gesture["origin"]]]._on_tap(SimpleNamespace(**gesture))
        return changes or None


def as_data(state: Looked, now: WeightedPasses) -> Case:
    """What a twin knows of a run, as JSON data."""
    before = state.before
    return {
        "step": state.run.step,
        "records": [
            {"step": step, **{name: finite(values.tolist()) for name, values in vars(known).items()}}
            for step, known in zip(state.steps, state.known, strict=True)
        ],
        "now": {"step": state.run.step},
        "overflows": [{"step": int(step), "quantity": "loss"} if step else None for step in state.run.lost],
        "observed": {
            time: {name: plain(values.ravel()) for name, values in vars(passes).items()}
            for time, passes in (("before", before), ("now", now if state.run.step else before))
        },
    }


def states() -> Iterator[GivenStack]:
    """Real runs of a few steps, and many with measurements drawn at random."""
    for settings in ({}, {"cut": "1-28", "seeds": 2}, {"cut": "3-5", "norm": True, "seeds": 1}):
        simulation = PlusSigns(**{"blocks": 7, "training_steps": 200} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, 13)):
            yield GivenStack(simulation, state, {})
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(COUNT):
        some = {choose.randint(1, 28) for _ in range(choose.randrange(20))}
        cut = choose.choice(["", "1-28", "1-14", written(some), written(some)])
        simulation = PlusSigns(**{name: choose.choice(values) for name, values in SETTINGS.items()}, cut=cut)
        yield GivenStack(simulation, _random_state(choose, random, simulation), {})


def _random_state(choose: Random, random: np.random.Generator, simulation: PlusSigns) -> Looked:
    run, whole = simulation.untrained(), simulation.training_steps
    step = choose.choice([0, 1, whole // LOOKS + 1, whole // 2, whole, whole])
    steps = tuple(range(0, step + 1, whole // LOOKS))
    lost = np.where(random.random(len(run.seeds)) < choose.choice([0, 0.3, 1]), random.integers(1, 99), 0) * (step > 0)
    # Weights of these sizes make signals that vanish, signals that leave the range of numbers, and ordinary ones.
    size = choose.choice([0, 1e-4, 0.7, 1.1, 1e9])
    parameters = (size * run.parameters).astype(np.float32)
    run = replace(run, step=step, parameters=parameters, lost=lost)
    shape = len(run.seeds), simulation.blocks + 1
    before = WeightedPasses(_sizes(choose, random, shape), random.uniform(-1, 1, shape), _sizes(choose, random, shape))
    return Looked(run, before, steps, tuple(_answers(random, lost) for _ in steps))


def _sizes(choose: Random, random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    sizes = 10.0 ** random.uniform(*choose.choice([(-1, 1), (-30, 5), (-300, 300)]), shape)
    odd = random.random(shape) < choose.choice([0, 0, 0.1])
    return np.where(odd, random.choice([0, np.inf, np.nan], shape), sizes)


def _answers(random: np.random.Generator, lost: np.ndarray) -> Answers:
    loss = 10.0 ** random.uniform(-6, 2, len(lost))
    errors = random.integers(0, IMAGES + 1, (2, len(lost))) / IMAGES
    return Answers(*(np.where(lost > 0, np.nan, values) for values in (loss, *errors)))


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return figures.compared(PlusSignsView(PlusSigns()), states())


def _network(case: Case) -> tuple[Any, ...]:
    recipe, stack = case["recipe"], case["stack"]
    assert case["engine"] == "weighted_stack"
    stack = WeightedStack(**stack | {"skips": tuple(stack["skips"])})
    rate, batch, every = (recipe[name] for name in ("learning_rate", "batch", "record_every"))
    return stack, rate, batch, every, source(case["data"]), (*case["seeds"],)


class TestTwin(figures.SameAsPython):
    alike = staticmethod(figures.near)
    equal = staticmethod(figures.near_in_texts)
    network = staticmethod(_network)


def test_presses_take_out_the_same_plus_signs(pairs: Pairs) -> None:
    for expected, twin in pairs:
        assert twin["pointed"] == expected["pointed"]
    assert len({str(answer) for expected, _ in pairs for answer in expected["pointed"]}) > COUNT


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    frames = [expected["frame"] for expected, _ in pairs]
    assert {frame["step"] == frame["steps"] for frame in frames} == {True, False}
    assert {len(frame["diverged"]) for frame in frames} >= {0, 1, 5}
    assert {frame["results"]["plus_signs"] for frame in frames} >= {0, 28}
