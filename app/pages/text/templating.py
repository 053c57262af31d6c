"""Templates → HTML. Everything that is not already HTML is escaped."""

from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup

from app.pages.text.plain_text import formula_name
from app.pictures.base.evidence import SIGNS
from sims.paths import ROOT

FOLDER = ROOT / "app" / "templates"


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"formula_name": formula_name, "sign": SIGNS.__getitem__}
    return environment


def fill(template: str, **values: Any) -> Markup:
    """Render the template of that name with these values."""
    return Markup(_environment().get_template(f"{template}.html").render(values))
