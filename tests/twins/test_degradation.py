"""The twin of the figure `degradation` in JavaScript makes of a run what Python makes of it, to the last bit."""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from bokeh.document import Document

from app.live import downloads
from app.pictures.base.paths import paths
from app.views.depth.degradation import DegradationView
from sims.contract.frame import Frame, finite
from sims.contract.parameters import to_text
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe
from sims.simulations.depth.degradation import Degradation, Runs
from tests.settings import ends
from tests.twins.runs import as_data, drawn_at_random, plain

CASES = 60
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
CHANGING = ("data", "start", "end", "ticks", "visible", "width")
"""Properties that a view may change"""

Case = dict[str, Any]


def runs_of_every_kind() -> Iterator[tuple[dict[str, Any], Runs, dict[int, Frame]]]:
    """Settings, runs and frames of other depths: a few real runs, and many with random measurements."""
    for settings in (
        {},
        {"networks": "residual", "norm": "batch"},
        {"data": "digits", "learning_rate": 1.0, "seeds": 2},
    ):
        simulation = Degradation(**{"depth": 4, "width": 8, "training_steps": 200} | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, STEPS)):
            yield simulation.settings(), state, {}
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(CASES):
        settings = {name: choose.choice(values) for name, values in SETTINGS.items()}
        beside = {
            depth: _random_frame(random, settings, depth) for depth in choose.sample([2, 4, 8, 64], choose.randrange(4))
        }
        step = choose.choice([0, 1, settings["training_steps"] // 2, settings["training_steps"]])
        yield settings, _random_runs(random, settings, step), beside


def _random_runs(random: np.random.Generator, settings: dict[str, Any], step: int) -> Runs:
    return {name: drawn_at_random(random, run, step) for name, run in Degradation(**settings).start().items()}


def _random_frame(random: np.random.Generator, settings: dict[str, Any], depth: int) -> Frame:
    there = settings | {"depth": depth}
    return Degradation(**there).frame(_random_runs(random, there, settings["training_steps"]))


@pytest.fixture(scope="module")
def cases() -> list[tuple[Case, Case]]:
    """What Python and what the twin makes of every case, as data of the same form."""
    view = DegradationView(Degradation())
    document = Document()
    for figure in view.figures():
        document.add_root(figure)
    changed: set[tuple[str, str]] = set()
    document.on_change(lambda event: changed.add((event.model.id, event.attr)))
    expected, given = [], []
    for settings, runs, beside in runs_of_every_kind():
        simulation = Degradation(**settings)
        simulation.kept_ends = beside.copy  # type: ignore[method-assign]
        frame = simulation.frame(runs)
        view.simulation = simulation
        changed.clear()
        view.update(frame)
        expected.append(
            by_python(simulation, runs, frame) | {"changed": {*changed}, "properties": properties(document)}
        )
        last = {
            depth: {name: finite(quantity.values[-1]) for name, quantity in there.quantities.items()}
            for depth, there in beside.items()
        }
        texts = {name: to_text(value) for name, value in settings.items()}
        given.append({"settings": texts, "runs": {name: as_data(run) for name, run in runs.items()}, "ends": last})
    defaults = {name: to_text(value) for name, value in Degradation().settings().items()}
    twin = by_twin({"figure": "degradation", "names": paths(view), "defaults": defaults, "cases": given})
    assert twin["title"] == Degradation.title()
    return list(zip(expected, twin["outcomes"], strict=True))


def by_twin(told: dict[str, Any]) -> dict[str, Any]:
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("node.js")]
    done = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout, parse_int=float))


def by_python(simulation: Degradation, runs: Runs, frame: Frame) -> Case:
    return {
        "runs": runs,
        "frame": {
            "quantities": {
                name: {**vars(quantity), "axes": list(quantity.axes), "shape": list(quantity.values.shape)}
                for name, quantity in frame.quantities.items()
            },
            "results": frame.results,
            "counts": [name for name, value in frame.results.items() if isinstance(value, int)],
            "step": frame.step,
            "steps": frame.steps,
            "diverged": [vars(divergence) for divergence in frame.diverged],
        },
        "description": simulation.describe(frame),
        "honesty": vars(simulation.honesty()),
        "replies": {kind: downloads.reply(kind, simulation, frame) for kind in downloads.REPLIES},
    }


def properties(document: Document) -> dict[tuple[str, str], Any]:
    """The value of every property that a view may change, by its model's id and its name."""
    return {
        (model.id, name): plain(getattr(model, name))
        for model in document.models
        for name in CHANGING
        if name in model.properties()
    }


def test_the_twin_would_start_the_same_runs(cases: list[tuple[Case, Case]]) -> None:
    for expected, twin in cases:
        networks = {
            name: (
                Architecture(**told["architecture"]),
                Recipe(**told["recipe"]),
                source(told["data"]),
                (*told["seeds"],),
            )
            for name, told in twin["networks"].items()
        }
        runs = expected["runs"]
        assert networks == {name: (run.architecture, run.recipe, run.source, run.seeds) for name, run in runs.items()}


@pytest.mark.parametrize("part", ["frame", "description", "honesty"])
def test_the_twin_says_the_same(cases: list[tuple[Case, Case]], part: str) -> None:
    for expected, twin in cases:
        assert twin[part] == plain(expected[part])


@pytest.mark.parametrize("kind", ["table", "csv", "json"])
def test_what_can_be_taken_away_is_the_same(cases: list[tuple[Case, Case]], kind: str) -> None:
    for expected, twin in cases:
        assert twin["replies"][kind] == plain(expected["replies"][kind])


def test_archives_of_arrays_are_the_same(cases: list[tuple[Case, Case]]) -> None:
    for expected, twin in cases:
        with (
            np.load(BytesIO(expected["replies"]["npz"]["content"])) as ours,
            np.load(BytesIO(base64.b64decode(twin["archive"]))) as theirs,
        ):
            assert list(theirs) == list(ours)
            for name in ours:
                assert theirs[name].dtype == ours[name].dtype
                np.testing.assert_array_equal(theirs[name], ours[name])


def test_the_twin_draws_the_same_picture(cases: list[tuple[Case, Case]]) -> None:
    for expected, twin in cases:
        changes = {(change["model"]["id"], change["attr"]): change["new"] for change in twin["changes"]}
        assert changes == {place: expected["properties"][place] for place in changes}
        assert expected["changed"] <= changes.keys()


def test_the_cases_are_of_every_kind(cases: list[tuple[Case, Case]]) -> None:
    frames = [expected["frame"] for expected, _ in cases]
    assert {0 < frame["step"] < frame["steps"] for frame in frames} == {True, False}
    assert any(frame["step"] == frame["steps"] for frame in frames)
    causes = " ".join(divergence["cause"] for frame in frames for divergence in frame["diverged"])
    assert all(words in causes for words in ("the stream already grew", "the gradient already grew", "overshot"))
    quantities = [name for frame in frames for name in frame["quantities"]]
    assert len(quantities) > 1000
