"""What a worker process does: one chunk after the other, each within a time limit, and no chunk's error ends it."""

import os
import pickle
import signal
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from sims.base import Chunk, Training, run_chunk

NICENESS = 10
"""Workers stand back: the server answers sliders first."""

TAKEN = b"taken"
"""Sent before a task is begun: a process that ends without it was dead already, and not by the task's doing."""


@dataclass(frozen=True)
class Failure:
    """An exception in a chunk: a line for the page, and the traceback for the log."""

    message: str
    details: str


def failure(error: BaseException) -> Failure:
    """What is told of an exception."""
    return Failure(f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


def perform(
    limit: float, simulation: type[Training], settings: Mapping[str, Any], state: bytes | None, steps: int
) -> Chunk:
    """Run a chunk (see `run_chunk`); after `limit` seconds the kernel ends the whole process.

    Nothing softer stops compiled code that hangs, and nothing else holds when the server has died meanwhile.
    """
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        return run_chunk(simulation, settings, state, steps)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def answer(task: bytes) -> bytes:
    """The pickled `Chunk` or `Failure` of a task: the pickled arguments of `perform`."""
    try:
        return pickle.dumps(perform(*pickle.loads(task)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(failure(error), pickle.HIGHEST_PROTOCOL)


def serve(connection: Connection) -> None:
    """Answer tasks, each after word that it was taken, until the server closes its end or dies. A process of its own."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    try:
        while True:
            task = connection.recv_bytes()
            connection.send_bytes(TAKEN)
            connection.send_bytes(answer(task))
    except (EOFError, OSError):
        return
