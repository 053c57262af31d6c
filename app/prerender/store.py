"""The files of the shelf: compressed JSON, in one folder for each picture.

Several servers may share one shelf, even with different versions of the code, and it may be on a read-only disk.
"""

import gzip
import json
import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sims.kept.lock import locked
from sims.kept.whole_file import write_whole
from sims.paths import shelf

PICTURE, ATLAS = "picture", "atlas"
TABLES = "tables"
"""The numbers of a worked example at all steps of its inputs"""

NUMBERS, STATE = "numbers-", "state-"
"""Prefixes of file names: the downloads of a state, and a state that is not in the atlas file yet"""

FIRST = "first"
"""The name of the state that a page shows first"""

LASTING = 3 * 24 * 3600
"""Seconds for which a picture is kept after a server last marked it as in use"""


def folder(key: str) -> Path:
    """The folder of a picture."""
    return shelf() / key


def file(key: str, name: str) -> Path:
    """The path of a file; `name` is one of the constants above, or starts with one."""
    return folder(key) / f"{name}.json.gz"


def packed(data: Any) -> bytes:
    """Data as compressed JSON."""
    return gzip.compress(json.dumps(data, allow_nan=False, separators=(",", ":")).encode(), mtime=0)


def write(key: str, name: str, data: Any) -> None:
    """Write a file atomically. Raises OSError if that fails."""
    write_whole(file(key, name), packed(data))


def read(key: str, name: str) -> Any:
    """Read a file; None if it does not exist or cannot be read."""
    try:
        return json.loads(gzip.decompress(file(key, name).read_bytes()))
    except (OSError, ValueError, EOFError):
        return None


def drop(key: str, name: str) -> None:
    """Delete a file; errors are ignored."""
    with suppress(OSError):
        file(key, name).unlink()


def names(key: str, beginning: str) -> list[str]:
    """The rest of each file name that starts with `beginning`, sorted."""
    return sorted(path.name.removesuffix(".json.gz")[len(beginning) :] for path in folder(key).glob(f"{beginning}*.gz"))


@contextmanager
def filling() -> Iterator[None]:
    """Lock the shelf, so that only one process at a time fills it. Raises OSError if it cannot be written."""
    shelf().mkdir(parents=True, exist_ok=True)
    with locked(shelf().with_name("shelf.lock")):
        yield


def touch(keys: Iterable[str]) -> None:
    """Mark these pictures as in use."""
    for key in keys:
        with suppress(OSError):
            os.utime(folder(key))


def drop_others(keys: Collection[str]) -> None:
    """Delete the folders that are not among `keys`, and that no server has marked for three days."""
    cutoff = time.time() - LASTING
    for path in folder("").iterdir() if folder("").is_dir() else ():
        if path.name not in keys and path.stat().st_mtime < cutoff:
            shutil.rmtree(path, ignore_errors=True)
