"""The questions of the whole site as cards, to be answered once more on one page."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.pages.data.claims import DEPENDS, JUDGMENTS, Claim
from app.pages.document.page import Page
from app.pages.document.page_context import PageContext
from app.pages.document.worksheet import FigureStill, Option, Question
from app.pages.files.sources import CLAIMS, HOME
from app.pages.output.sheet import HERE, leads
from app.pages.text.templating import fill

TERM = re.compile(r'<a class="term"[^>]*>(.*?)</a>', re.DOTALL)
CARD = re.compile(r' data-card="[^"]*"')
"""What names an explanation or a paper that only the page of the question brings along"""


@dataclass(frozen=True)
class Card:
    """One question: its `page` and its `id` there, the title of the page, `lead`, the paragraph before it, which often
    says what it is about, its form, and a link to what shows the answer."""

    page: str
    id: str
    title: str
    lead: Markup
    form: Markup
    see: Markup


def cards(pages: Mapping[str, Page], titles: Mapping[str, str]) -> list[Card]:
    """The questions of the pages in reading order."""
    return [
        _card(slug, titles.get(slug, slug), page, number, question)
        for slug, page in pages.items()
        for number, question in enumerate(page.worksheet)
        if isinstance(question, Question)
    ]


def claim_cards(context: PageContext, claims: Iterable[Claim]) -> list[Card]:
    """The claims, each with the judgments as options; the right one has the reason. `context` is the page that the
    cards are on."""
    return [_claim_card(context, claim) for claim in claims]


def _claim_card(context: PageContext, claim: Claim) -> Card:
    with context.reading(claim.file):
        statement, reason = context.inline(claim.statement), context.inline(claim.correction)
        condition = context.inline(claim.condition)
    if claim.judgment == DEPENDS:
        reason = Markup("It holds if {} {}").format(condition, reason)
    options = [
        Option(Markup.escape(words), judgment == claim.judgment, reason if judgment == claim.judgment else Markup())
        for judgment, words in JUDGMENTS.items()
    ]
    question = Question(f"{CLAIMS}-{claim.id}", "quiz", Markup("Is it true? “{}”").format(statement), options)
    shown = claim.check is not None and claim.check["page"] in context.library.written
    return Card(
        page=CLAIMS,
        id=claim.id,
        title=f"Claim {claim.id}",
        lead=Markup(),
        form=fill("directives/exercises/quiz", asked=question),
        see=Markup('<a href="{}">See it in the figure that checks it</a>').format(claim.link()) if shown else Markup(),
    )


def _card(slug: str, title: str, page: Page, number: int, question: Question) -> Card:
    # An id of its own: two pages may have questions with the same one.
    alone = replace(
        question,
        id=f"{slug}-{question.id}",
        in_figure=False,
        rows=(),
        curve=replace(question.curve, in_figure=False) if question.curve else None,
    )
    if question.kind == "quiz":
        form = fill("directives/exercises/quiz", asked=alone)
    else:
        form = fill("directives/exercises/predict", asked=alone, stage="")
    return Card(
        page=slug,
        id=question.id,
        title=title,
        lead=_elsewhere(slug, leads(page).get(question.id, Markup())),
        form=_elsewhere(slug, form),
        see=_elsewhere(slug, question.see or _figure(page, number, question)),
    )


def _figure(page: Page, number: int, question: Question) -> Markup:
    """A link to the figure that answers a prediction: the one that it is asked in, or the one right below it."""
    figures = [item for item in page.worksheet if isinstance(item, FigureStill)]
    below = page.worksheet[number + 1 : number + 2]
    shown = [figure for figure in figures if figure.covered == question.id]
    if question.kind != "quiz":
        shown += [item for item in below if isinstance(item, FigureStill) and not item.covered]
    return (
        Markup('<a href="#{}">See it in the figure “{}”</a>').format(shown[0].id, shown[0].title) if shown else Markup()
    )


def _elsewhere(slug: str, html: Markup) -> Markup:
    """The HTML for another page than its own: links within the page lead to it, and terms are plain words."""
    plain = CARD.sub("", TERM.sub(r"\1", str(html)))
    return Markup(HERE.sub(rf"\g<1>{'./' if slug == HOME else slug}", plain))
