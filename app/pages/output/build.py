"""Builds pages from the files of a site, as they were at the last refresh."""

import sys
import traceback
from dataclasses import asdict
from pathlib import Path

from app.pages.exports import quiz
from app.pages.files import assets
from app.pages.files.sources import CLAIM, EMBED, LISTING, MISSING, SHEET, SLIDES, Sources
from app.pages.output.cached_page import CachedPage
from app.pages.output.search_entries import entries
from app.pages.output.site_builder import SiteBuilder
from app.pages.text.errors import BuildError
from sims.paths import CONTENT


class Builder:
    """Builds the pages of one site. Text that has not changed since the last refresh is not compiled again."""

    def __init__(self, content: Path = CONTENT) -> None:
        self._content = content
        self._shared = ""
        self._site: SiteBuilder | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the files again. Raises OSError if one of them vanishes meanwhile."""
        assets.forget()
        sources = Sources(self._content)
        self.version, shared = sources.version(), sources.shared()
        self.sources = sources
        if shared != self._shared:
            self._site, self._shared = None, shared

    def page(self, slug: str) -> CachedPage:
        """Build a page; if it cannot be built, its `error` says why."""
        try:
            return self._page(slug)
        except BuildError as error:
            return CachedPage(slug, error=str(error))
        except Exception as error:
            # A bug that breaks one page must not end the build of the others.
            traceback.print_exc(file=sys.stderr)
            return CachedPage(slug, error=f"{type(error).__name__}: {error}")

    def _page(self, slug: str) -> CachedPage:
        if self._site is None:
            self._site = SiteBuilder(self.sources)
        site = self._site
        if slug == MISSING:
            return CachedPage(slug, site.missing())
        page = site.page(slug)
        title, lede = page.meta["title"], page.meta["lede"]
        # Search finds these on their main pages: claims on that of all claims, questions and figures in chapters.
        titled = site.library.titles.get(slug, title)
        duplicate = slug.startswith((CLAIM, SHEET, LISTING, SLIDES, EMBED))
        return CachedPage(
            slug,
            site.html(slug),
            numbers=page.long,
            examples={name: example.data() for name, example in page.examples.items()},
            places={key: asdict(place) for key, place in page.places.items()},
            entries=[] if duplicate else [asdict(entry) for entry in entries(slug, title, lede, str(page.html))],
            questions=[] if duplicate else [asdict(item) for item in quiz.items(slug, titled, page.worksheet)],
        )
