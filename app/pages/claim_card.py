"""A claim as a card: the reader judges it before the check is shown."""

from markupsafe import Markup

from app.pages.claims import EVIDENCE, JUDGMENTS, VERDICTS, Claim
from app.pages.templating import fill
from app.pages.writer import Writer


def card(writer: Writer, claim: Claim) -> Markup:
    """A claim as HTML, in the words of its own file."""
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
            link=claim.link() if claim.check and claim.check["page"] in writer.library.written else "",
        )
