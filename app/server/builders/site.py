"""The site as the server sends it: the pages of one version, held in memory, and the pictures on the shelf."""

from collections.abc import Mapping

from app import settings
from app.pages.files import assets
from app.pages.files.sources import Sources
from app.pages.output.cached_page import CachedPage, load
from app.pages.output.search_index import index
from app.prerender import store
from app.prerender.build import PAGE, PICTURE, VERSION
from app.server.builders.build_process import BuildProcess

WRITING = settings.writing()
"""Whether the server runs for an author (`make write`): the build then watches the files and rebuilds saved ones"""


class Site:
    """Every page by its slug, and every picture by its key. A request for one that is not built yet waits for it."""

    def __init__(self) -> None:
        self.build = BuildProcess(self._on_line)
        self._pages: dict[str, CachedPage] = {}
        self._searched: tuple[list[CachedPage], bytes] = [], b""
        self._take(Sources(), "")

    def start(self) -> None:
        """Load the pages already built from the current files, and start the build of the rest.

        Until a page is built, the page of the previous version is sent, if this process has one.
        """
        sources = Sources()
        self._take(sources, sources.version())
        built = {slug: page for slug in self._names if (page := load(self._version, slug))}
        self._pages |= built
        if WRITING:
            self.build.start("--watch")
        elif not self._complete(built):
            self.build.start()

    def slugs(self) -> list[str]:
        """The pages that can be searched for, starting with the home page."""
        return self._slugs

    async def page(self, slug: str) -> CachedPage:
        """The page, once it is built; with `error` set if it cannot be built. Raises KeyError if there is no page."""
        if slug not in self._names:
            raise KeyError(slug)
        if slug not in self._pages:
            await self.build.wait(f"{PAGE} {slug}")
        return self._pages.get(slug) or CachedPage(slug, error=self.build.failure or "the build has left it out")

    async def picture(self, key: str) -> bytes | None:
        """The file of a picture, once it is made; None if there is no such picture, or it cannot be made."""
        shown = any(key in page.places for page in self._pages.values())
        if shown and not store.file(key, store.PICTURE).is_file():
            await self.build.wait(f"{PICTURE} {key}")
        store.touch([key])
        return self.file(key, store.PICTURE)

    def file(self, key: str, name: str) -> bytes | None:
        """The bytes of a file on the shelf; None if it does not exist."""
        try:
            return store.file(key, name).read_bytes()
        except OSError:
            return None

    async def index(self) -> bytes:
        """The search index for the browser, without pages that cannot be made; it is cached until a page changes."""
        pages = [await self.page(slug) for slug in self._slugs]
        indexed = self._searched[0]
        if len(indexed) != len(pages) or any(old is not new for old, new in zip(indexed, pages, strict=True)):
            self._searched = pages, index(pages)
        return self._searched[1]

    def state(self) -> tuple[str, str]:
        """The state of the site and its reason: "starting" until every page is built, "degraded" if a page cannot be
        made or lacks numbers, otherwise "ready"."""
        pages = [self._pages[slug] for slug in self._slugs if slug in self._pages]
        errors = [page.error for page in pages if page.error]
        missing, pending = len(self._slugs) - len(pages), len(self.pending())
        if missing and not self.build.running:
            errors.append(self.build.failure)
        if errors:
            return "degraded", f"cannot be made: {'; '.join(errors)}"
        if missing:
            return "starting", f"{missing} of {len(self._slugs)} pages are still to be made"
        return ("degraded", f"{pending} numbers are missing") if pending else ("ready", "")

    def pending(self) -> set[str]:
        """The calls whose numbers are missing on the pages built so far."""
        return {call for page in self._pages.values() for call in page.pending}

    def end(self) -> None:
        """Stop the build."""
        self.build.kill()

    def _take(self, sources: Sources, version: str) -> None:
        """Switch to another version; the pages of the old one are sent until the new ones are built."""
        assets.forget()
        self.sources, self._version = sources, version
        self._slugs, self._names = sources.slugs(), frozenset(sources.names())
        self._pages = {slug: page for slug, page in self._pages.items() if slug in self._names}

    def _complete(self, built: Mapping[str, CachedPage]) -> bool:
        """Whether these pages of the current version are all there are, and every picture on them is built."""
        # Not `self._pages`, which also has the pages of the previous version.
        pages = built.values()
        return (
            len(pages) == len(self._names)
            and not any(page.error for page in pages)
            and all(store.file(key, store.PICTURE).is_file() for page in pages for key in page.places)
        )

    def _on_line(self, line: str) -> None:
        """Handle a line of the build: a new version, or a finished item."""
        kind, _, name = line.partition(": ")[0].partition(" ")
        if kind == VERSION and name != self._version:
            self._take(Sources(), name)
        elif kind == PAGE and (page := load(self._version, name)):
            self._pages[name] = page


SITE = Site()
"""The site that this server sends."""
