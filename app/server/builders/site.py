"""The site as the server sends it: the pages of one version, which it holds, and the pictures on the shelf."""

from app import settings
from app.pages.files import assets
from app.pages.files.sources import Sources
from app.pages.output.cached_page import CachedPage, load
from app.pages.output.search_index import index
from app.prerender import store
from app.prerender.build import PAGE, PICTURE, VERSION
from app.server.builders.build_process import BuildProcess

WRITING = settings.writing()
"""Whether this server is an author's, whose build goes on when a file is saved"""


class Site:
    """Every page by its slug, and every picture by its key. What is not built yet is waited for."""

    def __init__(self) -> None:
        self.build = BuildProcess(self._on_line)
        self._pages: dict[str, CachedPage] = {}
        self._searched: tuple[list[CachedPage], bytes] = [], b""
        self._take(Sources(), "")

    def start(self) -> None:
        """Read what is built of the files as they are now, and have the rest built.

        Until a page is there, the one of an earlier start is sent.
        """
        sources = Sources()
        self._take(sources, sources.version())
        self._pages |= {slug: page for slug in self._names if (page := load(self._version, slug))}
        if WRITING:
            self.build.start("--watch")
        elif not self._complete():
            self.build.start()

    def slugs(self) -> list[str]:
        """Every page that can be searched for; the home page is the first."""
        return self._slugs

    async def page(self, slug: str) -> CachedPage:
        """The page when it is built, or with `error` set. Raises KeyError where there is none."""
        if slug not in self._names:
            raise KeyError(slug)
        if slug not in self._pages:
            await self.build.wait(f"{PAGE} {slug}")
        return self._pages.get(slug) or CachedPage(slug, error=self.build.failure or "the build has left it out")

    async def picture(self, key: str) -> bytes | None:
        """The file of a picture when it is made; None where there is no such picture, or it cannot be made."""
        shown = any(key in page.places for page in self._pages.values())
        if shown and not store.file(key, store.PICTURE).is_file():
            await self.build.wait(f"{PICTURE} {key}")
        store.touch([key])
        return self.file(key, store.PICTURE)

    def file(self, key: str, name: str) -> bytes | None:
        """What is on the shelf under a name; None where nothing is."""
        try:
            return store.file(key, name).read_bytes()
        except OSError:
            return None

    async def index(self) -> bytes:
        """What the browser searches in; a page that cannot be made is not in it."""
        pages = [await self.page(slug) for slug in self._slugs]
        before = self._searched[0]
        if len(before) != len(pages) or any(old is not new for old, new in zip(before, pages, strict=True)):
            self._searched = pages, index(pages)
        return self._searched[1]

    def state(self) -> tuple[str, str]:
        """A word and its reason: "starting" until every page is built, "degraded" where one cannot be made or lacks
        numbers, else "ready"."""
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
        """Calls whose numbers are missing on the pages that are there."""
        return {call for page in self._pages.values() for call in page.pending}

    def end(self) -> None:
        """Leave no build behind."""
        self.build.kill()

    def _take(self, sources: Sources, version: str) -> None:
        """Send pages of another version from now on, as they come."""
        assets.forget()
        self.sources, self._version = sources, version
        self._slugs, self._names = sources.slugs(), frozenset(sources.names())
        self._pages = {slug: page for slug, page in self._pages.items() if slug in self._names}

    def _complete(self) -> bool:
        """Whether every page and every picture is there."""
        pages = self._pages.values()
        return (
            len(pages) == len(self._names)
            and not any(page.error for page in pages)
            and all(store.file(key, store.PICTURE).is_file() for page in pages for key in page.places)
        )

    def _on_line(self, line: str) -> None:
        """Take what the build has finished."""
        kind, _, name = line.partition(": ")[0].partition(" ")
        if kind == VERSION and name != self._version:
            self._take(Sources(), name)
        elif kind == PAGE and (page := load(self._version, name)):
            self._pages[name] = page


SITE = Site()
"""The one that this server sends."""
