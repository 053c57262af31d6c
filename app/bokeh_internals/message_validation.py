"""Validates what a page sends over its websocket: requests, points chosen on a surface, and gestures that a figure
listens to.

Everything else is refused before Bokeh decodes it: in Bokeh's format, a few bytes can request any amount of memory, and
can write any attribute of any model.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.model import Model
from bokeh.models import Selection

from app.bokeh_internals.messages import REQUEST

AT_ONCE = 32
"""The most events in one message; the page queues 24 of them while it has no session."""

CHOSEN = 16
"""The most points that can be chosen at once"""

LAST = 2**31
"""Exclusive upper limit for the index of a point"""

CHANGED, SENT = KINDS = ("ModelChanged", "MessageSent")
MOVE = "pan"
GESTURES = ("tap", "panstart", MOVE, "panend")
PLACE = ("x", "y")
COORDINATES = (*PLACE, "sx", "sy", "delta_x", "delta_y")
"""The coordinates Bokeh sends with a gesture, besides the modifier keys; views use the first two."""


class InvalidMessage(Exception):
    """A message that no page of ours sends. The text says why, and quotes nothing of what was sent."""


def check_header(header: str) -> None:
    """Raises InvalidMessage unless the header is of the one kind of message that pages send."""
    data = _read(header)
    if data.keys() != {"msgid", "msgtype"} or data["msgtype"] != "PATCH-DOC":
        raise InvalidMessage("This kind of message is not taken.")


def validate_events(content: str, document: Document) -> list[dict[str, Any]]:
    """The events of a message that something in the document listens to, rebuilt from known parts only.

    Only the result may be decoded by Bokeh. Raises InvalidMessage. A gesture with a coordinate that is missing, not a
    number or not finite is left out.
    """
    message = _read(content)
    events = message.get("events")
    if message.keys() != {"events"} or not isinstance(events, list):
        raise InvalidMessage("A message holds events and nothing else.")
    if len(events) > AT_ONCE:
        raise InvalidMessage("There are too many events in one message.")
    if not all(isinstance(event, dict) and event.get("kind") in KINDS for event in events):
        raise InvalidMessage("This kind of event is not taken.")
    admitted = [_admitted(event, document) for event in events]
    return [event for event in admitted if event is not None]


def dragged_model(event: Mapping[str, Any]) -> str | None:
    """The model of a mouse move, since only the latest move counts; None for every other event."""
    data = event.get("msg_data")
    return data["values"]["entries"][0][1]["id"] if isinstance(data, dict) and data["name"] == MOVE else None


def _read(text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidMessage("This is not JSON.") from None
    if not isinstance(data, dict):
        raise InvalidMessage("A part of a message is an object.")
    return data


def _model(reference: Any, document: Document) -> Model:
    name = reference.get("id") if isinstance(reference, dict) and reference.keys() == {"id"} else None
    model = document.get_model_by_id(ID(name)) if isinstance(name, str) else None
    if model is None:
        raise InvalidMessage("There is no such model.")
    return model


def _admitted(event: Mapping[str, Any], document: Document) -> dict[str, Any] | None:
    if event["kind"] == CHANGED:
        return _choice(event, document)
    if event.get("msg_type") == REQUEST:
        return _request(event, document)
    return _gesture(event, document)


def _request(event: Mapping[str, Any], document: Document) -> dict[str, Any]:
    """A request: a text that the session parses. Bokeh passes it through unchanged."""
    if event.keys() != {"kind", "msg_type", "msg_data"} or not isinstance(event["msg_data"], str):
        raise InvalidMessage("This is not a request.")
    if not document.callbacks._message_callbacks.get(REQUEST):
        raise InvalidMessage("Nothing listens to this event.")
    return {"kind": SENT, "msg_type": REQUEST, "msg_data": event["msg_data"]}


def _choice(event: Mapping[str, Any], document: Document) -> dict[str, Any] | None:
    """The points a reader has chosen, the only value that a page may set; None where nothing listens to it."""
    if event.keys() != {"kind", "model", "attr", "new"}:
        raise InvalidMessage("This is not a change of a value.")
    model, attribute, new = _model(event["model"], document), event["attr"], event["new"]
    if not (isinstance(model, Selection) and attribute == "indices" and _points(new)):
        raise InvalidMessage("This value is not taken.")
    listens = bool(model._callbacks.get(attribute))
    return {"kind": CHANGED, "model": {"id": model.id}, "attr": attribute, "new": new} if listens else None


def _points(new: Any) -> bool:
    return (
        isinstance(new, list) and len(new) <= CHOSEN and all(type(index) is int and 0 <= index < LAST for index in new)
    )


def _gesture(event: Mapping[str, Any], document: Document) -> dict[str, Any] | None:
    """A press or a drag in a figure; None if its position is unknown."""
    message = event.get("msg_data")
    if event.keys() != {"kind", "msg_type", "msg_data"} or event["msg_type"] != "bokeh_event":
        raise InvalidMessage("This kind of event is not taken.")
    if not isinstance(message, dict) or message.keys() != {"type", "name", "values"} or message["type"] != "event":
        raise InvalidMessage("This kind of event is not taken.")
    name, values = message["name"], _entries(message["values"])
    model = _model(values.pop("model", None), document)
    if name not in GESTURES or not model._event_callbacks.get(name):
        raise InvalidMessage("Nothing listens to this event.")
    keys = values.pop("modifiers", None)
    if keys is not None and not all(isinstance(entry, bool) for entry in _entries(keys).values()):
        raise InvalidMessage("This is not a gesture.")
    if not values.keys() <= set(COORDINATES) or not all(_plain(value) for value in values.values()):
        raise InvalidMessage("This is not a gesture.")
    if not all(_finite(values.get(coordinate)) for coordinate in PLACE):
        return None
    places = [[coordinate, values[coordinate]] for coordinate in COORDINATES if _finite(values.get(coordinate))]
    data = {"type": "map", "entries": [["model", {"id": model.id}], *places]}
    return {"kind": SENT, "msg_type": "bokeh_event", "msg_data": {**message, "values": data}}


def _entries(mapping: Any) -> dict[str, Any]:
    """The entries of a mapping, in Bokeh's encoding."""
    if not isinstance(mapping, dict) or not mapping.keys() <= {"type", "entries"} or mapping.get("type") != "map":
        raise InvalidMessage("This is not a gesture.")
    entries = mapping.get("entries", [])
    if not isinstance(entries, list):
        raise InvalidMessage("This is not a gesture.")
    if not all(isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) for entry in entries):
        raise InvalidMessage("This is not a gesture.")
    return dict(entries)


def _plain(value: Any) -> bool:
    """Whether this is a JSON scalar, or Bokeh's encoding of a number that JSON lacks."""
    return not isinstance(value, dict | list) or (
        isinstance(value, dict) and value.keys() == {"type", "value"} and value["type"] == "number"
    )


def _finite(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
