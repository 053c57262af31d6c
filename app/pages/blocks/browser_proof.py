"""The directive `{proof}`: readers train in their own browser, and compare all bits with what our code made."""

from markupsafe import Markup

from app.pages.document.page_context import PageContext
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill
from sims.kept import browser_kernels


def browser_proof(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A button that trains, and a table for the results. The directive has no body.

    Raises ValueError if there is an argument or a body.
    """
    if argument or body.strip():
        raise ValueError("the table is made in the browser; the directive has no text of its own")
    return fill("reference/browser_proof", id=context.take_id("browser"), version=browser_kernels.key())
