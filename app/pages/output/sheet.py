"""Worksheets: the questions of a page with the figures that do not answer them, then the answers on their own."""

import re
from collections.abc import Sequence

from markupsafe import Markup

from app.pages.document.page import Page
from app.pages.document.worksheet import FigureStill, Question, WorksheetItem, numbered
from app.pages.output.paper_plot import plot
from app.pages.text.templating import fill

HERE = re.compile(r'(<a\b[^>]* href=")(?=[#?])')
"""The start of a link within the page"""

LEAD = re.compile(
    r"(<p>(?:(?!</?p>).)*</p>)\s*"
    r'(?:<figure class="simulation[^>]*>\s*<h\d class="title"[^>]*>(?:(?!</h\d>).)*</h\d>\s*)?'
    r'<section class="predict exercise" id="([\w-]+)"',
    re.DOTALL,
)
"""A prediction, which may be asked in a figure, with the paragraph before it, which often says what it is about"""

ALIVE = ("<output", 'class="knob"')
"""Marks of a paragraph with live parts, which do not work on paper"""


def sheet(slug: str, kind: str, page: Page) -> Markup:
    """The worksheet of a page. `kind` is the line above its title, such as "Chapter 3".

    Figures appear among the questions in the order of the page; a figure that is covered until its prediction is
    answered appears with that answer.
    """
    covered: dict[str, list[FigureStill]] = {}
    for item in page.worksheet:
        if isinstance(item, FigureStill) and item.covered and item.image:
            covered.setdefault(item.covered, []).append(item)
    html = fill(
        "classroom/sheet",
        slug=slug,
        kind=kind,
        title=page.meta["title"],
        asks=page.meta["question"],
        pieces=_open(page.worksheet),
        answers=[item for item in page.worksheet if isinstance(item, Question)],
        told=covered,
        numbers=numbered(page.worksheet),
        leads=leads(page),
        plot=plot,
    )
    return Markup(HERE.sub(rf"\g<1>{slug}", str(html)))


def leads(page: Page) -> dict[str, Markup]:
    """Id of a prediction → the paragraph before it, unless that has live parts."""
    return {name: Markup(lead) for lead, name in LEAD.findall(page.html) if not any(word in lead for word in ALIVE)}


def _open(pieces: Sequence[WorksheetItem]) -> list[WorksheetItem]:
    """The items of the question part: all questions, and the figures that give no answer away."""
    return [piece for piece in pieces if isinstance(piece, Question) or (piece.image and not piece.covered)]
