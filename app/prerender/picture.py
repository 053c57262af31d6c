"""Makes the picture of a figure as data: the Bokeh document as first drawn, and the changes that a frame makes to it.

A state consists of the changes that Bokeh would send to a browser when the view shows a frame. It is relative to the
document as first drawn, so the page can apply any state after any other.
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
from app.prerender.browser_training import browser_training
from sims.contract.frame import Frame
from sims.contract.parameters import to_text
from sims.contract.simulation import Simulation

SHEET = "widgets.css"
"""The id of the one style sheet that all widgets share; the page's script fills it in."""

FOREIGN = "pn-loading"
"""Text by which Panel's own style sheets of widgets are recognized"""


def drawn(place: FigurePlacement) -> Mapping[str, Any]:
    """The complete document without data, the messages with the page's text, the controls of the atlas, and what a
    page needs to train the figure by itself.

    Raises ValueError if the document contains a model that is not in the browser's bundle.
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
    trains = browser_training(place, session.view, states(place))
    return {
        "document": data,
        "messages": recorded(document),
        "atlas": atlas(type(session.simulation)),
        **({"trains": trains} if trains else {}),
    }


def state(place: FigurePlacement, simulation: Simulation, frame: Frame) -> list[Any]:
    """The changes that a frame makes to the document as first drawn, as the events of a Bokeh patch."""
    document = Document()
    session = Session(document, place.name, simulation, place=place.anchor)
    with document.models.freeze():
        for model in session.models:
            document.add_root(model)
    record(document)
    session.show(frame, kept=frame.step > 0)
    return recorded(document)


def numbers(simulation: Simulation, frame: Frame) -> Mapping[str, Any]:
    """The downloads of a frame: the messages with its data table, and with its files."""
    replies = {kind: downloads.reply(kind, simulation, frame) for kind in downloads.REPLIES}
    document = Document()
    encode = Serializer(deferred=False).encode
    return {kind: encode(MessageSentEvent(document, REPLY, reply)) for kind, reply in replies.items()}


def atlas(kind: type[Simulation]) -> list[tuple[str, list[str]]]:
    """The controls that can be scrubbed, each with its values as text."""
    return [(name, [to_text(value) for value in values]) for name, values in kind.atlas.items()]


def states(place: FigurePlacement) -> Iterator[tuple[str, Simulation]]:
    """Every state of a place's atlas: its name (the indices of its values, joined by hyphens) and its simulation.

    States closest to the page's own settings come first.
    """
    controls = type(place.simulation()).atlas
    own = place.simulation().settings()
    steps = [range(len(values)) for values in controls.values()]
    nearest = [_nearest(list(values), own[name]) for name, values in controls.items()]
    ordered = sorted(
        product(*steps), key=lambda indices: sum(abs(step - own) for step, own in zip(indices, nearest, strict=True))
    )
    for indices in ordered if controls else ():
        values = {name: list(options)[index] for index, (name, options) in zip(indices, controls.items(), strict=True)}
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
    """The document with one shared style sheet in place of those that each widget would load for itself."""
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
