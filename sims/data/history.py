"""The history of the skip connection, entry by entry, with how well each is known; read from `files/history.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sims.contract.calculation import calculation

FILE = Path(__file__).parent / "files" / "history.toml"

KINDS = {
    "theory": "Theory",
    "architecture": "Architecture",
    "initialization": "Initialization or norm",
    "use": "Use",
}
"""Kind of an entry → its name on the page"""

VERIFIED, SECOND_HAND, MEMORY, DISPUTED = "verified", "second-hand", "memory", "disputed"

EVIDENCE = {
    VERIFIED: "its text or abstract was opened",
    SECOND_HAND: "known through others who quote it",
    MEMORY: "nothing was opened",
    DISPUTED: "those who know the sources disagree",
}
"""Confidence → what it means"""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Entry:
    """One event. `sources` are keys of the bibliography; `page` is the end of an address of ours, or empty.

    `label` is a shorter title, empty if the title is short; a `landmark` is labeled even when all entries are shown.
    """

    name: str
    year: int
    title: str
    people: str
    kind: str
    confidence: str
    sources: tuple[str, ...]
    sentence: str
    month: int | None = None
    page: str = ""
    label: str = ""
    landmark: bool = False

    @property
    def short(self) -> str:
        """The title in a few words."""
        return self.label or self.title

    @property
    def time(self) -> float:
        """In years: the middle of the month or, if it is unknown, of the year."""
        return self.year + (0.5 if self.month is None else (self.month - 0.5) / 12)

    @property
    def date(self) -> str:
        """The month, if it is known, and the year."""
        return str(self.year) if self.month is None else f"{MONTHS[self.month - 1]} {self.year}"


@dataclass(frozen=True)
class Depth:
    """How deep a network of an entry was: `count` of what its source counts, or more than that if `least`."""

    name: str
    title: str
    count: int
    counted: str
    task: str
    skips: bool
    least: bool = False


@cache
def _file() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def entries() -> tuple[Entry, ...]:
    """Return every entry, in the order of the file, which is oldest first."""
    return tuple(Entry(**{**record, "sources": tuple(record["sources"])}) for record in _file()["entries"])


@cache
def depths() -> tuple[Depth, ...]:
    """Return the depths, in the order of the file."""
    return tuple(Depth(**record) for record in _file()["depths"])


@cache
def find(name: str) -> Entry:
    """Return the entry of that name. Raises KeyError if there is none."""
    for entry in entries():
        if entry.name == name:
            return entry
    raise KeyError(f"no entry {name!r} in the history")


@calculation
def depth(name: str, task: str = "") -> int:
    """Return the depth of an entry's network; of that task, if it has several.

    Raises KeyError if no depth is known.
    """
    for record in depths():
        if record.name == name and task in ("", record.task):
            return record.count
    raise KeyError(f"no depth of {name!r} for {task!r}")


@calculation
def counted(confidence: str = "") -> int:
    """Return the number of entries with a confidence, or of all entries."""
    return sum(confidence in ("", entry.confidence) for entry in entries())
