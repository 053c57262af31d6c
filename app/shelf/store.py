"""The files of the shelf: compressed JSON in a folder for each picture, and never changed once they are complete."""

import gzip
import json
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from sims.kept.results import directory
from sims.kept.whole_file import write_whole

PICTURE, ATLAS = "picture", "atlas"
NUMBERS, STATE = "numbers-", "state-"
"""Beginnings of names: what can be taken away from a state, and a state of the atlas"""

FIRST = "first"
"""The state that a page shows first"""


def folder(key: str) -> Path:
    """Where the files of a picture are."""
    return directory().with_name("shelf") / key


def file(key: str, name: str) -> Path:
    """The file with a name of the above."""
    return folder(key) / f"{name}.json.gz"


def write(key: str, name: str, data: Any) -> None:
    """Write a file in one piece; a read-only or full disk is no error."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    with suppress(OSError):
        write_whole(file(key, name), gzip.compress(text.encode(), mtime=0))


def read(key: str, name: str) -> Any:
    """What was written; None where there is nothing that can be read."""
    try:
        return json.loads(gzip.decompress(file(key, name).read_bytes()))
    except (OSError, ValueError, EOFError):
        return None


def names(key: str, beginning: str) -> list[str]:
    """What follows `beginning` in the names of the files that are there."""
    return sorted(path.name.removesuffix(".json.gz")[len(beginning) :] for path in folder(key).glob(f"{beginning}*.gz"))


def drop_others(keys: Collection[str]) -> None:
    """Delete what belongs to no picture of today."""
    for each in folder("").iterdir() if folder("").is_dir() else ():
        if each.name not in keys:
            shutil.rmtree(each, ignore_errors=True)
