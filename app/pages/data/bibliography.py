"""The bibliography: reads `content/references.bib` and formats papers for sentences and for the list of references."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from bibtexparser import model
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names
from bibtexparser.model import Block, DuplicateBlockKeyBlock, Field, ImplicitComment, ParsingFailedBlock
from pylatexenc.latex2text import EnvironmentTextSpec, LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import LatexWalkerError

from app.pages.text.errors import Mistake, Result, attempt

STATUSES = {
    "verified": "the text or the abstract was opened when the facts were checked",
    "second-hand": "the facts were confirmed only through material that quotes the paper",
    "memory": "nothing was opened: the sentence that cites it says so, or says “is reported”",
}
"""How well the facts that this site takes from a paper were checked."""

OTHERS = "others"
REQUIRED = ("author", "title", "year", "status")


@dataclass(frozen=True)
class Entry:
    """One paper. `authors` are full names, given name first; `and_others` says that the list goes on. `letter` tells it
    from another paper that has the same `short` and the same year, and is empty where there is none."""

    key: str
    authors: tuple[str, ...]
    families: tuple[str, ...]
    and_others: bool
    title: str
    year: str
    venue: str
    arxiv: str
    status: str
    note: str
    bibtex: str
    letter: str = ""

    @property
    def dated(self) -> str:
        """The year as a citation has it: 2015, or 2015b."""
        return self.year + self.letter

    @property
    def byline(self) -> str:
        """The authors as a list of references shows them."""
        return ", ".join(self.authors) + (" et al." if self.and_others else "")

    @property
    def short(self) -> str:
        """The authors as a sentence names them."""
        if self.and_others or len(self.families) > 2:
            return f"{self.families[0]} et al."
        return " & ".join(self.families)

    @property
    def link(self) -> str:
        """The address where the paper can be read; empty without one."""
        return f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else ""


def read(path: Path) -> Mapping[str, Entry]:
    """Every entry, by key. Raises BuildError for an entry that cannot be parsed, lacks a field, has an unknown status,
    or occurs twice, and for text between the entries that is not a comment."""
    entries: dict[str, Entry] = {}
    for block in parse_string(path.read_text(encoding="utf-8")).blocks:
        entry = attempt(path, _line(block), partial(_entry, block))
        if entry:
            entries[entry.key] = entry
    return _lettered(entries)


def _lettered(entries: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """The entries, with letters for those that citations could not tell apart."""
    keys: dict[tuple[str, str], list[str]] = {}
    for entry in entries.values():
        keys.setdefault((entry.short, entry.year), []).append(entry.key)
    letters = {key: ascii_lowercase[at] for alike in keys.values() if alike[1:] for at, key in enumerate(alike)}
    return {key: replace(entry, letter=letters.get(key, "")) for key, entry in entries.items()}


def _line(part: Block | Field) -> int:
    return (part.start_line or 0) + 1


def _entry(block: Block) -> Entry | None:
    """The entry in a block of the file; None for a comment."""
    if isinstance(block, DuplicateBlockKeyBlock):
        raise ValueError(f"{block.key} comes twice")
    if isinstance(block, ParsingFailedBlock):
        raise ValueError(f"the entry cannot be read: {getattr(block.error, 'abort_reason', block.error)}")
    if isinstance(block, ImplicitComment):
        for below, text in enumerate(block.comment.splitlines()):
            if text.strip() and not text.strip().startswith("%"):
                raise Mistake(f"{text!r} is neither within an entry nor a comment", _line(block) + below)
    return _paper(block) if isinstance(block, model.Entry) else None


def _paper(block: model.Entry) -> Entry:
    fields = {field.key.lower(): field for field in block.fields}
    missing = [name for name in REQUIRED if name not in fields or not fields[name].value]
    if missing:
        raise ValueError(f"{block.key}: {', '.join(missing)} is missing")
    values = {name: _checked(field, _text) for name, field in fields.items()}
    if values["status"] not in STATUSES:
        raise ValueError(f"{block.key}: {values['status']!r} is not one of {', '.join(STATUSES)}")
    names = split_multiple_persons_names(fields["author"].value)
    people = _checked(fields["author"], lambda _field: [_person(name) for name in names if name != OTHERS])
    return Entry(
        key=block.key,
        authors=tuple(full for full, _family in people),
        families=tuple(family for _full, family in people),
        and_others=OTHERS in names,
        title=values["title"],
        year=values["year"],
        venue=values.get("venue", ""),
        arxiv=values.get("eprint", ""),
        status=values["status"],
        note=values.get("note", ""),
        bibtex=block.raw or "",
    )


def _checked(field: Field, read: Callable[[Field], Result]) -> Result:
    """The result of `read` for a field; its mistakes are reported with the field's name and line."""
    try:
        return read(field)
    except (ValueError, LatexWalkerError) as error:
        raise Mistake(f"{field.key}: {error}", _line(field)) from error


def _text(field: Field) -> str:
    if field.enclosing == "no-enclosing":
        raise ValueError("the value is neither in braces nor in quotation marks; is a comma missing?")
    return _plain(field.value)


def _person(name: str) -> tuple[str, str]:
    """Full name (given name first), and family name."""
    parts = parse_single_name_into_parts(name)
    return _plain(parts.merge_first_name_first), _plain(" ".join([*parts.von, *parts.last]))


def _unknown(node: Any) -> str:
    raise ValueError(f"there is no text for {node.latex_verbatim()}")


def _decoder() -> LatexNodes2Text:
    context = get_default_latex_context_db()
    context.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=_unknown))
    context.set_unknown_environment_spec(EnvironmentTextSpec("", simplify_repl=_unknown))
    return LatexNodes2Text(context, math_mode="text")


DECODER = _decoder()
MARKUP = re.compile(r"[\\{}$~%`]|--|''")
"""Characters that need LaTeX decoding. The decoder is slow, and few values need it."""


def _plain(latex: str) -> str:
    """A LaTeX value as one line of plain text. In an entry, % and & are literal: there are no comments or columns."""
    text = " ".join(latex.split())
    if MARKUP.search(text):
        text = DECODER.latex_to_text(re.sub(r"(?<!\\)[%&]", r"\\\g<0>", text), tolerant_parsing=False)
    return " ".join(text.split())
