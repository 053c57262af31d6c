"""A finished page, and the cache folders of finished pages: one for each version of their sources.

A page is never sent with other code or content than it was made from, since the folder would have another name.
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
"""Seconds for which the folder of another version is kept after its last write: another server may be building it"""


@dataclass(frozen=True)
class CachedPage:
    """The HTML of a page with what the server needs to know about it, or the reason why it could not be made.

    `numbers`: call → the long number it stands for, None if missing. `examples`: name → worked example, in the form
    that `editable_numbers.restored` reads. `places`: key of a picture → fields of a `FigurePlacement`. `entries`: the
    search entries, each the fields of an `Entry`. `questions`: what learning platforms can ask, each the fields of an
    `Item`.
    """

    slug: str
    html: str = ""
    error: str = ""
    numbers: Mapping[str, Number | None] = field(default_factory=dict)
    examples: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    places: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    entries: Sequence[Mapping[str, Any]] = field(default_factory=list)
    questions: Sequence[Mapping[str, Any]] = field(default_factory=list)

    @property
    def tables(self) -> dict[str, str]:
        """Name of a worked example → key of its table, for examples whose numbers are computed ahead."""
        return {name: example["table"] for name, example in self.examples.items() if example["table"]}

    @property
    def pending(self) -> list[str]:
        """The calls whose numbers are missing."""
        return [call for call, value in self.numbers.items() if value is None]


def folder(version: str) -> Path:
    """The cache folder of a version."""
    return pages() / version


def load(version: str, slug: str) -> CachedPage | None:
    """Read a page of a version; None if it does not exist or cannot be read."""
    try:
        return CachedPage(**json.loads((folder(version) / f"{slug}.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def save(version: str, page: CachedPage) -> None:
    """Write a page atomically. Raises OSError if that fails."""
    write_whole(folder(version) / f"{page.slug}.json", json.dumps(asdict(page)).encode())


def drop_others(version: str, own: Collection[str] = ()) -> None:
    """Delete the folders of other versions: those in `own`, and those not written to for an hour."""
    cutoff = time.time() - LASTING
    for path in pages().iterdir() if pages().is_dir() else ():
        with suppress(OSError):  # another process may delete it, too
            if path.name != version and (path.name in own or path.stat().st_mtime < cutoff):
                shutil.rmtree(path)
