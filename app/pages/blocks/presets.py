"""Links with the settings of a simulation: one click applies them and trains."""

import json
import re

from markupsafe import Markup

from app.pages.document.page_context import PageContext
from app.pages.text.located_yaml import LocatedStr
from sims.contract.address import query
from sims.contract.parameters import read, to_text

NEXT = re.compile(r",\s*(?=\w+=)")
"""The comma between two settings: a value, such as a list of numbers, may have commas of its own"""

FORM = re.compile(r"(?P<shown>.+?)\s*<(?P<place>[\w-]+):\s*(?P<settings>[^<>]*)>", re.DOTALL)


def preset(context: PageContext, content: LocatedStr) -> Markup:
    """A link from `shown words <id: name=value, name=value>` that sets these parameters of a simulation on this page.

    Without the page's script, the link reloads the page with the settings in its address. Raises ValueError if there is
    no such simulation or it does not accept the values.
    """
    match = FORM.fullmatch(content)
    if match is None:
        raise ValueError(f"{content!r} is not of the form words <id: name=value, ...>")
    return link(context, context.inline(match["shown"], content.line), match["place"], match["settings"], content.line)


def link(context: PageContext, label: Markup, place: str, settings: str, line: int) -> Markup:
    """The link of a preset with any label; `settings` are `name=value, name=value`. Raises as `preset` does."""
    pairs = dict(part.strip().partition("=")[::2] for part in NEXT.split(settings) if part.strip())

    def render() -> Markup:
        if place not in context.simulations:
            raise ValueError(f"{place!r} is no simulation of this page; there are {', '.join(context.simulations)}")
        settings, notes = read(type(context.simulations[place]), pairs)
        if notes:
            raise ValueError(" ".join(notes))
        texts = {name: to_text(value) for name, value in settings.items()}
        return Markup('<a class="preset" href="{}#{}" data-for="{}" data-preset="{}">{}</a>').format(
            query(place, texts), place, place, json.dumps(texts), label
        )

    return context.defer(render, line)


def held(context: PageContext, content: LocatedStr) -> Markup:
    """A table cell's content that is hidden until the run of the preset in its row has ended, or a reader asks for
    it."""
    return Markup('<details class="held"><summary>bet first</summary>{}</details>').format(
        context.inline(content, content.line)
    )
