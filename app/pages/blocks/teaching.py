"""Directives of the pages for teachers: timed lesson plans of deep links with their answers, sheets to hand out, exit
tickets, worksheets, the entrance to a classroom."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from app.pages.data.claims import JUDGMENTS
from app.pages.document.lesson import Lesson, Step
from app.pages.document.page_context import PageContext
from app.pages.files import quiz_names
from app.pages.files.sources import HOME, SHEET, SLIDES
from app.pages.text import located_yaml
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill

PLACE = re.compile(r"([\w-]*)((?:\?[^#]*)?(?:#.*)?)")
"""A page, and the query and fragment that follow it in an address"""

DESKS = ("open", "join")


def lesson(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A lesson plan: an id and a title; what students can do afterwards (`aims`), what they need before (`needs`), and
    `steps`. A step has a minute and what to do, and may have an address to open, a question to ask, and what to expect.
    A question has an answer, and may have wrong answers, each with a reply. Raises ValueError if the minutes do not
    increase.
    """
    anchor, _space, title = argument.partition(" ")
    data = located_yaml.load(body, body.line)
    if not title or not isinstance(data, Mapping):
        raise ValueError("expected an id, a title, and aims, needs and steps")
    plan = located_yaml.fields(data, ("aims", "needs", "steps"))
    context.take_id(anchor)
    steps = [_step(context, step, body.line) for step in _list(plan["steps"], "steps")]
    minutes = [step.minute for step in steps]
    if minutes != sorted(set(minutes)):
        raise ValueError("minute: it rises from step to step")
    finished = Lesson(
        id=anchor,
        title=context.inline(title, body.line - 1),
        aims=[context.inline(aim, body.line) for aim in _list(plan["aims"], "aims")],
        needs=context.inline(plan["needs"], body.line),
        steps=steps,
    )
    context.lessons.append(finished)
    key = context.free_id(f"{anchor}-answers")
    return fill("classroom/lesson", lesson=finished, key=key, slides=f"{SLIDES}{anchor}")


def _step(context: PageContext, step: Any, line: int) -> Step:
    data = located_yaml.fields(step, ("minute", "do"), ("open", "ask", "expect", "answer", "wrong"))
    minute = data["minute"]
    if isinstance(minute, bool) or not isinstance(minute, int) or minute < 0:
        raise ValueError(f"minute: expected a whole number, not {minute!r}")
    place = str(data.get("open", ""))
    match = PLACE.fullmatch(place)
    if match is None or (place and match[1] not in context.library.slugs):
        raise ValueError(f"open: there is no page for {place!r}")
    if ("ask" in data) != ("answer" in data):
        raise ValueError("ask: a question has an answer, and an answer a question")
    words = {name: context.inline(data[name], line) for name in ("do", "ask", "expect", "answer") if name in data}
    replies = [located_yaml.fields(reply, ("says", "reply")) for reply in _list(data.get("wrong", []), "wrong", 0)]
    return Step(
        minute=minute,
        open=f"./{match[2]}" if match[1] == HOME else place,
        wrong=[(context.inline(wrong["says"], line), context.inline(wrong["reply"], line)) for wrong in replies],
        **words,
    )


def _list(data: Any, name: str, least: int = 1) -> Sequence[Any]:
    if not isinstance(data, list) or len(data) < least:
        raise ValueError(f"{name}: expected a list of at least {least}")
    return data


def ticket(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """Questions for the last minutes, on a sheet of their own, and their answers in a fold: an id, a title, and a list
    of questions, each with its answer and, if it needs more than two, the number of lines to write on.

    Raises ValueError if the title is missing.
    """
    anchor, _space, title = argument.partition(" ")
    questions = [
        located_yaml.fields(entry, ("ask", "answer"), ("lines",))
        for entry in _list(located_yaml.load(body, body.line), "a ticket")
    ]
    if not title:
        raise ValueError("expected an id, a title, and questions with answers")
    return fill(
        "classroom/ticket",
        id=context.take_id(anchor),
        key=context.free_id(f"{anchor}-answers"),
        title=context.inline(title, body.line - 1),
        questions=[
            (
                context.inline(entry["ask"], body.line),
                context.inline(entry["answer"], body.line),
                int(entry.get("lines", 2)),
            )
            for entry in questions
        ],
    )


def handouts(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """Claims for groups, a sheet each: a list of ids of claims with what to change in the figure that checks it. What
    would have refuted it, and its verdict, are in a fold at the end.

    Raises ValueError for a title, or for a claim that does not exist or that no figure checks.
    """
    sheets = []
    for entry in _list(located_yaml.load(body, body.line), "handouts"):
        data = located_yaml.fields(entry, ("claim", "change", "refuted"))
        claim = context.library.claims.get(data["claim"])
        if claim is None or not claim.link():
            raise ValueError(f"claim: there is no claim {data['claim']!r} with a figure that checks it")
        context.claims.append(claim.id)
        with context.reading(claim.file):
            statement, why = context.inline(claim.statement), context.inline(claim.why)
            correction = context.inline(claim.correction)
        sheets.append(
            {
                "id": context.take_id(claim.id),
                "statement": statement,
                "why": why,
                "link": claim.link(),
                "change": context.inline(data["change"], body.line),
                "refuted": context.inline(data["refuted"], body.line),
                "verdict": f"{claim.verdict} {claim.condition}".strip().rstrip(".") + ".",
                "correction": correction,
            }
        )
    if argument:
        raise ValueError("handouts have no title: each has its claim")
    return fill("classroom/handouts", sheets=sheets, key=context.free_id("verdicts"), judgments=JUDGMENTS)


def sheets(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The worksheets of all pages that teach, and their questions as files for learning platforms.

    Raises ValueError if there is an argument or a body.
    """
    if argument or body.strip():
        raise ValueError("the titles come from the pages; the directive has no text of its own")
    return fill(
        "classroom/sheets",
        sheets=[(SHEET + slug, quiz_names.of_page(slug), title) for slug, title in context.library.titles.items()],
        whole=quiz_names.WHOLE,
        formats=quiz_names.FORMATS,
    )


def room(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The form for a classroom: `open` for its teacher, `join` for those who have a code.

    Raises ValueError for any other form.
    """
    if argument not in DESKS:
        raise ValueError(f"the desk of a room is one of {', '.join(DESKS)}, not {argument!r}")
    return fill("classroom/room_desk", id=context.take_id(f"{argument}-a-room"), desk=argument)
