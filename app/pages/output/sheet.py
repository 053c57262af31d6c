"""A page on paper, for a class: its questions with the figures that do not answer them, and the answers apart."""

import re
from collections.abc import Sequence

from markupsafe import Markup

from app.pages.document.page import Page
from app.pages.document.worksheet import FigureStill, Question, WorksheetItem, numbered
from app.pages.output.paper_plot import plot
from app.pages.text.templating import fill

HERE = re.compile(r'(<a\b[^>]* href=")(?=[#?])')
"""An address in a page that leads to the page itself"""

LEAD = re.compile(r'(<p>(?:(?!</?p>).)*</p>)\s*<section class="predict exercise" id="([\w-]+)"', re.DOTALL)
"""The paragraph in front of a prediction, which often says what it is about"""

ALIVE = ("<output", 'class="knob"')
"""What a paragraph has that paper cannot have"""


def sheet(slug: str, kind: str, page: Page) -> Markup:
    """The sheet of a page. `kind` is what stands above its title, such as "Chapter 3".

    A figure stands among the questions where it stands on the page; one that is covered until its prediction is
    answered stands with that answer.
    """
    figures: dict[str, list[FigureStill]] = {}
    for item in page.asked:
        if isinstance(item, FigureStill) and item.covered and item.image:
            figures.setdefault(item.covered, []).append(item)
    html = fill(
        "classroom/sheet",
        slug=slug,
        kind=kind,
        title=page.meta["title"],
        asks=page.meta["question"],
        pieces=_open(page.asked),
        answers=[item for item in page.asked if isinstance(item, Question)],
        told=figures,
        numbers=numbered(page.asked),
        leads={name: Markup(lead) for lead, name in LEAD.findall(page.html) if not any(word in lead for word in ALIVE)},
        plot=plot,
    )
    return Markup(HERE.sub(rf"\g<1>{slug}", str(html)))


def _open(pieces: Sequence[WorksheetItem]) -> list[WorksheetItem]:
    """What stands among the questions."""
    return [piece for piece in pieces if isinstance(piece, Question) or (piece.image and not piece.covered)]
