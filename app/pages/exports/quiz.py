"""The questions of pages as learning platforms take them: closed questions, in plain HTML without links or MathML."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from html.entities import html5
from typing import Any

from markupsafe import Markup

from app.pages.document.worksheet import FigureStill, Question
from app.pages.text.plain_text import without_formulas

CHOICE, YES_NO, NUMBER, ORDER = "choice", "yes-no", "number", "order"
KINDS: Mapping[str, str] = {
    "quiz": CHOICE,
    "choice": CHOICE,
    "confidence": YES_NO,
    "number": NUMBER,
    "rank": ORDER,
}
"""Kind of a question on a page → kind of an item. A drawn curve is none: no platform can mark it."""

TOLERANCE = 0.1
"""Share of a number by which an answer may be off, where it need not be whole; our choice"""

KEPT = re.compile(r"</?(?!(?:em|strong|code|sub|sup|p|br)\b)[a-zA-Z][^>]*>")
NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(\w+;)")
"""An entity that HTML has and XML has not"""
ATTRIBUTES = re.compile(r"<(em|strong|code|sub|sup|p|br)\b[^>]*>")


@dataclass(frozen=True)
class Choice:
    """An option: its text, and why it is right or wrong. `right` is false for all options to be put in order."""

    text: str
    right: bool = False
    because: str = ""


@dataclass(frozen=True)
class Item:
    """A question of a page. `options` are in their true order for the kind "order".

    `id` is the page and the id on it; `page` the page's title. `answer` is the number of an item of the kind "number"
    and 1 or 0 for "yes-no"; `tolerance` is absolute. `figure` is the id of the figure that asks it, which the file
    replaces by the figure's address.
    """

    id: str
    page: str
    kind: str
    question: str
    because: str
    options: Sequence[Choice] = ()
    answer: float = 0.0
    tolerance: float = 0.0
    unit: str = ""
    figure: str = ""

    @property
    def where(self) -> str:
        """A line with the address of the figure, as HTML; empty without one. No platform shows the figure itself."""
        return f"<br/>Figure: {escape(self.figure)}" if self.figure else ""


def items(slug: str, title: str, questions: Iterable[Any]) -> list[Item]:
    """The items of a page, from what it has for paper; without those that no platform can mark, and without numbers
    that are not computed yet."""
    questions = list(questions)
    figures = {piece.covered: piece.id for piece in questions if isinstance(piece, FigureStill)}
    quiz_items = []
    for question in questions:
        if not isinstance(question, Question) or question.kind not in KINDS:
            continue
        kind = KINDS[question.kind]
        if kind == NUMBER and question.value is None:
            continue
        quiz_items.append(_item(slug, title, kind, question, figures.get(question.id, "")))
    return quiz_items


def _item(slug: str, title: str, kind: str, question: Question, figure: str) -> Item:
    value = float(question.value or 0.0)
    whole = question.limits is not None and question.limits.whole
    if kind == ORDER:
        options = [Choice(plain(text)) for text in question.answer]
    else:
        options = [Choice(plain(option.text), option.right, plain(option.because)) for option in question.options]
    if kind == YES_NO:
        value = float(question.answer[0].lower() == "yes")
    return Item(
        id=f"{slug}.{question.id}",
        page=title,
        kind=kind,
        question=plain(question.question),
        because=plain(question.because),
        options=options,
        answer=value,
        tolerance=0.0 if whole or kind != NUMBER else abs(value) * TOLERANCE or math.ulp(1.0),
        unit=question.unit if kind == NUMBER else "",
        figure=figure,
    )


def restored(data: Mapping[str, Any]) -> Item:
    """The item out of its fields, as JSON has them."""
    return Item(**{**data, "options": [Choice(**option) for option in data["options"]]})


def plain(html: Markup | str) -> str:
    """The HTML with nothing but emphasis, code and paragraphs, formulas as text; it is well-formed XML, too."""
    text = KEPT.sub("", without_formulas(str(html)))
    text = ATTRIBUTES.sub(r"<\1>", text).replace("<br>", "<br/>")
    return " ".join(NAMED.sub(lambda match: html5.get(match[1], match[0]), text).split())
