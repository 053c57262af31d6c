"""The site as tests read it. Names of pages come from file names, so that a test module can be parametrized with them
without building anything; the pages themselves are built when the first test of a process asks for them."""

from functools import cache

from app.pages.document.figure_placement import FigurePlacement
from app.pages.files.sources import Sources, mark_and_slug
from app.pages.output import site_builder
from app.pages.output.site_builder import SiteBuilder
from sims.contract.simulation import Simulation

SOURCES = Sources()
SLUGS = SOURCES.slugs()
"""Every page, home first; pages for one claim, for paper and for embeds are not among them."""
CHAPTERS = [mark_and_slug(path)[1] for path in SOURCES.chapters()]
"""The chapters and the deep dives, in their order."""
CLAIM_PAGES = SOURCES.claims()
"""The pages that show a single claim."""


def site() -> SiteBuilder:
    """The site as its files say it."""
    return site_builder.current()


@cache
def html_of(slug: str) -> str:
    """The complete HTML of a page, which many tests read."""
    return site().html(slug)


@cache
def _placements() -> dict[str, FigurePlacement]:
    return {place.name: place for place in site().places().values()}


def placed(name: str) -> Simulation:
    """A simulation with the settings of a page that shows it; those of the last page where several do."""
    return _placements()[name].simulation()
