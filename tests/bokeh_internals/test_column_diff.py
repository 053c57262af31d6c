"""A page is told of columns what it does not have, and everything where that is not known."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from bokeh.core.serialization import Deserializer, Serializer
from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent
from bokeh.models import ColumnDataSource, Range1d

from app.bokeh_internals.column_diff import changed_columns, reset
from app.live.session import Session
from sims import registry
from sims.contract.parameters import control_names, to_text
from sims.contract.simulation import Training
from tests.settings import ends, shortest
from tests.tiers import first

INSTANT = [name for name in registry.names() if not issubclass(registry.find(name), Training)]

NOT = float("nan")


class Page:
    """A source of a document and what a page has of it."""

    def __init__(self) -> None:
        self.document, self.source, self.axis = Document(), ColumnDataSource({"x": [], "y": []}), Range1d()
        for model in (self.source, self.axis):
            self.document.add_root(model)
        self.has: dict[str, Any] = {}

    def sent_columns(self, heard: bool = True, /, **columns: Any) -> set[str]:
        """Set the columns, tell what is new, and return the columns that were told."""
        self.document.hold()
        self.source.data = columns
        events = [event for event in self.document.callbacks._held_events if isinstance(event, DocumentPatchedEvent)]
        self.document.callbacks._held_events = []
        self.document.unhold()
        names: set[str] = set()
        for event in changed_columns(self.document, events, heard):
            sent: Any = Serializer(deferred=False).encode(event)
            data = Deserializer().decode(sent["data"])
            self.has = data if sent.get("cols") is None else {**self.has, **data}
            names |= data.keys()
        return names


@pytest.fixture
def page() -> Page:
    return Page()


def test_what_was_sent_is_not_sent_again(page: Page) -> None:
    assert page.sent_columns(x=np.arange(3), y=[1, 2, 3]) == {"x", "y"}
    assert page.sent_columns(x=np.arange(3), y=[1, 2, 3]) == set()


def test_columns_that_nobody_received_are_sent_later(page: Page) -> None:
    assert page.sent_columns(False, x=[1], y=[2]) == set()
    assert page.sent_columns(x=[1], y=[2]) == {"x", "y"}
    assert page.sent_columns(False, x=[3], y=[2]) == set()
    assert page.sent_columns(x=[1], y=[2]) == {"x", "y"}


def test_empty_columns_are_sent_once_as_the_page_may_show_others(page: Page) -> None:
    assert page.sent_columns(x=[], y=[]) == {"x", "y"}
    assert page.sent_columns(x=[], y=[]) == set()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (np.arange(3.0), np.arange(3.0) + 1),
        (np.arange(3), np.arange(3.0)),
        (np.zeros(1), -np.zeros(1)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (["a", "b"], ["a", "c"]),
        ([np.zeros(2), np.ones(2)], [np.zeros(2), np.zeros(2)]),
        ([[0.0], []], [[0.0], [1.0]]),
        ([1.0], [NOT]),
    ],
)
def test_only_changed_columns_are_sent(page: Page, before: Any, after: Any) -> None:
    other = np.zeros(len(after))
    page.sent_columns(x=before, y=np.zeros(len(before)))
    assert page.sent_columns(x=after, y=other) == ({"x"} if len(before) == len(after) else {"x", "y"})
    assert len(page.has["x"]) == len(after)
    for sent, expected in zip(page.has["x"], after, strict=True):
        np.testing.assert_array_equal(sent, expected)
    np.testing.assert_array_equal(page.has["y"], other)


def test_unchanged_missing_numbers_are_not_sent_again(page: Page) -> None:
    page.sent_columns(x=np.array([NOT, 1.0]), y=[0, 1])
    assert page.sent_columns(x=np.array([NOT, 1.0]), y=[0, 1]) == set()


def test_an_array_changed_in_place_is_noticed(page: Page) -> None:
    mine, nested = np.zeros(2), [np.zeros(1), np.zeros(1)]
    page.sent_columns(x=mine, y=nested)
    mine[0] = nested[1][0] = 1
    assert page.sent_columns(x=mine, y=nested) == {"x", "y"}


def test_other_columns_are_sent_whole(page: Page) -> None:
    page.sent_columns(x=[1], y=[2])
    assert page.sent_columns(x=[1], z=[2]) == {"x", "z"}


def test_after_a_change_outside_a_batch_everything_is_sent(page: Page) -> None:
    page.sent_columns(x=[1], y=[2])
    page.source.data = {"x": [3], "y": [2]}  # nobody holds this back
    assert page.sent_columns(x=[1], y=[2]) == {"x", "y"}
    page.source.patch({"x": [(0, 5)]})
    assert page.sent_columns(x=[1], y=[2]) == {"x", "y"}


def test_a_new_page_gets_the_whole_state(page: Page) -> None:
    page.sent_columns(x=[1], y=[2])
    reset(page.document)
    assert page.sent_columns(x=[1], y=[2]) == {"x", "y"}


def test_other_changes_are_sent_as_they_come(page: Page) -> None:
    page.document.hold()
    page.axis.end = 5
    [event] = page.document.callbacks._held_events
    assert isinstance(event, DocumentPatchedEvent)
    assert changed_columns(page.document, [event], True) == [event]


class Mirror:
    """A session and what its page has of it, as `app/static/bokeh/kept.js` and Bokeh keep it."""

    def __init__(self, name: str, **settings: Any) -> None:
        self.document, self.has = Document(), dict[str, dict[str, Any]]()
        kind = registry.find(name)
        self.session = Session(self.document, name, kind(**settings), place="here")
        for model in self.session.models:
            self.document.add_root(model)
        connection = SimpleNamespace(_socket=SimpleNamespace(send_message=self._take))
        context = SimpleNamespace(session=SimpleNamespace(_subscribed_connections=[connection], _pending_writes=[]))
        self.document._session_context = lambda: context  # type: ignore[assignment]

    def _take(self, message: Any) -> None:
        for event in message.content["events"]:
            if event["kind"] == "ColumnDataChanged":
                data = Deserializer().decode(event["data"], message.buffers)
                columns = self.has.get(event["model"]["id"], {}) if event["cols"] is not None else {}
                self.has[event["model"]["id"]] = {**columns, **data}

    def check(self) -> None:
        """Every column that was ever told is on the page as it is in the picture."""
        for model, columns in self.has.items():
            source: Any = self.document.get_model_by_id(model)
            assert columns.keys() == source.data.keys()
            for name, values in source.data.items():
                expected = Deserializer().decode(Serializer(deferred=False).encode(values))
                assert len(columns[name]) == len(expected)
                for one, other in zip(columns[name], expected, strict=True):
                    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", first(1, INSTANT))
def test_a_page_has_the_picture_whatever_is_set(name: str) -> None:
    page = Mirror(name)
    page.session.act("show", {})
    kind = type(page.session.simulation)
    for control in control_names(kind):
        for value in ends(kind.param[control]):
            page.session.act("set", {"values": {control: to_text(value)}})
            page.check()
    page.session.act("reset", {"initial": {}})
    page.check()
    assert page.has


@pytest.mark.parametrize("name", first(2, ["degradation", "landscape", "arena", "explorer", "stability"]))
def test_a_page_has_the_picture_of_a_run_from_step_to_step(name: str) -> None:
    kind = registry.find(name)
    assert issubclass(kind, Training)
    page = Mirror(name, **shortest(kind))
    simulation = page.session.simulation
    assert isinstance(simulation, Training)
    state, frames = simulation.start(), []
    for steps in (0, 1, 1000):
        state = simulation.advance(state, steps) if steps else state
        frames.append(simulation.frame(state))
    for frame in (*frames, *frames[::-1]):
        page.session.show(frame)
        page.check()
    assert page.has
