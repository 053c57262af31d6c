"""Builds the complete HTML of every page, for one version of the content."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from app.pages.blocks.claim_card import card
from app.pages.data import bibliography, changelog, claims, concepts, feedback, glossary
from app.pages.data.bibliography import STATUSES
from app.pages.data.claims import VERDICTS, Claim
from app.pages.data.renames import RENAMES
from app.pages.document.figure_placement import FigurePlacement
from app.pages.document.page import Library, Page
from app.pages.document.page_context import PageContext
from app.pages.exports.citations import bibtex
from app.pages.files import assets, stills
from app.pages.files.sources import (
    CLAIM,
    CLAIMS,
    EMBED,
    EXTRAS,
    GLOSSARY,
    HOME,
    INVENTORY,
    LISTING,
    MISSING,
    PREDICTIONS,
    REFERENCES,
    REVIEW,
    SHEET,
    SLIDES,
    Sources,
    mark_and_slug,
)
from app.pages.markdown.prose import compile_page, front_matter
from app.pages.markdown.syntax import MARKDOWN
from app.pages.output import citation, description, embed, inventory, review, slides
from app.pages.output.sheet import sheet
from app.pages.text.listing import highlight, source_of
from app.pages.text.plain_text import without_formulas
from app.pages.text.reading_time import minutes
from app.pages.text.templating import fill
from sims import registry
from sims.kept.book import NumberStore
from sims.numbers.call import parse

LINK = re.compile(r"</?a\b[^>]*>")

EXERCISE = re.compile(r"^:{3,}\{(?:predict|quiz)\}", re.MULTILINE)


@dataclass(frozen=True)
class Chapter:
    """A chapter or a deep dive, as other pages refer to it. `mark` is its number or letter."""

    mark: str
    slug: str
    title: str
    question: str
    written: bool
    images: Mapping[str, stills.StillImage]
    """Theme → address of a picture for its card on the home page"""

    @property
    def deep(self) -> bool:
        """Whether it is a deep dive."""
        return self.mark.isalpha()

    @property
    def kind(self) -> str:
        """Its kind and mark, such as "Chapter 3" or "Deep dive A"."""
        return f"{'Deep dive' if self.deep else 'Chapter'} {self.mark}"


class SiteBuilder:
    """The site of a set of source files. Raises BuildError if they contain a mistake."""

    def __init__(self, sources: Sources | None = None) -> None:
        self.sources = sources or Sources()
        self.content = content = self.sources.content
        self.files = self.sources.files()
        self.meta = {slug: front_matter(path.read_text(encoding="utf-8"), path) for slug, path in self.files.items()}
        self.chapters = [
            Chapter(
                mark,
                slug,
                meta["title"],
                meta["question"],
                meta.get("status") != "stub",
                stills.images(content / "stills", slug, meta.get("picture", "")),
            )
            for path in self.sources.chapters()
            for mark, slug in [mark_and_slug(path)]
            for meta in [self.meta[slug]]
        ]
        self.claims = claims.read(content / "claims.yaml")
        self.concepts = concepts.read(content / "inventory.yaml")
        self.library = Library(
            terms=glossary.read(content / "glossary.yaml"),
            papers=bibliography.read(content / "references.bib"),
            claims=self.claims.cards,
            slugs=frozenset([*self.files, *EXTRAS]),
            titles={chapter.slug: f"{chapter.kind}: {chapter.title}" for chapter in self.chapters},
            written=frozenset([HOME, *(chapter.slug for chapter in self.chapters if chapter.written)]),
            embeds={at: slug for slug, at in self.sources.embeds().items()},
            glossary_file=content / "glossary.yaml",
            numbers=NumberStore(content / "numbers.json", lenient=True),
        )
        self._pages: dict[str, tuple[str, int, Page]] = {}

    @property
    def slugs(self) -> list[str]:
        """All pages of prose and pages made from data, starting with the home page."""
        return [*self.files, *EXTRAS]

    def page(self, slug: str) -> Page:
        """A compiled page without its layout. Raises KeyError if there is none, BuildError for a mistake in it."""
        if slug in EXTRAS:
            return self._extra(slug)
        if slug.startswith(CLAIM):
            return self._claim(slug)
        if slug.startswith(SHEET):
            return self._sheet(slug)
        if slug.startswith(LISTING):
            return self._listing(slug)
        if slug.startswith(SLIDES):
            return self._deck(slug)
        if slug.startswith(EMBED):
            return self._embed(slug)
        file = self.files[slug]
        text = file.read_text(encoding="utf-8")
        self.library.numbers.refresh()
        stamp = self.library.numbers.stamp
        cached = self._pages.get(slug)
        if cached and cached[0] == text and (cached[1] == stamp or self._numbers_hold(cached[2])):
            page = cached[2]
        else:
            page = compile_page(text, file, self.library)
        self._pages[slug] = text, stamp, page
        return page

    def _numbers_hold(self, page: Page) -> bool:
        """Whether the long numbers of a page still have the values in `numbers.json`."""
        return all(value == self.library.numbers.value(*parse(call)) for call, value in page.long.items())

    def places(self) -> dict[str, FigurePlacement]:
        """Key of a picture → the figure it is for, for the whole site in reading order."""
        return {key: place for slug in self.slugs for key, place in self.page(slug).places.items()}

    def html(self, slug: str) -> str:
        """The complete HTML of a page. Raises KeyError if there is none, BuildError if it contains a mistake."""
        return str(self._html(slug, self.page(slug)))

    def missing(self) -> str:
        """The HTML of the 404 page."""
        return str(fill("layout/missing", **self._shared(MISSING, "No such page", "")))

    def exercises(self, slug: str) -> int:
        """The number of predictions and quizzes on a page, counted without compiling it."""
        return len(EXERCISE.findall(self.files[slug].read_text(encoding="utf-8")))

    def _extra(self, slug: str) -> Page:
        context = PageContext(self.content / f"{slug}.yaml", self.library, MARKDOWN)
        builders = {
            CLAIMS: self._claims,
            GLOSSARY: self._glossary,
            REFERENCES: self._references,
            PREDICTIONS: self._predictions,
            REVIEW: self._review,
            INVENTORY: self._inventory,
        }
        html = builders[slug](context)
        return context.page({"title": EXTRAS[slug], "slug": slug, "question": "", "lede": ""}, html)

    def _claims(self, context: PageContext) -> Markup:
        groups = claims.by_topic(self.claims.cards.values())
        return fill(
            "reference/claims",
            topics=self.claims.topics,
            cards={
                letter: [card(context, claim, self._treating(claim)) for claim in group]
                for letter, group in groups.items()
            },
            chapters=[chapter for chapter in self.chapters if chapter.written],
            verdicts=VERDICTS,
            front={name: context.inline(self.claims.cards[name].statement) for name in self.claims.front},
            count=len(self.claims.cards),
        )

    def _claim(self, slug: str) -> Page:
        """The page of one claim. Raises KeyError if there is none."""
        claim = self.claims.cards[slug.removeprefix(CLAIM)]
        context = PageContext(claim.file, self.library, MARKDOWN)
        html = card(context, claim, self._treating(claim))
        title = Markup(without_formulas(context.inline(claim.statement))).striptags()
        meta = {"title": f"“{title}”", "slug": slug, "question": "", "lede": description.ABOUT_A_CLAIM}
        return context.page(meta, html)

    def _sheet(self, slug: str) -> Page:
        """The worksheet of a chapter or deep dive. Raises KeyError if there is none."""
        chapter = {SHEET + chapter.slug: chapter for chapter in self.chapters}[slug]
        page = self.page(chapter.slug)
        return Page(
            meta={**page.meta, "title": f"{chapter.title}, on paper", "slug": slug, "lede": description.ABOUT_A_SHEET},
            html=sheet(chapter.slug, chapter.kind, page),
            terms=page.terms,
            papers=page.papers,
            long=page.long,
        )

    def _listing(self, slug: str) -> Page:
        """The page with the code of one simulation. Raises KeyError if there is none."""
        name = slug.removeprefix(LISTING)
        kind = registry.find(name)
        file = f"{kind.__module__.replace('.', '/')}.py"
        html = fill("reference/source", name=name, file=file, source=highlight(source_of(kind.__module__)))
        return Page(meta={"title": kind.title(), "slug": slug, "question": "", "lede": ""}, html=html)

    def _deck(self, slug: str) -> Page:
        """The slides of a lesson. Raises KeyError if there are none."""
        home, anchor = self.sources.decks()[slug]
        (lesson,) = (plan for plan in self.page(home).lessons if plan.id == anchor)
        meta = {"title": Markup(without_formulas(lesson.title)).striptags(), "slug": slug, "question": "", "lede": ""}
        return Page(meta={**meta, "home": home}, html=slides.deck(lesson, home, self.page, self.content / "stills"))

    def _embed(self, slug: str) -> Page:
        """The embed page of one figure. Raises KeyError if there is none."""
        home, anchor = self.sources.embeds()[slug]
        return embed.alone(self.page(home), slug, home, anchor)

    def _treating(self, claim: Claim) -> list[Chapter]:
        """The written chapters about a claim: the one it belongs to, and those that show or mention it."""
        home = claim.chapter, (claim.check or {}).get("page")
        return [
            chapter
            for chapter in self.chapters
            if chapter.written and (chapter.slug in home or f'"claims#{claim.id}"' in self.page(chapter.slug).html)
        ]

    def _glossary(self, context: PageContext) -> Markup:
        terms = sorted({term.id: term for term in self.library.terms.values()}.values(), key=lambda term: term.id)
        letters: dict[str, str] = {}
        for term in terms:
            letters.setdefault(term.id[0].upper(), term.id)
        explained = [(term, *context.wordings(term)) for term in terms]
        return fill("reference/glossary", terms=explained, letters=letters, first=self._first_uses())

    def _first_uses(self) -> Mapping[str, Chapter]:
        """Term → the first chapter that marks it; terms that no chapter marks are left out."""
        first: dict[str, Chapter] = {}
        for chapter in self.chapters:
            for term, _beginner, _expert in self.page(chapter.slug).terms:
                first.setdefault(term.id, chapter)
        return first

    def _references(self, context: PageContext) -> Markup:
        used: dict[str, list[tuple[str, str]]] = {}
        titles = {slug: meta["title"] for slug, meta in self.meta.items() if slug != HOME}
        for slug, title in (titles | {CLAIMS: EXTRAS[CLAIMS]}).items():
            for paper in self.page(slug).papers:
                used.setdefault(paper.key, []).append((slug, title))
        papers = sorted(self.library.papers.values(), key=lambda paper: (paper.families[0].casefold(), paper.year))
        return fill("reference/references", papers=papers, statuses=STATUSES, used=used, bibtex=bibtex)

    def _predictions(self, context: PageContext) -> Markup:
        """Every question of the site; the reader's answers are in the browser only."""
        questions = {
            slug: {anchor: Markup(LINK.sub("", question)) for anchor, question in self.page(slug).exercises.items()}
            for slug in self.files
        }
        kinds = {slug: {item.id: item.kind for item in self.page(slug).worksheet} for slug in self.files}
        names = {slug: meta["title"] for slug, meta in self.meta.items()}
        names |= {**self.library.titles, HOME: "Home"}
        return fill("reference/predictions", asked=questions, kinds=kinds, names=names, claims=list(self.claims.cards))

    def _review(self, context: PageContext) -> Markup:
        """Every question and claim of the site, to be answered again; which of them are due only the browser knows."""
        names = {slug: meta["title"] for slug, meta in self.meta.items()}
        names |= {**self.library.titles, HOME: "Home"}
        pages = {slug: self.page(slug) for slug in self.files}
        cards = [*review.cards(pages, names), *review.claim_cards(context, self.claims.cards.values())]
        return fill("reference/review", cards=cards)

    def _inventory(self, context: PageContext) -> Markup:
        """The two forms of the concept inventory."""
        return fill("reference/inventory", **inventory.page(context, self.concepts, self.library.titles))

    def _routes(self) -> Mapping[str, Mapping[str, str]]:
        """Name of a route through the site → the slugs of its pages in order, with their titles."""
        titles = EXTRAS | {chapter.slug: chapter.title for chapter in self.chapters if chapter.written}
        routes = self.meta[HOME].get("routes", ())
        return {route["name"]: {slug: titles[slug] for slug in route["pages"] if slug in titles} for route in routes}

    def _stops(self) -> Mapping[str, Markup]:
        """Slug → the title as a link, or as plain text if the page is not written yet."""
        link, plain = Markup('<a href="{}">{}</a>'), Markup("{1} <small>{0}</small>")
        links = {slug: link.format(slug, title) for slug, title in EXTRAS.items()}
        return links | {
            chapter.slug: link.format(chapter.slug, chapter.title)
            if chapter.written
            else plain.format("being written", chapter.title)
            for chapter in self.chapters
        }

    def _html(self, slug: str, page: Page) -> Markup:
        meta = page.meta
        shared = self._shared(slug, meta["title"], meta["lede"] or description.ABOUT.get(slug, ""))
        if slug.startswith(EMBED):
            home = page.meta["home"]
            return fill("layout/embed", **shared, page=page, home=home, about=description.page_url(home))
        if slug.startswith(SLIDES):
            return fill("classroom/slides", site=shared["site"], page=page, version=shared["version"])
        if slug.startswith(CLAIM):
            return fill("layout/claim_page", **shared, page=page, **self._beside(slug.removeprefix(CLAIM)))
        if slug.startswith(LISTING):
            return fill("layout/source_page", **shared, page=page)
        if slug.startswith(SHEET):
            return fill("classroom/sheet_page", **shared, page=page)
        place = next((index for index, chapter in enumerate(self.chapters) if chapter.slug == slug), None)
        return fill(
            "layout/home" if slug == HOME else "layout/chapter",
            **shared,
            page=page,
            chapter=None if place is None else self.chapters[place],
            before=None if not place else self.chapters[place - 1],
            after=None if place is None or place + 1 == len(self.chapters) else self.chapters[place + 1],
            exercises={chapter.slug: self.exercises(chapter.slug) for chapter in self.chapters} if slug == HOME else {},
            stops=self._stops() if slug == HOME else {},
            moved=RENAMES.places.get(slug, {}),
            minutes=0 if place is None else minutes(page.html),
        )

    def _beside(self, name: str) -> dict[str, Any]:
        """The id of a claim, its topic, and the ids of the claims before and after it, None at the ends."""
        names = [None, *self.claims.cards, None]
        at = names.index(name)
        topic = self.claims.topics[self.claims.cards[name].topic]
        return {"id": name, "topic": topic, "before": names[at - 1], "after": names[at + 1]}

    def _shared(self, slug: str, title: str, words: str) -> dict[str, Any]:
        site = self.meta[HOME]["title"]
        chapter = any(page.slug == slug for page in self.chapters)
        cited = slug != MISSING and not slug.startswith(LISTING)
        about = (self.content, slug, site, title, words, chapter)
        return {
            "slug": slug,
            "site": site,
            "title": title,
            "description": words,
            "described": description.described(*about) if cited else "",
            "apa": citation.apa(slug, title, site),
            "bibtex": citation.bibtex(slug, title, site) if cited else "",
            "ris": citation.ris(slug, title, site) if cited else "",
            "csl": citation.csl(slug, title, site) if cited else "",
            "wrong": feedback.marked(slug, changelog.releases()[0].version),
            "version": changelog.releases()[0].version,
            "code_license": changelog.code_license(site),
            "authors": changelog.AUTHORS,
            "address": description.page_url(slug),
            "chapters": self.chapters,
            "routes": self._routes(),
            "assets": f"assets/{assets.version()}",
        }


@cache
def current() -> SiteBuilder:
    """The site, built from the files as they were at the first call in this process."""
    return SiteBuilder()
