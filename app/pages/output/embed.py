"""One figure of a page as a page of its own, for frames on other sites: picture, controls, and where it is from."""

import re
from dataclasses import replace

from markupsafe import Markup

from app.pages.document.page import Page
from app.pages.files.sources import HOME

HERE = re.compile(r'href="#')
"""The beginning of a link to another place of the page"""


def alone(page: Page, slug: str, home: str, anchor: str) -> Page:
    """The figure `anchor` of a page, which is called `home` in addresses, as a page called `slug`.

    What its words refer to comes along; links to another place of the page lead to that page.
    """
    title = page.simulations[anchor].title()
    figure = Markup(HERE.sub(f'href="{"./" if home == HOME else home}#', page.alone[anchor]))
    return replace(
        page,
        meta={"title": title, "slug": slug, "question": "", "lede": "", "home": home, "from": page.meta["title"]},
        html=figure,
        sections=(),
        simulations={anchor: page.simulations[anchor]},
        places={key: place for key, place in page.places.items() if place.anchor == anchor},
        alone={},
        terms=tuple(term for term in page.terms if f'"term-{term[0].id}"' in figure),
        papers=tuple(paper for paper in page.papers if f'"paper-{paper.key}"' in figure),
        claims=(),
        exercises={},
        examples={},
    )
