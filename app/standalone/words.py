"""The text below a figure without a page: what it shows, what was computed for it, and what it cannot show."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from app.pictures.base.theme import LIGHT, SANS
from sims.contract.frame import Divergence

ELSEWHERE = {
    "surface": "The surface in three dimensions is drawn by the page's own script, and is left out here.",
    "race": "The race is played by the page's own script; here its numbers move.",
}
"""Tag of a figure → the note shown if the script that draws or plays it is missing"""

STARTS = "The run starts: its engine is loaded, and compiled first where this computer has not run it yet."


def title(simulation_title: str) -> Markup:
    """The heading of a figure."""
    style = f"font: 650 18px/1.3 {SANS}; color: {LIGHT['ink']}; margin: 0"
    return Markup('<p style="{}">{}</p>').format(style, simulation_title)


def words(state: Mapping[str, Any], drawn_elsewhere: list[str]) -> Markup:
    """The sentences about a picture, from the state that a session reports."""
    sentences = [escape(state.get("description", ""))]
    if state["message"]:
        sentences.append(escape(state["message"]))
    elif state["status"] == "waiting":
        sentences.append(escape(f"Waiting for a free worker; place {state['place']} in the queue."))
    elif state.get("playing") and not state.get("step"):
        sentences.append(escape(STARTS))
    if state.get("steps"):
        sentences.append(escape(f"Step {state['step']} of {state['steps']}."))
    sentences += [Markup("<strong>{}</strong>").format(note) for note in state["notes"]]
    for divergence in state.get("diverged", ()):
        sentences.append(Markup("<strong>{}</strong>").format(Divergence(**divergence).sentences()))
    sentences += [escape(ELSEWHERE[kind]) for kind in drawn_elsewhere]
    disclosure = state["disclosure"]
    small = "{computed} {network} Seeds: {seeds} It cannot show: {cannot_show}".format(**disclosure)
    paragraphs = Markup("").join(Markup('<p style="margin: 0 0 6px">{}</p>').format(part) for part in sentences if part)
    style = f"font: 14px/1.45 {SANS}; color: {LIGHT['ink']}; max-width: 46em"
    return Markup('<div style="{}">{}<p style="margin: 0; color: {}; font-size: 12px">{}</p></div>').format(
        style, paragraphs, LIGHT["soft"], small
    )
