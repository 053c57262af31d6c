"""Changes within a block reach a connection as one message, in their final state."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from bokeh.core.serialization import Deserializer
from bokeh.document import Document
from bokeh.document.events import MessageSentEvent
from bokeh.models import ColumnDataSource, Range1d
from bokeh.protocol import Protocol

from app.bokeh_internals.batched_patch import INLINE, batched_patch


class Socket:
    """Takes note of what is sent."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send_message(self, message: Any) -> str:
        self.sent.append(message)
        return "under way"


@pytest.fixture
def opened() -> tuple[Document, ColumnDataSource, Range1d, Socket, Any]:
    document, source, axis, socket = Document(), ColumnDataSource({"x": [0]}), Range1d(start=0, end=1), Socket()
    for model in (source, axis):
        document.add_root(model)
    document.models.flush_synced()
    connection = SimpleNamespace(protocol=Protocol(), _socket=socket)
    session = SimpleNamespace(_subscribed_connections=[connection], _pending_writes=[])
    context = SimpleNamespace(session=session)
    document._session_context = lambda: context  # type: ignore[assignment]
    return document, source, axis, socket, session


def test_a_block_is_one_message(opened: tuple[Document, ColumnDataSource, Range1d, Socket, Any]) -> None:
    document, source, axis, socket, session = opened
    with batched_patch(document):
        axis.end = 2
        source.data = {"x": [1, 2]}
        with batched_patch(document):
            axis.end = 3
        assert socket.sent == []
    [message] = socket.sent
    events = message.content["events"]
    assert {event["model"]["id"] for event in events} == {source.id, axis.id}
    assert [event["new"] for event in events if event["model"]["id"] == axis.id] == [3]
    assert session._pending_writes == ["under way"]


@pytest.mark.parametrize("length", [1, INLINE + 1])
def test_a_message_to_the_page_comes_with_the_changes_and_may_hold_bytes(
    opened: tuple[Document, ColumnDataSource, Range1d, Socket, Any], length: int
) -> None:
    document, _source, axis, socket, _session = opened
    reply = {"file": "numbers.npz", "content": bytes(length)}
    with batched_patch(document):
        axis.end = 2
        document.callbacks.trigger_on_change(MessageSentEvent(document, "reply", reply))
    [message] = socket.sent
    change, sent = message.payload.content["events"]
    assert change["attr"] == "end"
    assert sent["msg_type"] == "reply"
    assert Deserializer().decode(sent["msg_data"], message.buffers) == reply
    assert len(message.buffers) == (length > INLINE)


def test_a_block_without_changes_sends_nothing(
    opened: tuple[Document, ColumnDataSource, Range1d, Socket, Any],
) -> None:
    document, _source, axis, socket, _session = opened
    with batched_patch(document):
        axis.end = 1
    assert socket.sent == []
    assert document.callbacks.hold_value is None


def test_what_goes_wrong_inside_leaves_the_document_open(
    opened: tuple[Document, ColumnDataSource, Range1d, Socket, Any],
) -> None:
    document, _source, axis, socket, _session = opened

    def break_off() -> None:
        with batched_patch(document):
            axis.end = 5
            raise RuntimeError("inside")

    with pytest.raises(RuntimeError, match="inside"):
        break_off()
    assert len(socket.sent) == 1
    assert document.callbacks.hold_value is None


def test_without_a_session_changes_are_heard_as_ever() -> None:
    document, axis, heard = Document(), Range1d(start=0, end=1), list[object]()
    document.add_root(axis)
    document.on_change(heard.append)
    with batched_patch(document):
        axis.end = 2
        assert len(heard) == 1


def test_short_arrays_are_sent_in_the_text_and_long_ones_separately(
    opened: tuple[Document, ColumnDataSource, Range1d, Socket, Any],
) -> None:
    document, source, _axis, socket, _session = opened
    short, long = np.arange(INLINE // 8, dtype=np.float64), np.arange(INLINE // 8 + 1, dtype=np.float64)
    grids = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2]
    for sent, beside in ((short, 0), (long, 1), (grids, 0), (np.array([]), 0)):
        with batched_patch(document):
            source.data = {"x": sent}
        message = socket.sent.pop()
        assert len(message.buffers) == message.header.get("num_buffers", 0) == beside
        [event] = message.payload.content["events"]
        received = Deserializer().decode(event["data"], message.buffers)["x"]
        np.testing.assert_array_equal(received, sent)
        assert received.dtype == sent.dtype
