"""The syntax of a page: CommonMark with tables and formulas, and MyST's directives and roles.

Every token knows its line. The parser passes directives, roles and links to the page's context, `env["context"]`.
"""

import re
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_inline_dollar
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from app.pages.blocks.roles import ROLES
from app.pages.document.page_context import PageContext
from app.pages.files.sources import FILES, HOME
from app.pages.markdown.directives import DIRECTIVES
from app.pages.text.errors import BuildError, attempt
from app.pages.text.formulas import mathml
from app.pages.text.listing import highlight
from app.pages.text.located_yaml import LocatedStr

DIRECTIVE = re.compile(r"\{([a-z-]+)\}[ ]*(.*)")
ANCHOR = re.compile(r"</?a\b[^>]*>")
OPENING, CLOSING = re.compile(r"[(\[“‘]+$"), re.compile(r"^[)\].,;:!?…”’]+")
"""Punctuation that stays on the line of the formula after or before it: browsers may break a line at any formula"""


BETWEEN_DOLLARS = math_inline_dollar(allow_space=False, allow_digits=False)


def _formula(state: StateInline, silent: bool) -> bool:
    """The plugin's rule for a formula. At the start of a text the plugin takes the text's last character for the one
    before the formula, and refuses it where that is a digit: a line break keeps it from that."""
    whole = state.src
    state.src = whole + "\n" if state.pos == 0 else whole
    try:
        return BETWEEN_DOLLARS(state, silent)
    finally:
        state.src = whole


def _number_lines(state: StateCore) -> None:
    """Record for every token its line in the file."""
    first, at = state.env["line"], 0
    for token in state.tokens:
        at = token.map[0] if token.map else at
        token.meta["line"] = first + at
        below = 0
        for child in token.children or ():
            child.meta["line"] = first + at + below
            below += child.type in ("softbreak", "hardbreak")


def _keep_signs(state: StateCore) -> None:
    """Attach to every formula within a sentence the punctuation that touches it."""
    for token in state.tokens:
        children = token.children or []
        for at, child in enumerate(children):
            if child.type != "math_inline":
                continue
            for side, where, sign in (("before", at - 1, OPENING), ("behind", at + 1, CLOSING)):
                text = children[where] if 0 <= where < len(children) else None
                match = sign.search(text.content) if text is not None and text.type == "text" else None
                if text is not None and match:
                    child.meta[side] = match[0]
                    text.content = text.content[: match.start()] + text.content[match.end() :]


def _refuse_unclosed(state: StateCore) -> None:
    """Raise an error at a directive or code block without an end, which would swallow the page up to the next end
    marker."""
    lines = state.src.split("\n")
    for token in state.tokens:
        if token.type not in ("colon_fence", "fence") or token.map is None:
            continue
        first, after = token.map
        last = lines[after - 1].strip(" >")
        closed = after - first > 1 and last.startswith(token.markup) and not last.strip(token.markup[0])
        opener = token.type == "colon_fence" and re.search(rf"^ {{0,3}}{token.markup}.*", token.content, re.MULTILINE)
        if opener or not closed:
            before = f" before {opener[0].strip()}" if opener else ""
            raise BuildError(
                f"{token.markup}{token.info} is not closed by a line of {token.markup}{before}",
                state.env["context"].file,
                token.meta["line"],
            )


def _directive(token: Token, context: PageContext) -> Markup:
    line = token.meta["line"]

    def work() -> Markup:
        match = DIRECTIVE.fullmatch(token.info.strip())
        if match is None or match[1] not in DIRECTIVES:
            raise ValueError(f"there is no directive {token.info.strip()!r}; there are {', '.join(DIRECTIVES)}")
        return DIRECTIVES[match[1]](context, match[2].strip(), LocatedStr(token.content).at(line + 1))

    return attempt(context.file, line, work)


def _role(token: Token, context: PageContext) -> Markup:
    line, name = token.meta["line"], token.meta["name"]

    def work() -> Markup:
        if name not in ROLES:
            raise ValueError(f"there is no role {name!r}; there are {', '.join(ROLES)}")
        return ROLES[name](context, LocatedStr(token.content).at(line))

    return attempt(context.file, line, work)


def _inline_formula(token: Token, context: PageContext) -> Markup:
    formula = attempt(context.file, token.meta["line"], lambda: mathml(token.content))
    before, behind = token.meta.get("before", ""), token.meta.get("behind", "")
    return Markup('<span class="whole">{}{}{}</span>').format(before, formula, behind) if before or behind else formula


def _block_formula(token: Token, context: PageContext) -> Markup:
    formula = attempt(context.file, token.meta["line"], lambda: mathml(token.content, "block"))
    return Markup('<div class="formula">{}</div>\n').format(formula)


def _code(token: Token, context: PageContext) -> Markup:
    language = token.info.strip()
    return Markup("<pre><code>{}</code></pre>\n").format(highlight(token.content, language))


def _table_open(token: Token, context: PageContext) -> Markup:
    return Markup('<div class="table"><table>')


def _table_close(token: Token, context: PageContext) -> Markup:
    return Markup("</table></div>\n")


def _link(token: Token, context: PageContext) -> Markup:
    address = str(token.attrs["href"])
    place, _hash, fragment = address.partition("#")
    slug = place.partition("?")[0]
    if address in FILES:
        return Markup('<a href="{}" download>').format(address)

    def checked() -> Markup:
        if ":" not in slug and slug and slug not in context.library.slugs:
            raise ValueError(f"the link goes to {slug!r}, and there is no such page")
        if not slug and fragment not in context.ids:
            raise ValueError(f"the link goes to #{fragment}, and nothing on this page has that id")
        # The home page has no address of its own name: it is the folder of the site.
        return Markup('<a href="{}">').format(f"./{address[len(HOME) :]}" if slug == HOME else address)

    return context.defer(checked, token.meta["line"])


def _rule(make: Callable[[Token, PageContext], Markup]) -> Callable[..., str]:
    def render(
        self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        return str(make(tokens[index], env["context"]))

    return render


def _heading(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token, context = tokens[index], env["context"]
    if token.tag not in ("h2", "h3"):
        raise BuildError("headings on a page are ## and ###; the title is the first", context.file, token.meta["line"])
    text = tokens[index + 1]
    anchor = context.heading(text.content)
    if token.tag == "h2":
        title = self.renderInline(text.children or [], options, env)
        context.section(anchor, Markup(ANCHOR.sub("", title)))
    return f'<{token.tag} id="{escape(anchor)}">'


def _column_head(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].attrSet("scope", "col")
    return self.renderToken(tokens, index, options, env)


def _parser() -> MarkdownIt:
    markdown_it = MarkdownIt("commonmark", {"html": False, "typographer": True})
    markdown_it.enable(["table", "replacements", "smartquotes"])
    front_matter_plugin(markdown_it)
    colon_fence_plugin(markdown_it)
    dollarmath_plugin(markdown_it, allow_space=False, allow_digits=False)
    markdown_it.inline.ruler.at("math_inline", _formula)
    myst_role_plugin(markdown_it)
    markdown_it.core.ruler.push("number_lines", _number_lines)
    markdown_it.core.ruler.push("refuse_unclosed", _refuse_unclosed)
    markdown_it.core.ruler.push("keep_signs", _keep_signs)
    rules = {
        "colon_fence": _directive,
        "myst_role": _role,
        "math_inline": _inline_formula,
        "math_block": _block_formula,
        "fence": _code,
        "table_open": _table_open,
        "table_close": _table_close,
        "link_open": _link,
    }
    for name, make in rules.items():
        markdown_it.add_render_rule(name, _rule(make))
    markdown_it.add_render_rule("heading_open", _heading)
    markdown_it.add_render_rule("th_open", _column_head)
    return markdown_it


MARKDOWN = _parser()
