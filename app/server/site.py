"""The pages as the server sends them: made by a process beside it, kept on disk, and looked after while it runs."""

import asyncio
import logging
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from app.pages import kept_page
from app.pages.errors import ROOT
from app.pages.kept_page import KeptPage, parsed
from app.pages.place import Place
from app.pages.sources import MISSING, Sources
from app.server.shelf import SHELF
from sims.kept.book import Book

log = logging.getLogger(__name__)

LOOK = 0.3
"""Seconds for which a page that was found up to date is taken to be so."""

LONGEST_LINE = 32 * 2**20
"""Bytes of a page as the builder sends it, at most."""


class Site:
    """Every page by its slug. A page whose files or numbers have changed is made anew before it is sent."""

    def __init__(self, sources: Sources | None = None) -> None:
        self.sources = sources or Sources()
        self.book = Book(self.sources.content / "numbers.json", lenient=True)
        self._pages: dict[str, KeptPage] = {}
        self._looked: dict[str, float] = {}
        self._builder: Process | None = None
        self._turn: asyncio.Lock | None = None

    def slugs(self) -> list[str]:
        """Every page there is; the home page is the first."""
        return self.sources.slugs()

    async def page(self, slug: str) -> KeptPage:
        """The page as its files are now, or with `error` set. Raises KeyError where there is none."""
        known = self._pages.get(slug)
        if known and time.monotonic() - self._looked[slug] < LOOK:
            return known
        if slug != MISSING and slug not in self.slugs():
            raise KeyError(slug)
        found = known or kept_page.kept(slug)
        if found is None or not self._stands(found):
            found = await self._built(slug)
        self._pages[slug], self._looked[slug] = found, time.monotonic()
        SHELF.know({key: Place(**place) for key, place in found.places.items()})
        return found

    async def make_all(self) -> None:
        """Make what is missing, in the order in which readers come."""
        for slug in (*self.slugs(), MISSING):
            with suppress(KeyError):
                await self.page(slug)

    def state(self) -> tuple[str, str]:
        """A word and its reason: "starting" until every page has been looked at once, "degraded" where one cannot be
        made or lacks numbers, else "ready"."""
        pages = [self._pages.get(slug) for slug in self.slugs()]
        wrong = [each.error for each in pages if each and each.error]
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
        """End the builder."""
        if self._builder and self._builder.returncode is None:
            self._builder.kill()

    def _stands(self, page: KeptPage) -> bool:
        self.book.refresh()
        return not page.error and page.key == self.sources.key(page.slug) and page.numbers_stand(self.book)

    async def _built(self, slug: str) -> KeptPage:
        """The page from the builder, which takes one request at a time."""
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            ready = self._pages.get(slug)
            if ready and self._stands(ready):
                return ready
            try:
                if self._builder is None or self._builder.returncode is not None:
                    self._builder = await asyncio.create_subprocess_exec(
                        sys.executable, "-m", "app.pages.build", cwd=ROOT, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE
                    )
                assert self._builder.stdin
                assert self._builder.stdout
                self._builder.stdin.write(f"{slug}\n".encode())
                await self._builder.stdin.drain()
                return parsed((await self._builder.stdout.readline()).decode())
            except (OSError, ValueError, KeyError, TypeError) as error:
                self.end()
                self._builder = None
                log.error("the page %s was not made: %s", slug, error)
                return KeptPage(slug, "", error="The process that makes pages has ended; the log says why.")


SITE = Site()
"""The one that this server sends."""
