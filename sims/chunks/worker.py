"""The main loop of a worker process: it runs chunks one by one, each within a time limit, and survives their errors."""

import os
import pickle
import signal
import socket
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from sims.chunks.chunk import Chunk, run_chunk
from sims.chunks.serialization import Files, Keeper
from sims.contract.simulation import Training

NICENESS = 10
"""Workers have a lower priority than the server, which must react to sliders quickly."""

TAKEN = b"taken"
"""Sent before a task starts. A process that ends without sending it was dead already: the task is not to blame."""


FILES = b"f"
"""Sent together with the file descriptors of a task, which need at least one byte of data."""

MOST_FILES = 64
"""The largest number of files that one task may have."""


@dataclass(frozen=True)
class Failure:
    """An exception in a chunk: a line for the page, and the traceback for the log."""

    message: str
    details: str


def failure(error: BaseException) -> Failure:
    """Describe an exception."""
    return Failure(f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


def perform(
    limit: float,
    simulation: type[Training],
    settings: Mapping[str, Any],
    state: Mapping[str, Any] | None,
    steps: int,
    draw: bool,
    keeper: Keeper | None = None,
) -> Chunk:
    """Run a chunk (see `run_chunk`); after `limit` seconds, SIGALRM ends the whole process.

    No exception could interrupt compiled code that hangs, and this works even if the server has died meanwhile.
    """
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        return run_chunk(simulation, settings, state, steps, draw=draw, keeper=keeper)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def answer(task: bytes, files: Sequence[int]) -> bytes:
    """Run a task (pickled arguments of `perform`, with states in `files`); return its pickled `Chunk` or `Failure`."""
    try:
        limit, simulation, settings, state, steps, draw = pickle.loads(task)
        chunk = perform(limit, simulation, settings, state, steps, draw, Files(files))
        return pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(failure(error), pickle.HIGHEST_PROTOCOL)


def send_task(connection: Connection, task: bytes, files: Sequence[int]) -> None:
    """Send a task and its files to a worker, and wait until it accepts them. Raises EOFError or OSError."""
    connection.send_bytes(task)
    with socket.fromfd(connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as pipe:
        socket.send_fds(pipe, [FILES], files)
    if connection.recv_bytes() != TAKEN:
        raise EOFError("a worker process is out of step")


def take_task(connection: Connection) -> tuple[bytes, list[int]]:
    """Receive the next task and its files. Raises EOFError or OSError if the server is gone."""
    task = connection.recv_bytes()
    with socket.fromfd(connection.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as pipe:
        mark, files, _flags, _address = socket.recv_fds(pipe, len(FILES), MOST_FILES)
    if mark != FILES:
        raise EOFError("the server has gone")
    connection.send_bytes(TAKEN)
    return task, files


def serve(connection: Connection) -> None:
    """Run tasks until the server closes its end or dies. This is the main function of a process."""
    os.nice(NICENESS)
    # Ctrl+C in a terminal goes to all processes: the server ends its workers itself. SIGALRM must end the process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    try:
        while True:
            task, files = take_task(connection)
            connection.send_bytes(answer(task, files))
            for file in files:
                os.close(file)
    except (EOFError, OSError):
        return
