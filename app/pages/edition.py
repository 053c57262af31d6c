"""All pages of one version of the content, complete as HTML."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from app.pages import assets, bibliography, claims, glossary
from app.pages.bibliography import STATUSES
from app.pages.claim_card import card
from app.pages.errors import ROOT
from app.pages.page import Library, Page
from app.pages.prose import compile_page, front_matter
from app.pages.syntax import MARKDOWN
from app.pages.templating import FOLDER, fill
from app.pages.writer import Writer

CONTENT = ROOT / "content"
RETRY = 5.0
"""Seconds after which a page that waits for calculations looks for them again."""

HOME = "home"
CLAIMS, GLOSSARY, REFERENCES = "claims", "glossary", "references"
EXTRAS = {CLAIMS: "What is true?", GLOSSARY: "Glossary", REFERENCES: "References"}
"""Pages made from data, with their titles."""

BUNDLES = (
    "static/js/bokeh.min.js",
    "static/js/bokeh-widgets.min.js",
    "static/js/bokeh-tables.min.js",
    "static/extensions/panel/panel.min.js",
)
"""Panel does not start without the tables, though no page shows one."""


@dataclass(frozen=True)
class Chapter:
    """A page of the main route, as other pages name it."""

    number: int
    slug: str
    title: str
    question: str
    written: bool


@dataclass(frozen=True)
class Document:
    """A finished page. `complete` says that it waits for no calculation."""

    html: bytes
    complete: bool
    made: float


@cache
def _bundles() -> list[str]:
    mark = f"{version('bokeh')}-{version('panel')}"
    return [f"{name}?v={mark}" for name in BUNDLES]


class Edition:
    """The site as its files say it. Raises BuildError where they are wrong."""

    def __init__(self, content: Path = CONTENT) -> None:
        self.content = content
        self.files = {HOME: content / "home.md"} | {
            path.stem.partition("-")[2]: path for path in sorted((content / "chapters").glob("*.md"))
        }
        self.meta = {slug: front_matter(path.read_text(encoding="utf-8"), path) for slug, path in self.files.items()}
        self.chapters = [
            Chapter(
                int(path.stem.partition("-")[0]), slug, meta["title"], meta["question"], meta.get("status") != "stub"
            )
            for slug, path in self.files.items()
            if slug != HOME
            for meta in [self.meta[slug]]
        ]
        self.claims = claims.read(content / "claims.yaml")
        self.library = Library(
            terms=glossary.read(content / "glossary.yaml"),
            papers=bibliography.read(content / "references.bib"),
            claims=self.claims.cards,
            slugs=frozenset([*self.files, *EXTRAS]),
            written=frozenset([HOME, *(each.slug for each in self.chapters if each.written)]),
            glossary_file=content / "glossary.yaml",
        )
        self._pages: dict[str, Page] = {}
        self._documents: dict[str, Document] = {}

    @property
    def slugs(self) -> list[str]:
        """Every page there is; the home page is the first."""
        return [*self.files, *EXTRAS]

    def page(self, slug: str) -> Page:
        """The words of a page. Raises KeyError where there is none, BuildError where it is wrong."""
        if slug not in self._pages:
            self._pages[slug] = self._extra(slug) if slug in EXTRAS else self._prose(slug)
        return self._pages[slug]

    def document(self, slug: str) -> Document:
        """A page as it is sent. Raises KeyError where there is none, BuildError where it is wrong."""
        found = self._documents.get(slug)
        if found and not found.complete and time.monotonic() - found.made > RETRY:
            del self._pages[slug]
            found = None
        if found is None:
            page = self.page(slug)
            html = self._html(slug, page).encode()
            found = self._documents[slug] = Document(html, not page.pending, time.monotonic())
        return found

    def missing(self) -> bytes:
        """The page for an address that has none."""
        return fill("missing", **self._shared("missing", "No such page", "")).encode()

    def _prose(self, slug: str) -> Page:
        file = self.files[slug]
        return compile_page(file.read_text(encoding="utf-8"), file, self.library)

    def _extra(self, slug: str) -> Page:
        writer = Writer(self.content / f"{slug}.yaml", self.library, MARKDOWN)
        html = {CLAIMS: self._claims, GLOSSARY: self._glossary, REFERENCES: self._references}[slug](writer)
        return writer.page({"title": EXTRAS[slug], "slug": slug, "question": "", "lede": ""}, html)

    def _claims(self, writer: Writer) -> Markup:
        groups = claims.by_topic(self.claims.cards.values())
        with writer.reading(self.content / "claims.yaml"):
            checked = [writer.inline(each["statement"]) for each in self.claims.checked]
        return fill(
            "claims",
            topics=self.claims.topics,
            cards={letter: [card(writer, claim) for claim in group] for letter, group in groups.items()},
            front=self.claims.front,
            count=len(self.claims.cards),
            checked=checked,
        )

    def _glossary(self, writer: Writer) -> Markup:
        terms = sorted({term.id: term for term in self.library.terms.values()}.values(), key=lambda term: term.id)
        letters: dict[str, str] = {}
        for term in terms:
            letters.setdefault(term.id[0].upper(), term.id)
        explained = [(term, *writer.wordings(term)) for term in terms]
        return fill("glossary", terms=explained, letters=letters, titles=self._stops())

    def _references(self, writer: Writer) -> Markup:
        used: dict[str, list[Chapter]] = {}
        for chapter in self.chapters:
            for paper in self.page(chapter.slug).papers:
                used.setdefault(paper.key, []).append(chapter)
        papers = sorted(self.library.papers.values(), key=lambda paper: (paper.families[0].casefold(), paper.year))
        return fill("references", papers=papers, statuses=STATUSES, used=used)

    def _deep_dives(self) -> Iterator[tuple[str, str]]:
        for each in self.meta[HOME].get("deep_dives", ()):
            yield each["slug"], each["title"]

    def _stops(self) -> Mapping[str, Markup]:
        """How one page names another: as a link, if there is something to read."""
        link, plain = Markup('<a href="{}">{}</a>'), Markup("{1} <small>{0}</small>")
        named = {slug: plain.format("planned", title) for slug, title in self._deep_dives()}
        named |= {slug: link.format(slug, title) for slug, title in EXTRAS.items()}
        return named | {
            each.slug: link.format(each.slug, each.title) if each.written else plain.format("being written", each.title)
            for each in self.chapters
        }

    def _html(self, slug: str, page: Page) -> Markup:
        meta = page.meta
        shared = self._shared(slug, meta["title"], meta["lede"])
        place = next((index for index, each in enumerate(self.chapters) if each.slug == slug), None)
        return fill(
            HOME if slug == HOME else "chapter",
            **shared,
            page=page,
            chapter=None if place is None else self.chapters[place],
            before=None if not place else self.chapters[place - 1],
            after=None if place is None or place + 1 == len(self.chapters) else self.chapters[place + 1],
            exercises={each.slug: len(self.page(each.slug).exercises) for each in self.chapters}
            if slug == HOME
            else {},
            stops=self._stops() if slug == HOME else {},
        )

    def _shared(self, slug: str, title: str, description: str) -> dict[str, Any]:
        return {
            "slug": slug,
            "site": self.meta[HOME]["title"],
            "title": title,
            "description": description,
            "chapters": self.chapters,
            "assets": f"assets/{assets.version()}",
            "bundles": _bundles(),
        }


def fingerprint() -> tuple[object, ...]:
    """Changes when a file of the content or a template does."""
    places = [*CONTENT.rglob("*.*"), *FOLDER.glob("*.html")]
    return (assets.version(), *sorted((str(path), path.stat().st_mtime_ns) for path in places))


_current: tuple[tuple[object, ...], Edition] | None = None


def current() -> Edition:
    """The edition of the files as they are now."""
    global _current
    now = fingerprint()
    if _current is None or _current[0] != now:
        _current = now, Edition()
    return _current[1]
