"""Storage of unfinished runs: what a run has computed outlives its session, its place and its server.

A run is kept when its session ends before the run does, and by a server that shuts down. A session with the same
reader, place and settings continues it. It is held in memory until it is on disk, and stays in memory if it cannot be
written.

Workers unpickle these files, so a file is accepted only if this user owns it and nobody else may read or write it.
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
"""Seconds after which a run is deleted, as its reader is not expected back"""

ON_DISK = 2 * 2**30
IN_MEMORY = 256 * 2**20
"""Limit of the total bytes; the oldest runs are deleted first. A run has up to some 30 MB."""

PRIVATE = 0o077
"""Permission bits that must not be set for group and others"""

_held: dict[str, bytes] = {}


def directory() -> Path:
    """The folder for stored runs: `SKIP_RUNS`, or one in the cache. Servers that replace each other share it."""
    return settings.runs_folder() or paths.suspended_runs()


def key(owner: str, simulation: Simulation) -> str:
    """The key of a run: its reader, its settings, and the code that computes it. The module path is part of it, because
    the code's version does not change when a module is moved, but older pickles then cannot be read."""
    return hashlib.sha256(f"{owner}\n{simulation.__module__}\n{results.name(simulation)}".encode()).hexdigest()[:32]


def stash(name: str, packed: bytes) -> None:
    """Keep a run in memory until `write` has saved it to disk."""
    _held.pop(name, None)
    _held[name] = packed


def write(name: str) -> None:
    """Save a stashed run to disk. If that fails, it stays in memory, where the oldest runs over the limit are lost. May
    be called in any thread."""
    packed = _held.get(name)
    if packed is None:
        return
    try:
        directory().mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(directory() / name, packed)
    except OSError:
        held = list(_held.items())
        excess = sum(len(state) for _name, state in held) - IN_MEMORY
        for oldest, state in held:
            if excess > 0:
                _held.pop(oldest, None)
                excess -= len(state)
        return
    if _held.get(name) is packed:
        del _held[name]
    with suppress(OSError):
        _tidy()


def load(name: str) -> bytes | None:
    """The stored state of a run, kept here or by another server; None if there is nothing that can be trusted."""
    if name in _held:
        return _held[name]
    try:
        with (directory() / name).open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid() or status.st_mode & PRIVATE:
                log.warning("A suspended run is ignored: its file belongs to another user, or others may change it")
                return None
            return file.read()
    except OSError:
        return None


def _tidy() -> None:
    """Delete runs that have expired, and the oldest ones over the size limit."""
    files = []
    for file in directory().iterdir():
        with suppress(OSError):  # another server may delete files at the same time
            files.append((file.stat().st_mtime, file.stat().st_size, file))
    room, late = ON_DISK, time.time() - LASTING
    for moment, size, path in sorted(files, reverse=True):
        room -= size
        if moment < late or room < 0:
            path.unlink(missing_ok=True)
