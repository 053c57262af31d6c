"""The place for a reader's own report of the X-ray: the page's script reads it, beside healthy networks."""

import json

from markupsafe import Markup

from app.pages.document.page_context import PageContext
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill
from sims.data.healthy import healthy_reports
from sims.xray.about import SCHEMA


def report(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A place to drop a report; its argument is the id of the place.

    Raises ValueError without an id, or with a body.
    """
    if not argument or body.strip():
        raise ValueError("expected an id and no text")
    healthy = json.dumps(healthy_reports(), separators=(",", ":"))
    return fill("reference/report", id=context.take_id(argument), healthy=healthy, schema=SCHEMA)
