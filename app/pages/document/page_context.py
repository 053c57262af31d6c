"""A page under construction: what it has used so far, and the placeholders to fill when it is complete."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from app.pages.data.bibliography import Entry
from app.pages.data.glossary import Term
from app.pages.document.editable_numbers import Example
from app.pages.document.figure_placement import FigurePlacement
from app.pages.document.lesson import Lesson
from app.pages.document.page import Library, Page, Section
from app.pages.document.worksheet import WorksheetItem
from app.pages.files.sources import mark_and_slug
from app.pages.text.errors import attempt
from app.pages.text.located_yaml import LocatedStr
from sims.contract.calculation import Number
from sims.contract.simulation import Simulation

LATER = re.compile("\x02(\\d+)\x03")


class PageContext:
    """One page under construction: what it has used so far, and what can only be decided when it is complete."""

    def __init__(self, file: Path, library: Library, markdown: MarkdownIt) -> None:
        self.file = file
        self.library = library
        self._markdown = markdown
        self.ids: set[str] = set()
        self.sections: list[Section] = []
        self.simulations: dict[str, Simulation] = {}
        self.places: dict[str, FigurePlacement] = {}
        self.alone: dict[str, Markup] = {}
        """Id of a simulation → its figure for a page that holds only this figure."""
        self.terms: dict[str, Term] = {}
        self.papers: dict[str, Entry] = {}
        self.claims: list[str] = []
        self.exercises: dict[str, Markup] = {}
        self.predictions: dict[str, Callable[..., Markup]] = {}
        """Id of a prediction → its form around the `stage` of the figure in which it is asked, or around nothing."""
        self.asked_in_figures: set[str] = set()
        self.worksheet: list[WorksheetItem] = []
        self.lessons: list[Lesson] = []
        self.examples: dict[str, Example] = {}
        self.example: Example | None = None
        """The worked example that is being written, if it has inputs."""
        self.long: dict[str, Number | None] = {}
        self._later: list[Callable[[], Markup]] = []

    @property
    def slug(self) -> str:
        """The name of the page in addresses: that of its file, without a chapter's number or a deep dive's letter."""
        return mark_and_slug(self.file)[1]

    def blocks(self, text: str, line: int = 1) -> Markup:
        """Markdown with paragraphs. Texts from `marked_yaml` know their own line."""
        return Markup(self._markdown.render(str(text), self._environment(text, line)))

    def inline(self, text: str, line: int = 1) -> Markup:
        """Markdown within a line."""
        return Markup(self._markdown.renderInline(" ".join(str(text).split()), self._environment(text, line)))

    def items(self, text: str, line: int) -> tuple[Markup, list[Markup], Markup]:
        """Markdown with one numbered list: the part before it, its items, and the part after it.

        Raises ValueError if there is no such list, or more than one.
        """
        environment = self._environment(text, line)
        tokens = self._markdown.parse(text, environment)

        def html(part: Sequence[Token]) -> Markup:
            return Markup(self._markdown.renderer.render(part, self._markdown.options, environment))

        bounds = [
            index for index, token in enumerate(tokens) if token.type.startswith("ordered_list_") and not token.level
        ]
        if len(bounds) != 2:
            raise ValueError("expected one numbered list")
        opens = [i for i, token in enumerate(tokens) if token.type == "list_item_open" and token.level == 1]
        closes = [i for i, token in enumerate(tokens) if token.type == "list_item_close" and token.level == 1]
        inside = [html(tokens[first + 1 : last]) for first, last in zip(opens, closes, strict=True)]
        return html(tokens[: bounds[0]]), inside, html(tokens[bounds[1] + 1 :])

    def _environment(self, text: str, line: int) -> dict[str, Any]:
        return {"context": self, "line": text.line if isinstance(text, LocatedStr) else line}

    @contextmanager
    def reading(self, file: Path) -> Iterator[None]:
        """Report mistakes for this file while text from it is being written."""
        before, self.file = self.file, file
        try:
            yield
        finally:
            self.file = before

    @contextmanager
    def editing(self, example: Example | None) -> Iterator[None]:
        """Let its inputs be named while an example is being written."""
        self.example = example
        try:
            yield
        finally:
            self.example = None

    def take_id(self, name: str) -> str:
        """Reserve an id of the page. Raises ValueError if it is taken or not a valid id."""
        if not re.fullmatch(r"[A-Za-z][\w-]*", name):
            raise ValueError(f"{name!r} cannot be an id: it takes letters, digits and hyphens")
        if name in self.ids:
            raise ValueError(f"the id {name!r} is taken on this page; give another one")
        self.ids.add(name)
        return name

    def free_id(self, name: str) -> str:
        """Reserve this id or, if it is taken, a similar one."""
        number, candidate = 2, name
        while candidate in self.ids:
            number, candidate = number + 1, f"{name}-{number}"
        return self.take_id(candidate)

    def heading(self, text: str) -> str:
        """Reserve an id for a heading."""
        words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
        return self.free_id(words if words[:1].isalpha() else f"part-{words}")

    def section(self, anchor: str, title: Markup) -> None:
        """Record the beginning of a section."""
        self.sections.append(Section(anchor, title))

    def defer(self, decide: Callable[[], Markup], line: int) -> Markup:
        """A placeholder that `decide` fills when the whole page has been read. Its mistakes are reported for `line`."""

        def decided() -> Markup:
            return attempt(self.file, line, decide)

        self._later.append(decided)
        return Markup(f"\x02{len(self._later) - 1}\x03")

    def wordings(self, term: Term) -> tuple[Markup, Markup]:
        """The explanations of a term for beginners and for experts."""
        with self.reading(self.library.glossary_file):
            return self.inline(term.beginner), self.inline(term.expert)

    def page(self, meta: Mapping[str, Any], html: Markup) -> Page:
        """The finished page, whose own content is `html`."""
        return Page(
            meta=meta,
            html=html,
            sections=tuple(self.sections),
            simulations=self.simulations,
            places=self.places,
            alone={anchor: self.complete(figure) for anchor, figure in self.alone.items()},
            terms=tuple((term, *self.wordings(term)) for term in list(self.terms.values())),
            papers=tuple(self.papers.values()),
            claims=tuple(self.claims),
            exercises={anchor: self.complete(question) for anchor, question in self.exercises.items()},
            worksheet=tuple(item.completed(self.complete) for item in self.worksheet),
            lessons=tuple(lesson.completed(self.complete) for lesson in self.lessons),
            examples=self.examples,
            long=self.long,
        )

    def complete(self, html: Markup) -> Markup:
        """Fill every deferred placeholder."""
        return Markup(LATER.sub(lambda match: str(self._later[int(match[1])]()), str(html)))
