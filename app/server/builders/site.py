"""The pages as the server sends them: made by a process beside it, kept on disk, and looked after while it runs."""

import logging
import time
from contextlib import suppress

from app.pages.document.figure_placement import FigurePlacement
from app.pages.files.sources import MISSING, Sources
from app.pages.output import cached_page
from app.pages.output.cached_page import CachedPage, parse
from app.pages.output.search_index import index
from app.server.builders.line_process import LineProcess
from app.server.builders.shelf import SHELF
from sims.kept.book import NumberStore

log = logging.getLogger(__name__)

LOOK = 0.3
"""Seconds for which a page that was found up to date is taken to be so."""


class Site:
    """Every page by its slug. A page whose files or numbers have changed is made anew before it is sent."""

    def __init__(self, sources: Sources | None = None) -> None:
        self.sources = sources or Sources(lasting=LOOK)
        self.book = NumberStore(self.sources.content / "numbers.json", lenient=True)
        self._pages: dict[str, CachedPage] = {}
        self._looked: dict[str, float] = {}
        self._searched: tuple[list[CachedPage], bytes] = [], b""
        self.builder = LineProcess("app.pages.output.build", self.sources.code)

    def slugs(self) -> list[str]:
        """Every page there is; the home page is the first."""
        return self.sources.slugs()

    async def page(self, slug: str) -> CachedPage:
        """The page as its files are now, or with `error` set. Raises KeyError where there is none."""
        cached = self._pages.get(slug)
        if cached and time.monotonic() - self._looked[slug] < LOOK:
            return cached
        if slug not in (MISSING, *self.slugs(), *self.sources.beside(), *self.sources.embeds()):
            raise KeyError(slug)
        page = cached or cached_page.load(slug)
        if page is None or not self._stands(page):
            page = await self._built(slug)
        self._pages[slug], self._looked[slug] = page, time.monotonic()
        places = {key: FigurePlacement(**place) for key, place in page.places.items()}
        SHELF.know(places, page.tables.values())
        return page

    async def make_all(self) -> None:
        """Make what is missing, in the order in which readers come."""
        for slug in (*self.slugs(), MISSING):
            with suppress(KeyError):
                await self.page(slug)

    async def index(self) -> bytes:
        """What the browser searches in, of the pages as they are now; one that cannot be made is not in it."""
        pages = [await self.page(slug) for slug in self.slugs()]
        before = self._searched[0]
        if len(before) != len(pages) or any(old is not new for old, new in zip(before, pages, strict=True)):
            self._searched = pages, index(pages)
        return self._searched[1]

    def state(self) -> tuple[str, str]:
        """A word and its reason: "starting" until every page has been looked at once, "degraded" where one cannot be
        made or lacks numbers, else "ready"."""
        pages = [self._pages.get(slug) for slug in self.slugs()]
        wrong = [page.error for page in pages if page and page.error]
        pending = len(self.pending())
        if wrong:
            return "degraded", f"cannot be made: {'; '.join(wrong)}"
        if None in pages:
            return "starting", f"{pages.count(None)} of {len(pages)} pages are still to be made"
        return ("degraded", f"{pending} numbers are missing") if pending else ("ready", "")

    def pending(self) -> set[str]:
        """Calls whose numbers are missing on the pages that were looked at."""
        return {call for page in self._pages.values() for call in page.pending}

    def end(self) -> None:
        """Leave no builder behind."""
        self.builder.kill()

    def _stands(self, page: CachedPage) -> bool:
        self.book.refresh()
        return not page.error and page.key == self.sources.key(page.slug) and page.numbers_are_current(self.book)

    async def _built(self, slug: str) -> CachedPage:
        """The page from the builder, which takes one request at a time."""
        async with self.builder.turn:
            ready = self._pages.get(slug)
            if ready and self._stands(ready):
                return ready
            try:
                return parse(await self.builder.ask(slug))
            except (OSError, ValueError, KeyError, TypeError) as error:
                await self.builder.end()
                log.error("the page %s was not made: %s", slug, error)
                return CachedPage(slug, "", error="The process that makes pages has ended; the log says why.")


SITE = Site()
"""The one that this server sends."""
