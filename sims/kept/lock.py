"""A lock between processes, so that one of them makes a file and the others find it."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of this file, which is made if it does not exist. Raises OSError if it cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        with suppress(OSError):  # without locks, as on some network drives, two may make the same file, each atomically
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
