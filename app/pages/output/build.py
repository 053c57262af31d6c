"""The process that makes pages for the server: `python -m app.pages.output.build` is asked for them by lines.

Each line on standard input is a slug; the answer is a line of JSON, a `CachedPage`. It ends when its input does. With
`--all` it makes every page once, keeps them, and says which numbers are missing.
"""

import signal
import sys
import traceback
from dataclasses import asdict
from typing import Any

from app.pages.document.page import Page
from app.pages.files.sources import CLAIM, EMBED, MISSING, SHEET, Sources
from app.pages.output import cached_page
from app.pages.output.cached_page import CachedPage, entry_of
from app.pages.output.search_entries import entries
from app.pages.output.site_builder import SiteBuilder
from app.pages.text.errors import BuildError


class Builder:
    """Makes pages of one site. What has not changed since the last page is not read again."""

    def __init__(self, sources: Sources | None = None) -> None:
        self.sources = sources or Sources()
        self._shared = ""
        self._edition: SiteBuilder | None = None

    def page(self, slug: str) -> CachedPage:
        """The page as the files are now, kept for whoever comes next; one that cannot be made says why."""
        key = self.sources.key(slug)
        try:
            page = self._build(slug, key)
        except BuildError as error:
            return CachedPage(slug, key, error=str(error))
        except Exception as error:
            # The next page may well be sound: a mistake of ours must not end the process that makes it.
            traceback.print_exc(file=sys.stderr)
            return CachedPage(slug, key, error=f"{type(error).__name__}: {error}")
        cached_page.save(page)
        return page

    def _build(self, slug: str, key: str) -> CachedPage:
        shared = self.sources.shared()
        if self._edition is None or shared != self._shared:
            self._edition, self._shared = None, shared
            self._edition = SiteBuilder(self.sources)
        site = self._edition
        if slug == MISSING:
            return CachedPage(slug, key, site.missing())
        page = site.page(slug)
        book = site.library.numbers
        return CachedPage(
            slug,
            key,
            site.html(slug),
            numbers={call: None if value is None else entry_of(book, call) for call, value in page.long.items()},
            examples={name: example.data() for name, example in page.examples.items()},
            places={key: asdict(place) for key, place in page.places.items()},
            entries=self._entries(slug, page),
        )

    def _entries(self, slug: str, page: Page) -> list[dict[str, Any]]:
        """What can be searched for: claims are found on the page of all, questions and figures where they stand."""
        if slug.startswith((CLAIM, SHEET, EMBED)):
            return []
        return [asdict(entry) for entry in entries(slug, page.meta["title"], page.meta["lede"], str(page.html))]


def main() -> None:
    """Answer requests, or make all pages."""
    builder = Builder()
    if sys.argv[1:] == ["--all"]:
        pages = [builder.page(slug) for slug in (*builder.sources.slugs(), MISSING)]
        for page in pages:
            lacks = f"{len(page.pending)} numbers missing" if page.pending else ""
            print(f"{page.slug}: {page.error or lacks or 'complete'}")
        sys.exit(any(page.error or page.pending for page in pages))
    # Ctrl-C in a terminal reaches every process of it; this one ends with its input, when the server has ended.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        print(builder.page(line.strip()).text(), flush=True)


if __name__ == "__main__":
    main()
