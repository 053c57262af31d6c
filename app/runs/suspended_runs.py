"""Runs that wait for their readers: what a run has computed outlives its session, its place and its server.

A run is kept when its session ends before it has, and by a server that stops. Whoever has the same reader, place and
settings goes on from there. It is held in memory until it is on disk, and stays in memory where nothing can be written.

Workers unpickle what is kept, so a file counts only if this user owns it and nobody else may write or read it.
"""

import hashlib
import logging
import os
import time
from contextlib import suppress
from pathlib import Path

from app import settings
from sims import paths
from sims.contract.simulation import Simulation
from sims.kept import results
from sims.kept.whole_file import write_whole

log = logging.getLogger(__name__)

LASTING = 24 * 3600
"""Seconds after which nobody is expected back"""

ON_DISK = 2 * 2**30
IN_MEMORY = 256 * 2**20
"""Bytes in all; the oldest go first. A run has up to some 30 MB."""

PRIVATE = 0o077
"""The rights that others must not have"""

_held: dict[str, bytes] = {}


def directory() -> Path:
    """Where they are: `SKIP_RUNS`, or a folder of the cache. Servers that stand in for each other share it."""
    return settings.runs_folder() or paths.suspended_runs()


def key(owner: str, simulation: Simulation) -> str:
    """The name of a run: whose it is, its settings, and the code that computes it. A version does not change when its
    module is moved, but what was pickled before cannot be read after that."""
    return hashlib.sha256(f"{owner}\n{simulation.__module__}\n{results.name(simulation)}".encode()).hexdigest()[:32]


def stash(name: str, packed: bytes) -> None:
    """Have a run at hand at once; `write` brings it to disk. Over the limit the oldest is lost."""
    _held.pop(name, None)
    _held[name] = packed
    while sum(map(len, _held.values())) > IN_MEMORY:
        _held.pop(next(iter(_held)))


def write(name: str) -> None:
    """Bring a run that is held to disk; where that cannot be done it is held on. May be called in any thread."""
    packed = _held.get(name)
    if packed is None:
        return
    with suppress(OSError):
        directory().mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(directory() / name, packed)
        if _held.get(name) is packed:
            del _held[name]
        _tidy()


def load(name: str) -> bytes | None:
    """What was kept of a run, here or by another server; None where there is nothing that can be trusted."""
    if name in _held:
        return _held[name]
    try:
        with (directory() / name).open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid() or status.st_mode & PRIVATE:
                log.warning("A kept run is not taken: it belongs to somebody else, or others may change it")
                return None
            return file.read()
    except OSError:
        return None


def _tidy() -> None:
    """Delete what nobody will come back for, and the oldest of what is too much."""
    files = []
    for file in directory().iterdir():
        with suppress(OSError):  # another server may tidy beside us
            files.append((file.stat().st_mtime, file.stat().st_size, file))
    room, late = ON_DISK, time.time() - LASTING
    for moment, size, path in sorted(files, reverse=True):
        room -= size
        if moment < late or room < 0:
            path.unlink(missing_ok=True)
