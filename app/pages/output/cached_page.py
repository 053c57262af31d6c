"""A page as it is sent, and the folders in which pages are kept: one for each version of what they are made from.

No page is sent under other code or content than it was made from, as its folder has another name then.
"""

import json
import shutil
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sims.contract.calculation import Number
from sims.kept.whole_file import write_whole
from sims.paths import pages

LASTING = 3600
"""Seconds for which the folder of another version is kept after its last page was written: another server may be
building it."""


@dataclass(frozen=True)
class CachedPage:
    """A page's HTML, or why there is none.

    `numbers` are the long numbers that it shows, by call; None for one that is missing. `examples` are its worked
    examples as `editable_numbers.restored` reads them. `places` are its simulations: key of a picture → fields of a
    `Place`. `entries` are what can be searched for on it, each the fields of an `Entry`.
    """

    slug: str
    html: str = ""
    error: str = ""
    numbers: Mapping[str, Number | None] = field(default_factory=dict)
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
        return [call for call, value in self.numbers.items() if value is None]


def folder(version: str) -> Path:
    """Where the pages of a version are: a folder of the cache."""
    return pages() / version


def load(version: str, slug: str) -> CachedPage | None:
    """The page of a version; None where there is none that can be read."""
    try:
        return CachedPage(**json.loads((folder(version) / f"{slug}.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def save(version: str, page: CachedPage) -> None:
    """Write a page in one piece. Raises OSError where that cannot be done."""
    write_whole(folder(version) / f"{page.slug}.json", json.dumps(asdict(page)).encode())


def drop_others(version: str, own: Collection[str] = ()) -> None:
    """Delete the folders of other versions: those of `own`, and those into which nothing was written for an hour."""
    late = time.time() - LASTING
    for path in pages().iterdir() if pages().is_dir() else ():
        with suppress(OSError):  # another process may delete it, too
            if path.name != version and (path.name in own or path.stat().st_mtime < late):
                shutil.rmtree(path)
