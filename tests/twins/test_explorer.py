"""The twin of the explorer in JavaScript makes of its networks what Python makes of them, to the last bit."""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.events import Pan, PanStart, Tap

from app.live import downloads
from app.pictures.base.paths import paths
from app.views.design_choices.explorer import ExplorerView
from sims.contract.own_points import REACH, cell
from sims.contract.parameters import to_text
from sims.data.datasets import Source
from sims.data.input_features import Featured, in_plane
from sims.engines.perceptrons import Architecture, Recipe
from sims.instruments.networks.decision_map import NOTHING, SIDE
from sims.instruments.networks.unit_maps import unit_maps
from sims.instruments.networks.watched_run import WatchedRun, reach
from sims.simulations.design_choices.explorer import NAMES, RING, Explorer, Refused
from tests.settings import ends
from tests.tiers import drawn
from tests.twins.runs import as_data, drawn_at_random, plain, results_and_steps

CASES = drawn(70)
GESTURES = 12

SETTINGS: dict[str, list[Any]] = {
    **{
        name: list(parameter.objects) if hasattr(parameter := Explorer.param[name], "objects") else ends(parameter)
        for name in Explorer().settings()
    },
    "depth": [2, 4, 8, 16, 26, 28, 64],
    "width": [4, 8],
    "moment": [0, 33, 50, 100],
    "layer": [0, 0, 1, 3, 64],
    "seeds": [1, 2, 3, 5],
    "seed": [0, 7],
    "points": ["", RING, "a5050a5050b9999", "d0000" + RING, "c1234b5678" * 100],
}
REFUSED: tuple[dict[str, Any], ...] = (
    {"width": 64, "depth": 64, "seeds": 5},
    {"feed_x1": False, "feed_x2": False},
    {"task": "own", "points": "a5050"},
    {"task": "own", "points": ""},
    {"skip": "dense", "norm": "post-layer"},
    {"skip": "none", "branch_factor": "1/blocks"},
    {"compare": "scaled", "skip": "rezero", "initialization": "zero-last"},
)
CHANGING = ("data", "start", "end", "ticks", "visible", "width", "size", "line_dash", "line_width", "location")
"""Properties that a view may change"""

State = tuple[WatchedRun, ...] | Refused
Case = dict[str, Any]


def states_of_every_kind() -> Iterator[tuple[dict[str, Any], State]]:
    """Settings and states: a few real runs, many with random measurements and maps, and some that are refused."""
    small = {"depth": 4, "width": 8, "training_steps": 200}
    for settings in (
        {},
        {"compare": "no-skip", "seeds": 2, "task": "rings"},
        {"norm": "batch", "task": "own", "points": RING, "layer": 2},
        {"optimizer": "sgd", "learning_rate": 1.0, "norm": "none", "depth": 26, "initialization": "default"},
        {"task": "digits_plane", "feed_product": True},
    ):
        simulation = Explorer(**small | settings)
        start = simulation.start()
        for state in (start, simulation.advance(start, 12)):
            yield simulation.settings(), state
    for settings in REFUSED:
        simulation = Explorer(**settings)
        yield simulation.settings(), simulation.start()
    choose, random = Random(0), np.random.default_rng(0)
    for _ in range(CASES):
        settings, state = _random_settings(choose)
        if isinstance(state, Refused):
            yield settings, state
            continue
        every, whole = state[0].run.recipe.record_every, settings["training_steps"]
        step = choose.choice([0, 1, every, 2 * every + 1, whole, whole])
        yield settings, tuple(_random_state(random, watched, step) for watched in state)


def _random_settings(choose: Random) -> tuple[dict[str, Any], State]:
    """Settings with their first state; most of those that are refused are drawn again."""
    while True:
        settings = {name: choose.choice(values) for name, values in SETTINGS.items()}
        # Many choices do not fit together.
        for name in choose.sample(["skip", "norm", "unit", "branch_factor", "initialization"], 3):
            settings[name] = Explorer.param[name].default
        state = Explorer(**settings).start()
        if not isinstance(state, Refused) or choose.random() < 0.1:
            return settings, state


def _random_state(random: np.random.Generator, watched: WatchedRun, step: int) -> WatchedRun:
    run = drawn_at_random(random, watched.run, step)
    if random.random() < 0.5:
        # A run that fits, and whose seeds are all alive.
        now = replace(run.now, train_error=np.zeros(len(run.seeds)))
        run = replace(run, now=now, overflows=(None,) * len(run.seeds))
    maps = [random.integers(0, 256, (SIDE, SIDE), np.uint8) for _ in run.records]
    if random.random() < 0.3:
        maps[-1] = np.full((SIDE, SIDE), random.choice([NOTHING, 3]), np.uint8)
    return WatchedRun(run, tuple(maps))


def watched_data(watched: WatchedRun) -> dict[str, Any]:
    """What a twin knows of a watched run."""
    run = watched.run
    data = in_plane(run.source).load()
    units = unit_maps(run, reach(run.source))
    return as_data(run) | {
        "observed": {
            "maps": _base64(np.stack(watched.maps_of_moments())),
            "units": {"bytes": _base64(units), "shape": units.shape},
            "points": data.train_inputs.reshape(-1).tolist(),
            "classes": data.train_labels.tolist(),
        }
    }


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode()


def gestures(view: ExplorerView, choose: Random) -> list[tuple[str, Any]]:
    """Presses and drags in all figures, as the page sends them and as Bokeh hands them on."""
    figures = {
        "loss": (view._loss._plot, (-200, 5200), (0, 1)),
        "features": (view._features.figure, (-0.3, 4.8), (-2, 1.2)),
        "maps": (view._maps.figure, (0, 2.2), (-0.1, 1.2)),
    }
    drawn = []
    for figure, x_ends, y_ends in figures.values():
        for _ in range(GESTURES):
            kind = choose.choice([Tap, Tap, PanStart, Pan])
            drawn.append((kind, figure, choose.uniform(*x_ends), choose.uniform(*y_ends)))
    return [(kind.event_name, kind(figure, x=x, y=y)) for kind, figure, x, y in drawn]


@pytest.fixture(scope="module")
def cases() -> list[tuple[Case, Case]]:
    """What Python and what the twin makes of every case, as data of the same form."""
    view = ExplorerView(Explorer())
    document = Document()
    for figure in view.figures():
        document.add_root(figure)
    changed: set[tuple[str, str]] = set()
    document.on_change(lambda event: changed.add((event.model.id, event.attr)))
    expected, case = [], []
    choose = Random(1)
    for number, (settings, state) in enumerate(states_of_every_kind()):
        simulation = Explorer(**settings)
        frame = simulation.frame(state)
        view.simulation = simulation
        changed.clear()
        view.update(frame)
        kinds = list(downloads.REPLIES) if number in (1, 3, 10, 11) else []
        texts = {name: to_text(value) for name, value in settings.items()}
        drawn = gestures(view, choose)
        expected.append(
            {
                "state": state,
                "settings": texts,
                "frame": {
                    "quantities": {
                        name: {**vars(quantity), "axes": quantity.axes, "shape": quantity.values.shape}
                        for name, quantity in frame.quantities.items()
                    },
                    **results_and_steps(frame),
                },
                "description": simulation.describe(frame),
                "disclosure": vars(simulation.disclosure()),
                "changed": {*changed},
                "properties": {
                    (model.id, name): getattr(model, name)
                    for model in document.models
                    for name in CHANGING
                    if name in model.properties()
                },
                "pointed": [pointed(view, event) for _kind, event in drawn],
                "replies": {kind: downloads.reply(kind, simulation, frame) for kind in kinds},
            }
        )
        expected[-1]["properties"] = brief(expected[-1]["properties"])
        runs = {} if isinstance(state, Refused) else dict(zip(NAMES, map(watched_data, state), strict=False))
        events = [
            {"event_name": kind, "origin": {"id": event.model.id}, "x": event.x, "y": event.y} for kind, event in drawn
        ]
        case.append({"settings": texts, "runs": runs, "gestures": events, "downloads": kinds})
    defaults = {name: to_text(value) for name, value in Explorer().settings().items()}
    twin = by_twin({"names": paths(view), "defaults": defaults, "cases": case})
    assert twin["title"] == Explorer.title()
    assert list(twin["kinds"]) == list(defaults)
    return list(zip(expected, twin["outcomes"], strict=True))


def by_twin(case: dict[str, Any]) -> dict[str, Any]:
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("explorer.js")]
    done = subprocess.run(command, input=json.dumps(case), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout, parse_int=float))


def pointed(view: ExplorerView, event: Any) -> dict[str, str]:
    """What a gesture sets."""
    values: dict[str, Any] = {}
    view.change = values.__setitem__
    event.model._trigger_event(event)
    return {name: to_text(value) for name, value in values.items()}


def brief(value: Any) -> Any:
    """Data as `plain` gives it, but with digests of bytes."""
    if isinstance(value, np.ndarray) and value.dtype == np.uint8:
        return f"{sha256(value.tobytes()).hexdigest()} {','.join(map(str, value.shape))}"
    if isinstance(value, dict):
        return {name: brief(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [brief(item) for item in value]
    return plain(value)


def flat(quantities: dict[str, Any]) -> dict[str, Any]:
    """Quantities with their values in one row."""
    return {
        name: quantity
        | {"values": quantity["values"] if quantity["values"].dtype == np.uint8 else quantity["values"].reshape(-1)}
        for name, quantity in quantities.items()
    }


def test_the_twin_would_start_the_same_runs(cases: list[tuple[Case, Case]]) -> None:
    for expected, twin in cases:
        networks = [
            (
                Architecture(**{name: whole(value) for name, value in case["architecture"].items()}),
                Recipe(**case["recipe"]),
                case["data"],
                (*case["seeds"],),
            )
            for case in twin["networks"].values()
        ]
        state = expected["state"]
        runs = [] if isinstance(state, Refused) else [watched.run for watched in state]
        assert networks == [(run.architecture, run.recipe, source_data(run.source), run.seeds) for run in runs]


def whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


def source_data(task: Source) -> dict[str, Any]:
    features = task.features if isinstance(task, Featured) else ("x1", "x2")
    return {"name": task.name, "arguments": dict(task.arguments), "features": list(features)}


def test_the_twin_makes_the_same_frame(cases: list[tuple[Case, Case]]) -> None:
    for expected, twin in cases:
        frame = expected["frame"]
        for name, quantity in brief(flat(frame["quantities"])).items():
            assert twin["frame"]["quantities"][name] == quantity, name
        assert twin["frame"] == brief(frame | {"quantities": flat(frame["quantities"])})
        assert list(twin["frame"]["quantities"]) == list(frame["quantities"])
        assert list(twin["frame"]["results"]) == list(frame["results"])


@pytest.mark.parametrize("part", ["description", "disclosure"])
def test_the_twin_says_the_same(cases: list[tuple[Case, Case]], part: str) -> None:
    for expected, twin in cases:
        assert twin[part] == expected[part]


def test_the_twin_draws_the_same_picture(cases: list[tuple[Case, Case]]) -> None:
    for expected, twin in cases:
        changes = {(change["model"]["id"], change["attr"]): change["new"] for change in twin["changes"]}
        assert changes == {place: expected["properties"][place] for place in changes}
        assert expected["changed"] <= changes.keys()


def test_gestures_set_the_same(cases: list[tuple[Case, Case]]) -> None:
    seen = set()
    for expected, twin in cases:
        settings = expected["settings"]
        for ours, theirs in zip(expected["pointed"], twin["pointed"], strict=True):
            # A twin may set what is set already.
            assert ours.items() - settings.items() == (theirs or {}).items() - settings.items()
            seen |= ours.keys()
    assert seen >= {"moment", "layer", "points", "feed_product"}


def test_downloads_are_the_same(cases: list[tuple[Case, Case]]) -> None:
    steps_made = 0
    for expected, twin in cases:
        assert twin["same"]
        for kind, reply in expected["replies"].items():
            steps_made += 1
            if kind == "table":
                assert twin["replies"][kind] == plain(reply)
            elif kind == "npz":
                same_arrays(reply["content"], base64.b64decode(twin["archive"]))
            else:
                content = sha256(reply["content"].encode()).hexdigest()
                assert twin["replies"][kind] == {**reply, "content": content}
    assert steps_made == 4 * len(downloads.REPLIES)


def same_arrays(expected: bytes, twin: bytes) -> None:
    with np.load(BytesIO(expected)) as ours, np.load(BytesIO(twin)) as theirs:
        assert list(theirs) == list(ours)
        for name in ours:
            assert theirs[name].dtype == ours[name].dtype
            np.testing.assert_array_equal(theirs[name], ours[name])


@pytest.mark.exhaustive
def test_the_cases_are_of_every_kind(cases: list[tuple[Case, Case]]) -> None:
    frames = [expected["frame"] for expected, _ in cases]
    assert {"refused" in frame["results"] for frame in frames} == {True, False}
    assert any(frame["diverged"] for frame in frames)
    assert {frame["results"].get("second_same") for frame in frames} == {None, 0, 1}
    achieved = {name for frame in frames for name in str(frame["results"].get("missions", "")).split(",")}
    assert len(achieved) > 4
    assert cell(-REACH, -REACH) == (0, 0)
