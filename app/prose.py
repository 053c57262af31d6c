"""Markdown → HTML: MyST's directives and roles on a CommonMark parser, and everything that a page is checked for."""

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from app import marked_yaml
from app.bibliography import Entry
from app.claims import Claim
from app.directives import DIRECTIVES
from app.errors import BuildError
from app.formulas import mathml
from app.glossary import Term
from app.listing import highlight
from app.marked_yaml import Text
from app.roles import ROLES
from sims.base import Simulation
from sims.calculation import Calculation

DIRECTIVE = re.compile(r"\{([a-z]+)\}[ ]*(.*)")
LATER = re.compile("\x02(\\d+)\x03")


@dataclass(frozen=True)
class Library:
    """What every page may refer to."""

    terms: Mapping[str, Term] = field(default_factory=dict)
    papers: Mapping[str, Entry] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    slugs: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    """Slugs of the pages that are more than an announcement."""
    glossary_file: Path = Path("glossary.yaml")


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading of its own."""

    id: str
    title: Markup


@dataclass(frozen=True)
class Page:
    """A page's own words as HTML, and what they refer to.

    `pending` are the long calculations whose values were not known yet; the page shows a placeholder for each.
    """

    meta: Mapping[str, Any]
    html: Markup
    sections: tuple[Section, ...] = ()
    simulations: Mapping[str, Simulation] = field(default_factory=dict)
    terms: tuple[tuple[Term, Markup, Markup], ...] = ()
    papers: tuple[Entry, ...] = ()
    claims: tuple[str, ...] = ()
    exercises: tuple[str, ...] = ()
    pending: tuple[tuple[Calculation, Mapping[str, Any]], ...] = ()


class Writer:
    """One page in the making: what it has used so far, and what can only be decided when it is complete."""

    def __init__(self, file: Path, library: Library) -> None:
        self.file = file
        self.library = library
        self.ids: set[str] = set()
        self.sections: list[Section] = []
        self.simulations: dict[str, Simulation] = {}
        self.terms: dict[str, Term] = {}
        self.papers: dict[str, Entry] = {}
        self.claims: list[str] = []
        self.exercises: list[str] = []
        self.pending: list[tuple[Calculation, Mapping[str, Any]]] = []
        self._later: list[Callable[[], Markup]] = []

    def blocks(self, text: str, line: int = 1) -> Markup:
        """Markdown with paragraphs. A text out of `marked_yaml` knows its own line."""
        return Markup(MARKDOWN.render(str(text), self._place(text, line)))

    def inline(self, text: str, line: int = 1) -> Markup:
        """Markdown within a line."""
        return Markup(MARKDOWN.renderInline(" ".join(str(text).split()), self._place(text, line)))

    def items(self, text: str, line: int) -> tuple[Markup, list[Markup], Markup]:
        """Markdown around one numbered list: what comes before it, its items, and what comes after it."""
        place = self._place(text, line)
        tokens = MARKDOWN.parse(text, place)

        def html(part: Sequence[Token]) -> Markup:
            return Markup(MARKDOWN.renderer.render(part, MARKDOWN.options, place))

        bounds = [
            index for index, each in enumerate(tokens) if each.type.startswith("ordered_list_") and not each.level
        ]
        if len(bounds) != 2:
            raise ValueError("expected one numbered list")
        opens = [i for i, each in enumerate(tokens) if each.type == "list_item_open" and each.level == 1]
        closes = [i for i, each in enumerate(tokens) if each.type == "list_item_close" and each.level == 1]
        inside = [html(tokens[first + 1 : last]) for first, last in zip(opens, closes, strict=True)]
        return html(tokens[: bounds[0]]), inside, html(tokens[bounds[1] + 1 :])

    def _place(self, text: str, line: int) -> dict[str, Any]:
        return {"writer": self, "line": text.line if isinstance(text, Text) else line}

    @contextmanager
    def reading(self, file: Path) -> Iterator[None]:
        """While words from another file are written, mistakes are reported for that file."""
        before, self.file = self.file, file
        try:
            yield
        finally:
            self.file = before

    def take_id(self, wanted: str) -> str:
        """Reserve an id of the page. Raises ValueError where it is taken or no id."""
        if not re.fullmatch(r"[A-Za-z][\w-]*", wanted):
            raise ValueError(f"{wanted!r} cannot be an id: it takes letters, digits and hyphens")
        if wanted in self.ids:
            raise ValueError(f"the id {wanted!r} is taken on this page; give another one")
        self.ids.add(wanted)
        return wanted

    def free_id(self, wanted: str) -> str:
        """Reserve this id or, where it is taken, one like it."""
        number, found = 2, wanted
        while found in self.ids:
            number, found = number + 1, f"{wanted}-{number}"
        return self.take_id(found)

    def later(self, decide: Callable[[], Markup], line: int) -> Markup:
        """A place that `decide` fills when the whole page has been read. Its mistakes are reported for `line`."""

        def decided() -> Markup:
            return attempt(self.file, line, decide)

        self._later.append(decided)
        return Markup(f"\x02{len(self._later) - 1}\x03")

    def wordings(self, term: Term) -> tuple[Markup, Markup]:
        """A term explained for beginners and for experts."""
        with self.reading(self.library.glossary_file):
            return self.inline(term.beginner), self.inline(term.expert)

    def page(self, meta: Mapping[str, Any], html: Markup) -> Page:
        """The finished page, whose own words are `html`."""
        return Page(
            meta=meta,
            html=html,
            sections=tuple(self.sections),
            simulations=self.simulations,
            terms=tuple((term, *self.wordings(term)) for term in list(self.terms.values())),
            papers=tuple(self.papers.values()),
            claims=tuple(self.claims),
            exercises=tuple(self.exercises),
            pending=tuple(self.pending),
        )

    def complete(self, html: Markup) -> Markup:
        """Fill every place that was left for later."""
        return Markup(LATER.sub(lambda match: str(self._later[int(match[1])]()), str(html)))


Result = TypeVar("Result")


def attempt(file: Path, line: int, work: Callable[[], Result]) -> Result:
    """The result of `work`, with its mistakes as BuildErrors that know file and line."""
    try:
        return work()
    except (ValueError, KeyError, TypeError) as error:
        message = str(error.args[0]) if error.args else type(error).__name__
        raise BuildError(message, file, getattr(error, "line", line)) from error


def compile_page(text: str, file: Path, library: Library) -> Page:
    """A page from its Markdown. Raises BuildError for a mistake in it."""
    writer = Writer(file, library)
    return writer.page(front_matter(text, file), writer.complete(writer.blocks(text)))


def front_matter(text: str, file: Path) -> Mapping[str, Any]:
    """What a page says about itself. Raises BuildError where something is missing or unknown."""

    def read() -> Mapping[str, Any]:
        match = re.match(r"---\n(.*?)^---$", text, re.DOTALL | re.MULTILINE)
        if match is None:
            raise ValueError("the page does not begin with front matter between two lines of ---")
        data = marked_yaml.load(match[1], line=2)
        return marked_yaml.fields(data, ("title", "slug", "question", "lede"), ("status", "routes", "deep_dives"))

    return attempt(file, 1, read)


# -- the parser ---------------------------------------------------------------------------------------------------------


def _number_lines(state: StateCore) -> None:
    """Note for every token the line of the file it stands on."""
    first, at = state.env["line"], 0
    for token in state.tokens:
        at = token.map[0] if token.map else at
        token.meta["line"] = first + at
        below = 0
        for child in token.children or ():
            child.meta["line"] = first + at + below
            below += child.type in ("softbreak", "hardbreak")


def _directive(token: Token, writer: Writer) -> Markup:
    line = token.meta["line"]

    def work() -> Markup:
        match = DIRECTIVE.fullmatch(token.info.strip())
        if match is None or match[1] not in DIRECTIVES:
            raise ValueError(f"there is no directive {token.info.strip()!r}; there are {', '.join(DIRECTIVES)}")
        return DIRECTIVES[match[1]](writer, match[2].strip(), Text(token.content).at(line + 1))

    return attempt(writer.file, line, work)


def _role(token: Token, writer: Writer) -> Markup:
    line, name = token.meta["line"], token.meta["name"]

    def work() -> Markup:
        if name not in ROLES:
            raise ValueError(f"there is no role {name!r}; there are {', '.join(ROLES)}")
        return ROLES[name](writer, Text(token.content).at(line))

    return attempt(writer.file, line, work)


def _inline_formula(token: Token, writer: Writer) -> Markup:
    return attempt(writer.file, token.meta["line"], lambda: mathml(token.content))


def _block_formula(token: Token, writer: Writer) -> Markup:
    made = attempt(writer.file, token.meta["line"], lambda: mathml(token.content, "block"))
    return Markup('<div class="formula">{}</div>\n').format(made)


def _code(token: Token, writer: Writer) -> Markup:
    language = token.info.strip()
    return Markup("<pre><code>{}</code></pre>\n").format(highlight(token.content, language))


def _table_open(token: Token, writer: Writer) -> Markup:
    return Markup('<div class="table"><table>')


def _table_close(token: Token, writer: Writer) -> Markup:
    return Markup("</table></div>\n")


def _link(token: Token, writer: Writer) -> Markup:
    address = str(token.attrs["href"])
    slug, _hash, fragment = address.partition("#")

    def checked() -> Markup:
        if ":" not in slug and slug and slug not in writer.library.slugs:
            raise ValueError(f"the link goes to {slug!r}, and there is no such page")
        if not slug and fragment not in writer.ids:
            raise ValueError(f"the link goes to #{fragment}, and nothing on this page has that id")
        return Markup('<a href="{}">').format(address)

    return writer.later(checked, token.meta["line"])


def _rule(make: Callable[[Token, Writer], Markup]) -> Callable[..., str]:
    def render(
        self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        return str(make(tokens[index], env["writer"]))

    return render


def _heading(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token, writer = tokens[index], env["writer"]
    if token.tag not in ("h2", "h3"):
        raise BuildError("headings on a page are ## and ###; the title is the first", writer.file, token.meta["line"])
    words = re.sub(r"[^a-z0-9]+", "-", tokens[index + 1].content.lower()).strip("-")
    found = writer.free_id(words if words[:1].isalpha() else f"part-{words}")
    if token.tag == "h2":
        writer.sections.append(Section(found, writer.inline(tokens[index + 1].content, token.meta["line"])))
    return f'<{token.tag} id="{escape(found)}">'


def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "typographer": True})
    made.enable(["table", "replacements", "smartquotes"])
    front_matter_plugin(made)
    colon_fence_plugin(made)
    dollarmath_plugin(made, allow_space=False, allow_digits=False)
    myst_role_plugin(made)
    made.core.ruler.push("number_lines", _number_lines)
    rules = {
        "colon_fence": _directive, "myst_role": _role, "math_inline": _inline_formula, "math_block": _block_formula,
        "fence": _code, "table_open": _table_open, "table_close": _table_close, "link_open": _link,
    }  # fmt: skip
    for name, make in rules.items():
        made.add_render_rule(name, _rule(make))
    made.add_render_rule("heading_open", _heading)
    return made


MARKDOWN = _parser()
