"""A place on a page → its picture as data: a Bokeh document as it is drawn, and what a finished run changes in it.

A state is what the simulation's own view does with a frame, caught as the changes that Bokeh would send to a browser.
It is told relative to the document as it was drawn, so any state can follow any other.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent, MessageSentEvent

from app.live import downloads
from app.live.layout import layout
from app.live.session import REPLY, Session
from app.pages.document.figure_placement import Place
from app.pages.files.bokeh_script import models
from sims.contract.frame import Frame
from sims.contract.parameters import to_text
from sims.contract.simulation import Simulation, Training

SHEET = "widgets.css"
"""The one style sheet of all widgets; the page's script fills it in."""

FOREIGN = "pn-loading"
"""What marks the style sheets that Panel gives to every widget"""


def drawn(place: Place) -> Mapping[str, Any]:
    """The document with everything in it and no data yet, what a page says of it, and the controls of its atlas.

    Raises ValueError where a browser would not know how to draw it.
    """
    document = Document()
    session = Session(document, place.name, place.simulation(), place=place.anchor)
    document.add_root(layout(session).get_root(document))
    told = document.to_json(deferred=False)
    told["roots"] = _dressed(told["roots"], {"used": False})
    unknown = set(_kinds(told)) - models()
    if unknown:
        raise ValueError(f"tools/bokeh-bundle/models.json lacks {', '.join(sorted(unknown))}")
    document.hold("combine")
    session.tell()
    return {"document": told, "messages": _encoded(document), "atlas": atlas(type(session.simulation))}


def state(place: Place, simulation: Simulation, frame: Frame) -> list[Any]:
    """What a frame changes in the document as it was drawn, in the form of a Bokeh patch's events."""
    document = Document()
    session = Session(document, place.name, simulation, place=place.anchor)
    with document.models.freeze():
        for model in session.models:
            document.add_root(model)
    document.models.flush_synced()
    document.hold("combine")
    session.show(frame, kept=isinstance(simulation, Training))
    return _encoded(document)


def numbers(simulation: Simulation, frame: Frame) -> Mapping[str, Any]:
    """What can be taken away from a frame: the messages with its table, and with its files."""
    replies = {kind: downloads.reply(kind, simulation, frame) for kind in downloads.REPLIES}
    document = Document()
    encode = Serializer(deferred=False).encode
    return {kind: encode(MessageSentEvent(document, REPLY, reply)) for kind, reply in replies.items()}


def atlas(kind: type[Simulation]) -> list[tuple[str, list[str]]]:
    """The controls that can be scrubbed, each with the texts of its values."""
    return [(name, [to_text(value) for value in values]) for name, values in kind.atlas.items()]


def states(place: Place) -> Iterator[tuple[str, Simulation]]:
    """Every state of a place's atlas by its name, the numbers of its values joined by hyphens, and how to make it.

    What lies next to the page's own settings comes first.
    """
    chosen = type(place.simulation()).atlas
    own = place.simulation().settings()
    steps = [range(len(values)) for values in chosen.values()]
    at = [_nearest(list(values), own[name]) for name, values in chosen.items()]
    every = sorted(product(*steps), key=lambda each: sum(abs(step - own) for step, own in zip(each, at, strict=True)))
    for each in every if chosen else ():
        values = {name: list(options)[index] for index, (name, options) in zip(each, chosen.items(), strict=True)}
        yield "-".join(map(str, each)), place.simulation(**values)


def _encoded(document: Document) -> list[Any]:
    """The changes and messages that a document holds back."""
    events = [each for each in document.callbacks._held_events if isinstance(each, DocumentPatchedEvent)]
    serializer = Serializer(references=document.models.synced_references, deferred=False)
    encoded: list[Any] = serializer.encode(events)
    return encoded


def _nearest(values: list[Any], own: Any) -> int:
    if own in values:
        return values.index(own)
    if isinstance(own, int | float):
        return min(range(len(values)), key=lambda index: abs(values[index] - own))
    return 0


def _kinds(told: Any) -> Iterator[str]:
    """The qualified names of the models in a document."""
    if isinstance(told, dict) and told.get("type") == "object":
        yield told["name"]
    for each in told.values() if isinstance(told, dict) else told if isinstance(told, list | tuple) else ():
        yield from _kinds(each)


def _dressed(told: Any, seen: dict[str, bool]) -> Any:
    """The same document, with one style sheet of ours in place of those that every widget would load for itself."""
    if isinstance(told, list | tuple):
        return [_dressed(each, seen) for each in told]
    if not isinstance(told, dict):
        return told
    sheets = told.get("stylesheets")
    if isinstance(sheets, list) and any(FOREIGN in str(each) for each in sheets):
        sheet: dict[str, Any] = {"id": SHEET}
        if not seen["used"]:
            seen["used"] = True
            sheet = {"type": "object", "name": "InlineStyleSheet", "id": SHEET, "attributes": {"css": ""}}
        told = {**told, "stylesheets": [sheet]}
    return {key: _dressed(value, seen) for key, value in told.items()}
