"""Citations of a page, in APA style, as BibTeX, RIS and CSL-JSON, with a placeholder for the site's address.

If the site has no address, lines with the placeholder are removed; the rest is complete without them.
"""

import json
from datetime import date

from markupsafe import Markup

from app.pages.data import changelog
from app.pages.data.changelog import AUTHORS
from app.pages.exports import citations
from app.pages.exports.citations import Reference
from app.pages.files.sources import HOME
from app.pages.output.description import page_url

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


def reference(slug: str, title: str, site: str) -> Reference:
    """A page as a source that others cite."""
    day, version = _newest()
    return Reference(
        key=f"oneplussign:{slug}",
        authors=[(AUTHORS, "")],
        title=title,
        date=(day.year, day.month, day.day),
        venue=site if slug != HOME else "",
        url=page_url(slug),
        version=version,
        kind=citations.PAGE,
    )


def ris(slug: str, title: str, site: str) -> str:
    """The RIS record of a page."""
    return citations.ris(reference(slug, title, site)).rstrip("\n")


def csl(slug: str, title: str, site: str) -> str:
    """The CSL-JSON of a page: a list of one source, each field on a line of its own."""
    return json.dumps([citations.csl(reference(slug, title, site))], ensure_ascii=False, indent=1)


def _newest() -> tuple[date, str]:
    newest = changelog.releases()[0]
    return date.fromisoformat(newest.date), newest.version
