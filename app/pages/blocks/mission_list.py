"""Missions and the steps of a first minute: tasks for a reader with a simulation, which the page ticks off when
done."""

import json

from markupsafe import Markup, escape

from app.pages.document.page_context import PageContext
from app.pages.text import located_yaml
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill
from sims.comparisons.missions import IGNORED, LISTS


def missions(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The list of missions of the simulation with that id, each in the words of the page.

    Raises ValueError if the simulation is not on the page, or if the words do not match its missions one to one.
    """
    return _list(context, argument, body, "missions", "Mission", "Missions")


def first_minute(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The steps of the first minute with that simulation. Raises ValueError as `missions` does."""
    return _list(context, argument, body, "first_minute", "Step", "Your first minute")


def _list(context: PageContext, argument: str, body: LocatedStr, name: str, word: str, label: str) -> Markup:
    entries = LISTS[name]
    words = located_yaml.fields(located_yaml.load(body, body.line), tuple(entries))
    texts = {key: context.inline(words[key], body.line) for key in words}
    anchor = context.take_id(f"{argument}-{name.replace('_', '-')}")

    def labels() -> Markup:
        if argument not in context.simulations:
            raise ValueError(f"{argument!r} is no simulation of this page; there are {', '.join(context.simulations)}")
        parameters = context.simulations[argument].param
        controls = [setting for setting in context.simulations[argument].settings() if setting not in IGNORED]
        return escape(json.dumps({control: str(parameters[control].label) for control in controls}))

    return fill(
        "directives/exercises/missions",
        id=anchor,
        simulation=argument,
        list=name,
        word=word,
        label=label,
        labels=context.defer(labels, body.line),
        missions=[(key, entries[key], text) for key, text in texts.items()],
    )
