"""What Python makes of the runs of a figure, or calculates, and what its twin in JavaScript makes of the same."""

import base64
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from math import isclose
from operator import eq
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from bokeh.core.property.vectorization import Value
from bokeh.document import Document

from app.live import downloads
from app.pictures.base.paths import paths
from app.prerender.browser_training import end_of
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.parameters import to_text
from sims.contract.simulation import Simulation, Training
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe
from sims.engines.state import TrainingState
from sims.engines.transformers import Transformer
from tests.exports import TEXTS
from tests.twins.runs import as_data, plain, results_and_steps

CHANGING = (
    *("data", "start", "end", "ticks", "visible", "width", "line_width"),
    *("height", "factors", "major_label_overrides", "label", "line_dash"),
)
"""Properties that a view may change"""

NUMBER = re.compile(r"(-?\d+\.?\d*(?:e[+-]?\d+)?)")

Case = dict[str, Any]
Pairs = list[tuple[Case, Case]]
"""For each case, what Python and what the twin makes of it, as data of the same form"""


@dataclass(frozen=True)
class Given:
    """A state of a simulation with these settings, and its runs by the twin's names."""

    simulation: Training
    state: Any
    runs: Mapping[str, TrainingState]
    observed: Mapping[str, Any] = field(default_factory=dict)
    """What an observer has measured of each run, by the run's name; the twin gets arrays row by row"""
    beside: Mapping[Any, Frame] = field(default_factory=dict)
    """The ends of other runs"""

    milliseconds: Mapping[str, float | None] = field(default_factory=dict)
    """The time of a step of each run, if it has been measured"""

    def frame(self) -> Frame:
        return self.simulation.frame(self.state)

    def as_data(self, view: View[Any]) -> Case:
        return {
            "settings": texts(self.simulation),
            "runs": self.runs_as_data(),
            "ends": {str(name): end_of(frame, view.beside) for name, frame in self.beside.items()},
        }

    def runs_as_data(self) -> Case:
        return {
            name: as_data(run)
            | {"observed": in_bytes(self.observed.get(name)), "milliseconds": self.milliseconds.get(name)}
            for name, run in self.runs.items()
        }

    def pointed(self, _view: View[Any]) -> Any:
        """What gestures in the picture set, for a twin that is told of them."""
        return None

    def networks(self) -> Mapping[str, Any]:
        """What the simulation trains, by the twin's names."""
        return {name: (run.architecture, run.recipe, run.source, run.seeds) for name, run in self.runs.items()}


@dataclass(frozen=True)
class Calculated:
    """A simulation that calculates at once, and gestures in its picture; their origin is the path of a model."""

    simulation: Simulation
    gestures: tuple[Case, ...] = ()
    runs: ClassVar[Mapping[str, TrainingState]] = {}

    def frame(self) -> Frame:
        return self.simulation.compute()

    def as_data(self, _view: View[Any]) -> Case:
        return {"settings": texts(self.simulation), "gestures": self.gestures, "ends": {}}

    def pointed(self, _view: View[Any]) -> Any:
        """What gestures in the picture set: the tests of a figure say it."""
        return None

    def networks(self) -> Mapping[str, Any]:
        """None: nothing is trained."""
        return {}


def texts(simulation: Simulation) -> dict[str, str]:
    """The settings of a simulation as a page knows them."""
    return {name: to_text(value) for name, value in simulation.settings().items()}


def compared(view: View[Any], given: Iterable[Given | Calculated], files: Path | None = None) -> Pairs:
    """Return what both make of every case. Each case is drawn in the same view, after all that came before it.

    A figure that calculates finds its data in the folder `files`.
    """
    document = Document()
    for figure in view.figures():
        document.add_root(figure)
    changed: set[tuple[str, str]] = set()
    document.on_change(lambda event: changed.add((event.model.id, event.attr)))
    cases = list(given)
    expected = []
    for case in cases:
        frame = case.frame()
        view.simulation = case.simulation
        changed.clear()
        view.update(frame)
        expected.append(
            _by_python(case, frame)
            | {"changed": {*changed}, "properties": _properties(document, CHANGING), "pointed": case.pointed(view)}
        )
    kind = type(cases[0].simulation)
    twin = _by_twin(
        {
            "figure": kind.__module__.rpartition(".")[2],
            "names": paths(view),
            "defaults": texts(kind()),
            "files": str(files or ""),
            "cases": [case.as_data(view) for case in cases],
        }
    )
    assert twin["title"] == kind.title()
    assert twin["name"] == kind.__name__.lower()
    return list(zip(expected, twin["outcomes"], strict=True))


def pointed(view: View[Any], gestures: Iterable[Any]) -> list[tuple[Any, Any]]:
    """The values that each gesture in the view's pictures sets, in Python and in the twin; None if it sets none."""
    kind = type(view.simulation)
    expected, test_case = [], []
    for event in gestures:
        values: dict[str, Any] = {}
        view.change_all, view.change = values.update, values.__setitem__
        event.model._trigger_event(event)
        expected.append({name: to_text(value) for name, value in values.items()} or None)
        test_case.append({"event_name": event.event_name, "origin": {"id": event.model.id}, "x": event.x, "y": event.y})
    figure = {"figure": kind.__name__.lower(), "names": paths(view), "defaults": texts(kind())}
    twin = _by_twin(figure | {"cases": [], "gestures": test_case})
    return list(zip(expected, twin["pointed"], strict=True))


def _by_twin(test_case: Case) -> Case:
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("node.js")]
    done = subprocess.run(command, input=json.dumps(test_case), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout, parse_int=float))


def _by_python(case: Given | Calculated, frame: Frame) -> Case:
    simulation = case.simulation
    return {
        "networks": case.networks(),
        "frame": {
            "quantities": {
                name: {
                    **vars(quantity),
                    "values": quantity.values.ravel(),
                    "axes": list(quantity.axes),
                    "shape": list(quantity.values.shape),
                }
                for name, quantity in frame.quantities.items()
            },
            **results_and_steps(frame),
        },
        "description": simulation.describe(frame),
        "disclosure": vars(simulation.disclosure()),
        "replies": {kind: downloads.reply(kind, simulation, frame) for kind in downloads.REPLIES},
    }


def _properties(document: Document, names: Iterable[str]) -> dict[tuple[str, str], Any]:
    """The value of every property that a view may change, by its model's id and its name."""
    return {
        (model.id, name): plain(_bare(getattr(model, name)))
        for model in document.models
        for name in names
        if name in model.properties()
    }


def _bare(value: Any) -> Any:
    return value.value if isinstance(value, Value) else value


def network_of(test_case: Case) -> tuple[Any, ...]:
    """The architecture, recipe, data and seeds that a twin would train."""
    data, architecture = test_case["data"], test_case["architecture"]
    points = source(data) if isinstance(data, str) else source(data["name"], **data["arguments"])
    kind = Transformer if "tokens" in architecture else Architecture
    return kind(**architecture), Recipe(**test_case["recipe"]), points, (*test_case["seeds"],)


class SamePicture:
    """What holds for the twin of every figure; a class of tests inherits it, beside a fixture `pairs` in its module."""

    alike: Callable[[Any, Any], bool] = staticmethod(eq)
    """Whether the values of a property count as equal"""
    equal: Callable[[Any, Any], bool] = staticmethod(eq)
    """Whether frames, tables and files count as equal"""

    words: ClassVar[Mapping[str, str]] = {}
    """What Python says → what the twin says in its place, where the two differ"""

    network: Callable[[Case], Any] = staticmethod(network_of)
    """What the twin would train, as `Given.networks` has it"""

    def in_its_words(self, value: Any) -> Any:
        text = json.dumps(plain(value), ensure_ascii=False)
        for ours, theirs in self.words.items():
            text = text.replace(ours, theirs)
        return json.loads(text)

    @pytest.mark.parametrize("part", ["description", "disclosure"])
    def test_it_says_the_same(self, pairs: Pairs, part: str) -> None:
        for expected, twin in pairs:
            assert twin[part] == self.in_its_words(expected[part])

    def test_its_frame_is_the_same(self, pairs: Pairs) -> None:
        for expected, twin in pairs:
            assert self.equal(twin["frame"], self.in_its_words(expected["frame"]))

    @pytest.mark.parametrize("kind", TEXTS)
    def test_its_tables_and_files_are_the_same(self, pairs: Pairs, kind: str) -> None:
        for expected, twin in pairs:
            assert self.equal(twin["replies"][kind], self.in_its_words(expected["replies"][kind]))

    def test_its_archives_of_arrays_are_the_same(self, pairs: Pairs) -> None:
        for expected, twin in pairs:
            with (
                np.load(BytesIO(expected["replies"]["npz"]["content"])) as ours,
                np.load(BytesIO(base64.b64decode(twin["archive"]))) as theirs,
            ):
                assert list(theirs) == list(ours)
                about = self.in_its_words(json.loads(str(ours["about"])))
                assert self.equal(json.loads(str(theirs["about"])), about)
                for name in {*ours} - {"about"}:
                    assert theirs[name].dtype == ours[name].dtype, name
                    assert self.equal(plain(theirs[name]), plain(ours[name]))

    def test_it_shows_a_frame_that_came_as_a_file_alike(self, pairs: Pairs) -> None:
        assert all(twin["kept"] for _, twin in pairs)

    def test_it_draws_the_same_picture(self, pairs: Pairs) -> None:
        for expected, twin in pairs:
            changes = {(change["model"]["id"], change["attr"]): unpacked(change["new"]) for change in twin["changes"]}
            for place, new in changes.items():
                assert self.alike(new, expected["properties"][place]), (place, new)
            assert expected["changed"] <= changes.keys()


class SameAsPython(SamePicture):
    """The same for figures that train."""

    def test_it_would_start_the_same_runs(self, pairs: Pairs) -> None:
        for expected, twin in pairs:
            networks = {name: self.network(test_case) for name, test_case in twin["networks"].items()}
            assert networks == expected["networks"]


def in_bytes(value: Any) -> Any:
    """Data as `plain` gives it, with the numbers of arrays row by row, and bytes named as such."""
    if isinstance(value, np.ndarray):
        numbers = plain(value.ravel())
        return {"bytes": numbers} if value.dtype == np.uint8 else numbers
    if isinstance(value, Mapping):
        return {name: in_bytes(item) for name, item in value.items()}
    return plain(value)


def unpacked(value: Any) -> Any:
    """Data with arrays and mappings as lists and mappings; Bokeh writes them with a type."""
    if isinstance(value, dict) and value.get("type") == "map":
        return dict(value["entries"])
    if isinstance(value, dict) and value.get("type") == "value":
        return value["value"]
    if isinstance(value, dict) and value.get("type") == "ndarray":
        return np.reshape(value["array"]["data"], [int(length) for length in value["shape"]]).tolist()
    if isinstance(value, dict):
        return {name: unpacked(item) for name, item in value.items()}
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    return value


def near(one: Any, other: Any, absolute: float = 1e-12) -> bool:
    """Return whether two values are equal, their numbers up to the last digits; numbers that are almost 0 may differ by
    `absolute`."""
    if isinstance(one, float) and isinstance(other, float | int):
        return isclose(one, other, rel_tol=1e-12, abs_tol=absolute)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(near(value, other[name], absolute) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(near(*pair, absolute) for pair in zip(one, other, strict=True))
    return bool(one == other)


def near_in_texts(one: Any, other: Any, absolute: float = 1e-12) -> bool:
    """The same, and numbers within texts count as numbers: those of files have all digits."""
    if isinstance(one, str) and isinstance(other, str):
        parts, others = NUMBER.split(one), NUMBER.split(other)
        numbers = zip(parts[1::2], others[1::2], strict=False)
        return parts[::2] == others[::2] and all(near(float(part), float(number), absolute) for part, number in numbers)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            near_in_texts(value, other[name], absolute) for name, value in one.items()
        )
    if isinstance(one, list):
        return len(one) == len(other) and all(near_in_texts(*pair, absolute) for pair in zip(one, other, strict=True))
    return near(one, other, absolute)
