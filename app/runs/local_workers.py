"""Worker processes on this machine, each with its own pipe.

A `concurrent.futures.ProcessPoolExecutor` breaks as a whole when one process dies, and does not say whose chunk it was:
a chunk that kills its worker takes those of other readers with it. Here the chunk of a dead worker is known, the other
workers are unaffected, and a hanging or unwanted chunk can be ended alone.
"""

import asyncio
import logging
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.forkserver import _forkserver as _fork_server
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, TypeVar

import sims
from app import settings
from app.runs.shared_file_pool import SharedFilePool
from app.runs.stored_states import Stored, pack_files, unpack_files
from app.runs.work import CHUNK_LIMIT, TOO_LONG, ChunkFailed, ChunkRequest, WorkerDied
from sims.chunks.chunk import Chunk
from sims.chunks.preparation import is_complete
from sims.chunks.serialization import InFile
from sims.chunks.worker import Failure, send_task, serve
from sims.kept.environment import reproducible

log = logging.getLogger(__name__)

Result = TypeVar("Result")

GRACE = 1.0
"""Seconds that an abandoned chunk may take to end by itself; then its worker is replaced."""

TRIES = 5
"""Processes that a task is offered to until one takes it: the first ones may have been killed while they were idle."""

KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 * 2**20), "MALLOC_TRIM_THRESHOLD_": str(128 * 2**20)}
"""Bytes up to which the C library of Linux keeps freed memory: allocating fresh pages for every copy of a state took as
long as several steps."""

_context = multiprocessing.get_context("forkserver")
_starting = Lock()


def _prepare_environment() -> None:
    """Set up the environment that the fork server and thus every worker inherits; its search path is not ours before
    3.14."""
    os.environ.update(reproducible() | KEEP_MEMORY)
    root = str(Path(sims.__file__).resolve().parent.parent)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != root]
    os.environ["PYTHONPATH"] = os.pathsep.join([root, *paths])


@contextmanager
def _nameless_main() -> Iterator[None]:
    """Keep multiprocessing from running the server's main script again in every worker: it imports all of Panel."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _end_fork_server() -> None:
    """Kill the process that workers are forked from: while it is still importing, nothing else would end it soon.

    The next worker starts another one. Python has no public API for its pid.
    """
    pid = getattr(_fork_server, "_forkserver_pid", None)
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class _Worker:
    """One process, or a slot for one that has not been started yet."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._retired = False

    @property
    def pid(self) -> int | None:
        """The pid of the process while it is alive."""
        return self._process.pid if self._process and self._process.is_alive() else None

    def start(self) -> Connection:
        """A connection to the process, which is started if there is none. Raises EOFError or OSError."""
        if self._connection and self.pid:
            return self._connection
        self.end()
        with _starting, _nameless_main():
            if self._retired:
                raise EOFError("no worker is started any more")
            # Preloading an incomplete engine would compile it here, and every worker would wait; `Engine` compiles it
            # elsewhere.
            _context.set_forkserver_preload(["sims.chunks.preload" if is_complete() else "sims.registry"])
            ours, theirs = _context.Pipe()
            # A daemon, since Python would otherwise wait for it at exit before the pipe is closed.
            self._process = _context.Process(target=serve, args=(theirs,), daemon=True)
            self._connection = ours
            with theirs:
                self._process.start()
        return ours

    def ask(self, task: bytes, files: Sequence[int]) -> bytes:
        """Send a task and wait for its answer. Raises WorkerDied, or ChunkFailed if it exceeded its time limit."""
        try:
            return self._hand_over(task, files).recv_bytes()
        except (EOFError, OSError) as error:
            code = self.end()
            if code == -signal.SIGALRM:
                raise ChunkFailed(TOO_LONG) from None
            raise WorkerDied(f"A worker process has ended with code {code}") from error

    def _hand_over(self, task: bytes, files: Sequence[int]) -> Connection:
        """Return the connection to a process that has taken the task. Raises EOFError or OSError.

        The end of a process is noticed with a delay, so that a task may be sent to one that is dead.
        """
        for left in reversed(range(TRIES)):
            try:
                connection = self.start()
                send_task(connection, task, files)
                break
            except (EOFError, OSError):
                if self._retired or not left:
                    raise
                self.end()
        return connection

    def end(self) -> int | None:
        """Wait for the process to end (closing its pipe makes it end) and return its exit code; kill it if
        necessary."""
        if self._connection:
            self._connection.close()
        if self._process is None or self._process.pid is None:
            return None
        self._process.join(GRACE)
        self.kill()
        self._process.join()
        return self._process.exitcode

    def kill(self) -> None:
        """Kill the process, if it lives, even while another thread waits for its answer."""
        if self._process and self.pid:
            self._process.kill()

    def retire(self) -> None:
        """Start no other process; one that is being started may still come."""
        self._retired = True


class _Call:
    """A task assigned to a worker, which can be ended only there."""

    def __init__(self, work: ChunkRequest, limit: float, shelf: SharedFilePool) -> None:
        self._work = work
        self._limit = limit
        self._shelf = shelf
        self._worker: _Worker | None = None
        self._lock = Lock()

    def ask(self, worker: _Worker) -> Chunk:
        """Runs in a thread. Raises WorkerDied or ChunkFailed."""
        stored: Mapping[str, Stored] = self._work.state or {}
        files = list({entry.file: None for entry in stored.values() if entry.file})
        state = {
            name: replace(entry.part, file=files.index(entry.file)) if entry.file else entry.part
            for name, entry in stored.items()
        }
        files.append(self._shelf.take())
        answer = self._answer(worker, state if stored else None, [file.number for file in files])
        if isinstance(answer, Failure):
            log.error("A chunk of %s failed\n%s", self._work.simulation.__name__, answer.details)
            raise ChunkFailed(answer.message)
        parts = {name: Stored(part, files[part.file] if part.sizes else None) for name, part in answer.state.items()}
        return replace(answer, state=parts)

    def _answer(self, worker: _Worker, state: Mapping[str, InFile] | None, files: Sequence[int]) -> Chunk | Failure:
        work = self._work
        task = (self._limit, work.simulation, work.settings, state, work.steps, work.draw)
        self._worker = worker
        try:
            answer: Chunk | Failure = pickle.loads(worker.ask(pickle.dumps(task, pickle.HIGHEST_PROTOCOL), files))
        finally:
            with self._lock:
                self._worker = None
        return answer

    def end(self) -> None:
        """Kill the worker, unless it has answered."""
        with self._lock:
            if self._worker:
                self._worker.kill()


def _drop(answer: asyncio.Future[Chunk]) -> None:
    """Retrieve the exception of an unwanted answer, so that asyncio does not report it as never retrieved."""
    if not answer.cancelled():
        answer.exception()


class LocalWorkers:
    """Worker processes with one thread each, forked from a process that has everything loaded.

    `workers` is the number of processes (`SKIP_WORKERS`, or one per usable core), `limit` the seconds a chunk may take.
    """

    def __init__(self, workers: int | None = None, *, limit: float = CHUNK_LIMIT) -> None:
        _prepare_environment()
        self._workers = [_Worker() for _ in range(workers or settings.workers())]
        self._limit = limit
        self._idle = list(self._workers)
        self._choosing = Lock()
        self._shelf = SharedFilePool()
        self._threads = ThreadPoolExecutor(len(self._workers), thread_name_prefix="worker")

    @property
    def workers(self) -> int:
        return len(self._workers)

    def pids(self) -> list[int]:
        """The pids of the live processes."""
        return [pid for worker in self._workers if (pid := worker.pid)]

    async def run(self, work: ChunkRequest, *, alone: bool = False) -> Chunk:
        """Compute one chunk. Raises ChunkFailed or WorkerDied.

        A chunk is always alone in its process. One that is to be `alone` also gets a new process: whatever killed the
        last one may affect all that are alive.
        """
        call = _Call(work, self._limit, self._shelf)
        job = self._threads.submit(self._on_worker, call.ask, fresh=alone)
        answer = asyncio.wrap_future(job)
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            answer.add_done_callback(_drop)
            if not job.cancel():
                await asyncio.wait([answer], timeout=GRACE)
                call.end()
                await asyncio.wait([answer])
            raise

    def _on_worker(self, task: Callable[[_Worker], Result], fresh: bool = False) -> Result:
        """Run a task on an idle worker. There are as many threads as workers, so there always is one.

        With `fresh`, prefer a worker without a process; if there is none, end the process of the chosen one.
        """
        with self._choosing:
            worker = next((idle for idle in self._idle if fresh and not idle.pid), self._idle[0])
            self._idle.remove(worker)
        try:
            if fresh:
                worker.end()
            return task(worker)
        finally:
            self._idle.append(worker)

    def pack(self, state: Mapping[str, Any]) -> bytes:
        return pack_files(state)

    def unpack(self, packed: bytes) -> Mapping[str, Any]:
        return unpack_files(packed, self._shelf)

    def warm(self) -> None:
        """Start all processes in the background."""
        for _ in self._workers:
            self._threads.submit(self._on_worker, _Worker.start)

    def close(self) -> None:
        """Kill all processes; returns when none is left."""
        for worker in self._workers:
            worker.retire()
        # First this one: a worker that is being started waits until it has imported everything, which takes seconds.
        _end_fork_server()
        with _starting:
            for worker in self._workers:
                worker.kill()
            _end_fork_server()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.end()
        self._shelf.close()
