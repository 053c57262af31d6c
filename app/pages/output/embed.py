"""Makes a page with one figure, for frames on other sites: picture, controls, and a link to its source."""

from dataclasses import replace

from markupsafe import Markup

from app.pages.document.page import Page
from app.pages.document.worksheet import FigureStill
from app.pages.files.sources import HOME
from app.pages.output.sheet import HERE


def alone(page: Page, slug: str, home: str, anchor: str) -> Page:
    """A page `slug` with only the figure `anchor` of a page, whose own slug is `home`.

    Terms and papers that its text refers to are included; links within the original page lead to that page.
    """
    title = next(item.title for item in page.worksheet if isinstance(item, FigureStill) and item.id == anchor)
    figure = Markup(HERE.sub(rf"\g<1>{'./' if home == HOME else home}", str(page.alone[anchor])))
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
