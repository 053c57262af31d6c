"""A claim as a card: the reader judges it before the check is shown."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from app.pages.blocks.roles import calc, cited
from app.pages.data.claims import EVIDENCE, JUDGMENTS, Claim, Expected
from app.pages.document.page_context import PageContext
from app.pages.text.numerals import typeset
from app.pages.text.templating import fill


def card(context: PageContext, claim: Claim, treated: Sequence[Any] = ()) -> Markup:
    """A claim as HTML, in the words of its own file, with links to the chapters in `treated`, if given."""
    with context.reading(claim.file):
        return fill(
            "reference/claim",
            claim=claim,
            statement=context.inline(claim.statement),
            why=context.inline(claim.why),
            condition=context.inline(claim.condition),
            correction=context.inline(claim.correction),
            judgments=JUDGMENTS,
            evidence=[EVIDENCE[mark] for mark in claim.evidence],
            sources=[(cited(context, [key]), context.library.papers[key]) for key in claim.sources],
            computations=[_computation(context, expected) for expected in claim.expected],
            treated=treated,
            link=claim.link() if claim.check and claim.check["page"] in context.library.written else "",
        )


def _computation(context: PageContext, expected: Expected) -> tuple[Markup, str, Markup]:
    """A computed value, the call that computes it, and the expected value or range in the same form."""
    call, _bar, form = expected.calc.partition("|")
    low, high = (typeset(value, form) for value in (expected.low, expected.high))
    text = low if expected.low == expected.high else Markup("{} to {}").format(low, high)
    return calc(context, expected.calc), call, text
