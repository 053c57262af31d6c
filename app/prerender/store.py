"""The files of the shelf: compressed JSON in a folder for each picture, and never changed once they are complete.

Several servers may share one shelf, of other versions of the code too, and it may lie on a disk that cannot be written.
"""

import fcntl
import gzip
import json
import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sims.kept.whole_file import write_whole
from sims.paths import shelf

PICTURE, ATLAS = "picture", "atlas"
TABLES = "tables"
"""The numbers of a worked example at all steps of its inputs"""

NUMBERS, STATE = "numbers-", "state-"
"""Beginnings of names: what can be taken away from a state, and a state of the atlas"""

FIRST = "first"
"""The state that a page shows first"""

LASTING = 3 * 24 * 3600
"""Seconds for which a picture is kept that no server has marked as its own"""


def folder(key: str) -> Path:
    """Where the files of a picture are."""
    return shelf() / key


def file(key: str, name: str) -> Path:
    """The file with a name of the above."""
    return folder(key) / f"{name}.json.gz"


def packed(data: Any) -> bytes:
    """Data as the bytes of a file."""
    return gzip.compress(json.dumps(data, allow_nan=False, separators=(",", ":")).encode(), mtime=0)


def write(key: str, name: str, data: Any) -> None:
    """Write a file in one piece. Raises OSError where that cannot be done."""
    write_whole(file(key, name), packed(data))


def read(key: str, name: str) -> Any:
    """What was written; None where there is nothing that can be read."""
    try:
        return json.loads(gzip.decompress(file(key, name).read_bytes()))
    except (OSError, ValueError, EOFError):
        return None


def drop(key: str, name: str) -> None:
    """Delete a file that is no longer needed; one that cannot be deleted stays."""
    with suppress(OSError):
        file(key, name).unlink()


def names(key: str, beginning: str) -> list[str]:
    """What follows `beginning` in the names of the files that are there."""
    return sorted(path.name.removesuffix(".json.gz")[len(beginning) :] for path in folder(key).glob(f"{beginning}*.gz"))


@contextmanager
def filling() -> Iterator[None]:
    """One process at a time fills a shelf; another waits here. Raises OSError where nothing can be written."""
    shelf().mkdir(parents=True, exist_ok=True)
    with shelf().with_name("shelf.lock").open("a") as lock:
        with suppress(OSError):  # some shared folders know no locks: then two may make the same, each in one piece
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def touch(keys: Iterable[str]) -> None:
    """Note that these pictures are in use."""
    for key in keys:
        with suppress(OSError):
            os.utime(folder(key))


def drop_others(keys: Collection[str]) -> None:
    """Delete what belongs to no picture of today, and which no server has marked for some days."""
    late = time.time() - LASTING
    for path in folder("").iterdir() if folder("").is_dir() else ():
        if path.name not in keys and path.stat().st_mtime < late:
            shutil.rmtree(path, ignore_errors=True)
