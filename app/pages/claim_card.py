"""A claim as a card: the reader judges it before the check is shown."""

from typing import Any

from markupsafe import Markup

from app.pages.claims import EVIDENCE, JUDGMENTS, VERDICTS, Claim
from app.pages.roles import cited
from app.pages.templating import fill
from app.pages.writer import Writer


def card(writer: Writer, claim: Claim, home: Any = None) -> Markup:
    """A claim as HTML, in the words of its own file, with a link to the chapter `home`, if that is told."""
    judgment, verdict = VERDICTS[claim.verdict]
    with writer.reading(claim.file):
        return fill(
            "claim",
            claim=claim,
            statement=writer.inline(claim.statement),
            rider=writer.inline(claim.rider),
            correction=writer.inline(claim.correction),
            verdict=verdict,
            judgment=judgment,
            judgments=JUDGMENTS,
            evidence=[EVIDENCE[mark] for mark in claim.evidence],
            sources=cited(writer, claim.sources),
            home=home,
            link=claim.link() if claim.check and claim.check["page"] in writer.library.written else "",
        )
