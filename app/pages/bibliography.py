"""The papers behind the words: `content/references.bib`, read, named in sentences, and listed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.pages.errors import BuildError

STATUSES = {
    "verified": "the text or the abstract was opened when the facts were checked",
    "second-hand": "the facts were confirmed only through material that quotes the paper",
    "memory": "nothing was opened: the sentence that cites it says so, or says “is reported”",
}
"""How well the facts that this site takes from a paper were checked."""

ENTRY = re.compile(r"^@\w+\{(?P<key>[^,\s]+),\s*$(?P<body>.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?\s*$")
OTHERS = "others"
REQUIRED = ("author", "title", "year", "status")


@dataclass(frozen=True)
class Entry:
    """One paper. `authors` are full names, given name first; `and_others` says that the list goes on."""

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

    @property
    def byline(self) -> str:
        """The authors in a list of references."""
        return ", ".join(self.authors) + (" et al." if self.and_others else "")

    @property
    def short(self) -> str:
        """The authors in a sentence."""
        if self.and_others or len(self.families) > 2:
            return f"{self.families[0]} et al."
        return " & ".join(self.families)

    @property
    def link(self) -> str:
        """Where the paper can be read, or nothing."""
        return f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else ""


def read(path: Path) -> Mapping[str, Entry]:
    """Every entry, by key. Raises BuildError for one that lacks a field, has an unknown status, or comes twice."""
    text = path.read_text(encoding="utf-8")
    found: dict[str, Entry] = {}
    for match in ENTRY.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        try:
            entry = _entry(match["key"], match["body"], match[0])
        except ValueError as error:
            raise BuildError(f"{match['key']}: {error}", path, line) from None
        if entry.key in found:
            raise BuildError(f"{entry.key} comes twice", path, line)
        found[entry.key] = entry
    return found


def _entry(key: str, body: str, whole: str) -> Entry:
    values = {match[1].lower(): match[2] for match in map(FIELD.match, body.splitlines()) if match}
    missing = [name for name in REQUIRED if not values.get(name)]
    if missing:
        raise ValueError(f"{', '.join(missing)} is missing")
    if values["status"] not in STATUSES:
        raise ValueError(f"{values['status']!r} is not one of {', '.join(STATUSES)}")
    names = [name.strip() for name in values["author"].split(" and ")]
    people = list(_names(name for name in names if name != OTHERS))
    return Entry(
        key=key,
        authors=tuple(full for full, _family in people),
        families=tuple(family for _full, family in people),
        and_others=OTHERS in names,
        title=_plain(values["title"]),
        year=values["year"],
        venue=_plain(values.get("venue", "")),
        arxiv=values.get("eprint", ""),
        status=values["status"],
        note=_plain(values.get("note", "")),
        bibtex=whole,
    )


def _names(names: Iterator[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        family, _comma, given = _plain(name).partition(",")
        yield f"{given.strip()} {family}".strip(), family


def _plain(text: str) -> str:
    return text.replace("{", "").replace("}", "").replace("--", "–")
