"""How to cite a page: as a line in the style of the APA, and as BibTeX. A mark stands for the site's address.

Each line with the mark is left out where the site has no address, and what remains is whole without it.
"""

from datetime import date

from markupsafe import Markup

from app.pages.data import changelog
from app.pages.files.sources import HOME
from app.pages.output.description import AUTHORS, page_url

BIBTEX = """\
@misc{{oneplussign:{key},
  author       = {{{{{authors}}}}},
  title        = {{{title}}},
  year         = {{{day.year}}},
  month        = {month},
  howpublished = {{{site}, version {version}}},
  url          = {{{address}}},
}}"""


def apa(slug: str, title: str, site: str) -> Markup:
    """The page as a website is cited, with the date of its version."""
    day, version = _newest()
    written = f"{day:%B} {day.day}"
    within = "" if slug == HOME else f" {site}."
    return Markup("{} ({}, {}). <cite>{}</cite> (Version {}).{}\n{}").format(
        f"{AUTHORS}.", day.year, written, title, version, within, page_url(slug)
    )


def bibtex(slug: str, title: str, site: str) -> str:
    """The page as an entry for a reference manager."""
    day, version = _newest()
    return BIBTEX.format(
        key=slug,
        authors=AUTHORS,
        title=title,
        day=day,
        month=f"{day:%b}".lower(),
        site=site,
        version=version,
        address=page_url(slug),
    )


def _newest() -> tuple[date, str]:
    newest = changelog.releases()[0]
    return date.fromisoformat(newest.date), newest.version
