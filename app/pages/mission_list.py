"""Missions: what a reader tries with a simulation, ticked by the page when a run has done it."""

import json

from markupsafe import Markup

from app.pages import marked_yaml
from app.pages.marked_yaml import Text
from app.pages.templating import fill
from app.pages.writer import Writer
from sims.comparisons.missions import IGNORED, MISSIONS


def missions(writer: Writer, argument: str, body: Text) -> Markup:
    """The list of missions of the simulation with that id, each with the words of the page.

    Raises ValueError where the simulation is not on the page, and where the words are not those of every mission.
    """
    words = marked_yaml.fields(marked_yaml.load(body, body.line), tuple(MISSIONS))
    texts = {name: writer.inline(words[name], body.line) for name in words}
    anchor = writer.take_id(f"{argument}-missions")

    def made() -> Markup:
        if argument not in writer.simulations:
            raise ValueError(f"{argument!r} is no simulation of this page; there are {', '.join(writer.simulations)}")
        parameters = writer.simulations[argument].param
        labels = {name: str(parameters[name].label) for name in writer.simulations[argument].settings()}
        return fill(
            "missions",
            id=anchor,
            simulation=argument,
            labels=json.dumps({name: label for name, label in labels.items() if name not in IGNORED}),
            missions=[(name, MISSIONS[name], text) for name, text in texts.items()],
        )

    return writer.later(made, body.line)
