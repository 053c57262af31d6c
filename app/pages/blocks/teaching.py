"""Directives of the page for teachers: timed lesson plans of deep links, worksheets, the entrance to a classroom."""

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from app.pages.document.writer import PageContext
from app.pages.files.sources import HOME, SHEET
from app.pages.text import located_yaml
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill

PLACE = re.compile(r"([\w-]*)((?:\?[^#]*)?(?:#.*)?)")
"""A page, and the query and fragment that follow it in an address"""

DESKS = ("open", "join")


def lesson(writer: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A lesson plan: an id and a title, and a list of steps. Each has a minute and what to do, and may have an address
    to open, a question to ask, and what to expect. Raises ValueError if the minutes do not increase.
    """
    anchor, _space, title = argument.partition(" ")
    steps = located_yaml.load(body, body.line)
    if not title or not isinstance(steps, list) or not steps:
        raise ValueError("expected an id, a title, and a list of steps")
    writer.take_id(anchor)
    parsed = [_step(writer, step, body.line) for step in steps]
    minutes = [step["minute"] for step in parsed]
    if minutes != sorted(set(minutes)):
        raise ValueError("minute: it rises from step to step")
    return fill("classroom/lesson", id=anchor, title=writer.inline(title, body.line - 1), steps=parsed)


def _step(writer: PageContext, step: Any, line: int) -> Mapping[str, Any]:
    data = located_yaml.fields(step, ("minute", "do"), ("open", "ask", "expect"))
    minute = data["minute"]
    if isinstance(minute, bool) or not isinstance(minute, int) or minute < 0:
        raise ValueError(f"minute: expected a whole number, not {minute!r}")
    place = str(data.get("open", ""))
    match = PLACE.fullmatch(place)
    if match is None or (place and match[1] not in writer.library.slugs):
        raise ValueError(f"open: there is no page for {place!r}")
    words = {name: writer.inline(data[name], line) if name in data else "" for name in ("do", "ask", "expect")}
    return {"minute": minute, "open": f"./{match[2]}" if match[1] == HOME else place, **words}


def sheets(writer: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The worksheets of all pages that teach."""
    if argument or body.strip():
        raise ValueError("the titles come from the pages; the directive has no text of its own")
    return fill("classroom/sheets", sheets=[(SHEET + slug, title) for slug, title in writer.library.titles.items()])


def room(writer: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The form for a classroom: `open` for its teacher, `join` for those who have a code."""
    if argument not in DESKS:
        raise ValueError(f"the desk of a room is one of {', '.join(DESKS)}, not {argument!r}")
    return fill("classroom/room_desk", id=writer.take_id(f"{argument}-a-room"), desk=argument)
