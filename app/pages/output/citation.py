"""Citations of a page, in APA style and as BibTeX, with a placeholder for the site's address.

If the site has no address, lines with the placeholder are removed; the rest is complete without them.
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
    """The APA citation of a page as a website, with the date of its version."""
    day, version = _newest()
    written = f"{day:%B} {day.day}"
    within = "" if slug == HOME else f" {site}."
    return Markup("{} ({}, {}). <cite>{}</cite> (Version {}).{}\n{}").format(
        f"{AUTHORS}.", day.year, written, title, version, within, page_url(slug)
    )


def bibtex(slug: str, title: str, site: str) -> str:
    """The BibTeX entry of a page."""
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
