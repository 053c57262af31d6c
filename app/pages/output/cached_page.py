"""A page as it is sent, kept on disk: whoever starts the site next needs not make it again."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sims.contract.calculation import Number
from sims.kept.book import NumberStore
from sims.kept.whole_file import write_whole
from sims.paths import pages


@dataclass(frozen=True)
class CachedPage:
    """A page's HTML, or why there is none, and what it was made from.

    `numbers` are the long numbers that it shows, each with the code that made it; None for one that was missing.
    `examples` are its worked examples as `editable_numbers.restored` reads them. `places` are its simulations: key of a
    picture → fields of a `Place`. `entries` are what can be searched for on it, each the fields of an `Entry`.
    """

    slug: str
    key: str
    html: str = ""
    error: str = ""
    numbers: Mapping[str, tuple[Number, str] | None] = field(default_factory=dict)
    examples: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    places: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    entries: Sequence[Mapping[str, Any]] = field(default_factory=list)

    @property
    def tables(self) -> dict[str, str]:
        """Worked examples whose numbers are made ahead → the keys of their tables."""
        return {name: example["table"] for name, example in self.examples.items() if example["table"]}

    @property
    def pending(self) -> list[str]:
        """The calls whose numbers are missing."""
        return [call for call, entry in self.numbers.items() if entry is None]

    def numbers_are_current(self, book: NumberStore) -> bool:
        """Whether the numbers on the page are those of the book."""
        return all(entry == entry_of(book, call) for call, entry in self.numbers.items())

    def text(self) -> str:
        """The page as one line of JSON."""
        return json.dumps(asdict(self))


def entry_of(book: NumberStore, call: str) -> tuple[Number, str] | None:
    """What the book holds for a call, by whatever code."""
    entry = book.entries.get(call)
    return (entry.value, entry.code) if entry else None


def parse(text: str) -> CachedPage:
    """The page of a JSON text. Raises ValueError, KeyError or TypeError where it is none."""
    data = json.loads(text)
    if not isinstance(data["numbers"], dict):
        raise TypeError("numbers are told by call")
    data["numbers"] = {call: pair and (pair[0], pair[1]) for call, pair in data["numbers"].items()}
    return CachedPage(**data)


def folder() -> Path:
    """Where pages are kept: a folder of the cache."""
    return pages()


def load(slug: str) -> CachedPage | None:
    """The kept page; None where there is none that can be read."""
    try:
        return parse((folder() / f"{slug}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save(page: CachedPage) -> None:
    """Write a page in one piece; a read-only or full disk is no error."""
    with suppress(OSError):
        write_whole(folder() / f"{page.slug}.json", page.text().encode())
