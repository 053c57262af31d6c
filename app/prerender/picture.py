"""A place on a page → its picture as data: a Bokeh document as it is drawn, and what a finished run changes in it.

A state is what the simulation's own view does with a frame, caught as the changes that Bokeh would send to a browser.
It is told relative to the document as it was drawn, so any state can follow any other.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.document.events import MessageSentEvent

from app.bokeh_internals.bokeh_script import models
from app.bokeh_internals.messages import REPLY
from app.bokeh_internals.recording import record, recorded
from app.live import downloads
from app.live.layout import layout
from app.live.session import Session
from app.pages.document.figure_placement import FigurePlacement
from sims.contract.frame import Frame
from sims.contract.parameters import to_text
from sims.contract.simulation import Simulation, Training

SHEET = "widgets.css"
"""The one style sheet of all widgets; the page's script fills it in."""

FOREIGN = "pn-loading"
"""What marks the style sheets that Panel gives to every widget"""


def drawn(place: FigurePlacement) -> Mapping[str, Any]:
    """The document with everything in it and no data yet, what a page says of it, and the controls of its atlas.

    Raises ValueError where a browser would not know how to draw it.
    """
    document = Document()
    session = Session(document, place.name, place.simulation(), place=place.anchor)
    document.add_root(layout(session).get_root(document))
    data = document.to_json(deferred=False)
    data["roots"] = _dressed(data["roots"], {"used": False})
    unknown = set(_kinds(data)) - models()
    if unknown:
        raise ValueError(f"tools/bokeh-bundle/models.json lacks {', '.join(sorted(unknown))}")
    record(document)
    session.publish_state()
    return {"document": data, "messages": recorded(document), "atlas": atlas(type(session.simulation))}


def state(place: FigurePlacement, simulation: Simulation, frame: Frame) -> list[Any]:
    """What a frame changes in the document as it was drawn, in the form of a Bokeh patch's events."""
    document = Document()
    session = Session(document, place.name, simulation, place=place.anchor)
    with document.models.freeze():
        for model in session.models:
            document.add_root(model)
    record(document)
    session.show(frame, kept=isinstance(simulation, Training))
    return recorded(document)


def numbers(simulation: Simulation, frame: Frame) -> Mapping[str, Any]:
    """What can be taken away from a frame: the messages with its table, and with its files."""
    replies = {kind: downloads.reply(kind, simulation, frame) for kind in downloads.REPLIES}
    document = Document()
    encode = Serializer(deferred=False).encode
    return {kind: encode(MessageSentEvent(document, REPLY, reply)) for kind, reply in replies.items()}


def atlas(kind: type[Simulation]) -> list[tuple[str, list[str]]]:
    """The controls that can be scrubbed, each with the texts of its values."""
    return [(name, [to_text(value) for value in values]) for name, values in kind.atlas.items()]


def states(place: FigurePlacement) -> Iterator[tuple[str, Simulation]]:
    """Every state of a place's atlas by its name, the numbers of its values joined by hyphens, and how to make it.

    What lies next to the page's own settings comes first.
    """
    chosen = type(place.simulation()).atlas
    own = place.simulation().settings()
    steps = [range(len(values)) for values in chosen.values()]
    at = [_nearest(list(values), own[name]) for name, values in chosen.items()]
    ordered = sorted(
        product(*steps), key=lambda indices: sum(abs(step - own) for step, own in zip(indices, at, strict=True))
    )
    for indices in ordered if chosen else ():
        values = {name: list(options)[index] for index, (name, options) in zip(indices, chosen.items(), strict=True)}
        yield "-".join(map(str, indices)), place.simulation(**values)


def _nearest(values: list[Any], own: Any) -> int:
    if own in values:
        return values.index(own)
    if isinstance(own, int | float):
        return min(range(len(values)), key=lambda index: abs(values[index] - own))
    return 0


def _kinds(data: Any) -> Iterator[str]:
    """The qualified names of the models in a document."""
    if isinstance(data, dict) and data.get("type") == "object":
        yield data["name"]
    for item in data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ():
        yield from _kinds(item)


def _dressed(data: Any, flags: dict[str, bool]) -> Any:
    """The same document, with one style sheet of ours in place of those that every widget would load for itself."""
    if isinstance(data, list | tuple):
        return [_dressed(item, flags) for item in data]
    if not isinstance(data, dict):
        return data
    sheets = data.get("stylesheets")
    if isinstance(sheets, list) and any(FOREIGN in str(sheet) for sheet in sheets):
        sheet: dict[str, Any] = {"id": SHEET}
        if not flags["used"]:
            flags["used"] = True
            sheet = {"type": "object", "name": "InlineStyleSheet", "id": SHEET, "attributes": {"css": ""}}
        data = {**data, "stylesheets": [sheet]}
    return {key: _dressed(value, flags) for key, value in data.items()}
