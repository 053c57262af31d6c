"""The scheduler: the runs of all readers share the workers, chunk by chunk.

All bookkeeping happens in the server's event loop; the backend does the computing. Each run has at most one chunk in
flight, and there is one more chunk in flight than there are workers, so that none idles between two chunks.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from app.runs.chunk_split import frame_request, merge, split
from app.runs.fair_queue import FairQueue
from app.runs.pace import Load
from app.runs.run import Open, Phase, Run, Status, Update
from app.runs.work import Backend, ChunkFailed, ChunkRequest, WorkerDied
from sims.chunks.chunk import Chunk
from sims.contract.simulation import Training

__all__ = ["Busy", "Jobs", "Open", "Phase", "Run", "Status", "Update"]

log = logging.getLogger(__name__)

UNWATCHED_TIMEOUT = 1.0
"""Seconds after which a run that nobody watches pauses; meanwhile it starts no chunk."""

QUEUE_NOTICE_DELAY = 0.3
"""Seconds that a run waits for a worker before its page is told its place in the queue."""

REQUEUE_GRACE = 0.01
"""Seconds in which a page may take its frame and queue again before its turn goes to another reader's second run; the
reserve chunk keeps the worker busy meanwhile."""

TICK = 0.2
"""Seconds between two checks of what waits and who watches, while there is anything to do."""


class Busy(Exception):
    """No further run is accepted; the text is for the page."""


@dataclass
class RunEntry:
    """The scheduler's record of a run."""

    chunk: asyncio.Task[Chunk] | None = None
    timer: asyncio.TimerHandle | None = None
    waiting_since: float | None = None
    sent_place: int | None = None
    sent_message: str = ""
    alone_since: float | None = None


class Jobs:
    """Schedules the chunks of all runs.

    Readers take turns, then the runs of each reader. A run gets at most `frames_per_second`, and all runs together
    `frames_in_all` a second. A reader may have `per_reader` runs open, and all readers together `in_all`. `awaited`
    says in words what a simulation still waits for before its first chunk; empty if nothing.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        awaited: Callable[[type[Training]], str] = lambda _simulation: "",
        frames_per_second: float = 15.0,
        frames_in_all: float = 250.0,
        per_reader: int = 12,
        in_all: int = 400,
    ) -> None:
        self._backend = backend
        self._awaited = awaited
        self._frames_per_second = frames_per_second
        self._frames_in_all = frames_in_all
        self._per_reader = per_reader
        self._in_all = in_all
        self._entries: dict[Run, RunEntry] = {}
        self._readers: Counter[Hashable] = Counter()
        self._queue: FairQueue[Run] = FairQueue()
        self._under_way = 0
        self._training = 0
        self._ticker: asyncio.TimerHandle | None = None
        self._closed = False

    def warm(self) -> None:
        """Start the workers now instead of with the first run; returns at once."""
        self._backend.warm()

    def open(
        self,
        reader: Hashable,
        simulation: type[Training],
        settings: Mapping[str, Any],
        deliver: Callable[[Update], Awaitable[None]],
        watched: Callable[[], bool],
        begun: bytes | None = None,
    ) -> Run:
        """A new run. Its first frame is computed at once, watched or not: step 0, or the step reached in `begun`, the
        bytes that `Run.packed` returned for an earlier run.

        `deliver` gets the updates one at a time, and returns when the page has each. `watched` is called before each
        further chunk. Raises Busy if the reader, or the server, has the maximum number of runs.
        """
        if self._closed:
            raise Busy("The server is stopping.")
        if self._readers[reader] >= self._per_reader:
            raise Busy(
                f"This page already has {self._per_reader} simulations in memory. Reload it to make room for others."
            )
        if len(self._entries) >= self._in_all:
            raise Busy("Many simulations are running on this server right now. Reading works; try again in a minute.")
        run = Run(self, reader, simulation, settings, deliver, watched, self._unpacked(begun))
        self._entries[run] = RunEntry()
        self._readers[reader] += 1
        self.schedule(run)
        return run

    def _unpacked(self, begun: bytes | None) -> Mapping[str, Any] | None:
        try:
            return self._backend.unpack(begun) if begun else None
        except ValueError as error:
            log.warning("A run restarts: %s", error)
            return None

    def pack(self, state: Mapping[str, Any]) -> bytes:
        """Serialize a state so that `open` can load it again."""
        return self._backend.pack(state)

    def close(self) -> None:
        """Close every run and end the workers."""
        self._closed = True
        for run in list(self._entries):
            run.close()
        if self._ticker:
            self._ticker.cancel()
        self._backend.close()

    # -- what runs ask for ---------------------------------------------------------------------------------------

    def schedule(self, run: Run) -> None:
        """Queue a run for its next chunk if it wants one and has none in flight; if it is too early, do so later."""
        entry = self._entries.get(run)
        if entry is None or entry.chunk or entry.waiting_since is not None or not run.wants_work:
            return
        if entry.timer:
            entry.timer.cancel()
        now = asyncio.get_running_loop().time()
        message = self._awaited(run.simulation)
        if message:
            if message != entry.sent_message:
                entry.sent_message = message
                run.report(Status("waiting", message=message))
            self._later(run, TICK)
            return
        if not run.starting and now < run.not_before:
            self._later(run, run.not_before - now)
            return
        entry.waiting_since = now
        self._queue.add(run.reader, run)
        self._tick_on()
        self._fill()

    def dequeue(self, run: Run) -> None:
        """Remove a run from the queue; a chunk in flight may end. A run without a first frame stays in the queue."""
        entry = self._entries[run]
        entry.alone_since = None
        if entry.timer:
            entry.timer.cancel()
        if entry.waiting_since is not None and not run.starting:
            self._unqueue(run, entry)

    def cancel(self, run: Run) -> None:
        """Remove a run from the queue and cancel its chunk in flight."""
        entry = self._entries[run]
        if entry.timer:
            entry.timer.cancel()
        if entry.waiting_since is not None:
            self._unqueue(run, entry)
        if entry.chunk and not entry.chunk.cancelling():
            entry.chunk.cancel()

    def remove(self, run: Run) -> None:
        """Forget a closed run."""
        self.cancel(run)
        del self._entries[run]
        self._readers[run.reader] -= 1
        if not self._readers[run.reader]:
            del self._readers[run.reader]
            self._queue.remove(run.reader)

    def _unqueue(self, run: Run, entry: RunEntry) -> None:
        self._queue.discard(run.reader, run)
        entry.waiting_since = entry.sent_place = None

    def _later(self, run: Run, seconds: float) -> None:
        self._entries[run].timer = asyncio.get_running_loop().call_later(seconds, self.schedule, run)

    # -- chunks --------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        while self._queue and self._under_way <= self._backend.workers:
            run = self._queue.pop()
            entry = self._entries[run]
            entry.waiting_since = entry.sent_place = None
            if run.starting or self._has_company(run):
                self._begin(run, entry)
            elif run.wants_work:
                self._later(run, TICK)

    def _begin(self, run: Run, entry: RunEntry) -> None:
        loop = asyncio.get_running_loop()
        work = run.work(self.load(), loop.time())
        pieces = split(work, self._spare())
        entry.chunk = loop.create_task(self._compute(run, work, pieces))
        entry.chunk.add_done_callback(partial(self._landed, run, run.generation, len(pieces)))
        self._under_way += len(pieces)

    def _spare(self) -> int:
        """How many workers the next chunk may use: the idle ones, but at most an equal share per training run."""
        if self._queue:
            return 1
        workers = self._backend.workers
        return min(workers - self._under_way, workers // max(1, self._training))

    def load(self, more: int = 0) -> Load:
        """The load of the workers, with so many more runs that train."""
        training = self._training + more
        period = max(1 / self._frames_per_second, training / self._frames_in_all)
        return Load(self._backend.workers, training, period)

    async def _compute(self, run: Run, work: ChunkRequest, pieces: list[ChunkRequest]) -> Chunk:
        """A chunk computed in one piece, or in several at the same time, followed by their common frame."""
        if len(pieces) == 1:
            return await self._attempt(run, work)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._attempt(run, piece)) for piece in pieces]
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None
        chunks = [task.result() for task in tasks]
        return merge(chunks, await self._attempt(run, frame_request(work, chunks)))

    async def _attempt(self, run: Run, work: ChunkRequest) -> Chunk:
        """A piece, with a second attempt if its worker died: both start from the same state."""
        try:
            return await self._backend.run(work)
        except WorkerDied as death:
            log.warning("%s: retried once", death)
            run.report(Status("retried"))
            return await self._backend.run(work, alone=True)

    def _landed(self, run: Run, generation: int, pieces: int, task: asyncio.Task[Chunk]) -> None:
        self._under_way -= pieces
        entry = self._entries.get(run)
        if entry:
            entry.chunk = None
        error = None if task.cancelled() else task.exception()
        if entry and run.generation == generation:
            if task.cancelled():
                run.lose()
            elif error is None:
                run.take_chunk(task.result())
            else:
                run.fail(self._explain(error))
        if entry:
            self.schedule(run)
        asyncio.get_running_loop().call_later(REQUEUE_GRACE, self._fill)

    @staticmethod
    def _explain(error: BaseException) -> str:
        if isinstance(error, ChunkFailed):
            return str(error)
        if isinstance(error, WorkerDied):
            return "Two worker processes in a row ended while they computed this step. Other settings may work."
        log.error("A chunk could not be given to a worker", exc_info=error)
        return f"This step could not be computed ({type(error).__name__})."

    # -- timers --------------------------------------------------------------------------------------------------

    def _has_company(self, run: Run) -> bool:
        """Whether somebody watches; a run that nobody has watched for a while pauses."""
        entry = self._entries[run]
        if run.is_watched():
            entry.alone_since = None
            return True
        now = asyncio.get_running_loop().time()
        if entry.alone_since is None:
            entry.alone_since = now
        elif now - entry.alone_since >= UNWATCHED_TIMEOUT:
            entry.alone_since = None
            run.pause()
            self.cancel(run)
        return False

    def _tick_on(self) -> None:
        if self._ticker is None:
            self._tick()

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for run, entry in list(self._entries.items()):
            if entry.chunk and run.wants_steps and not run.starting:
                self._has_company(run)
        for place, run in enumerate(self._queue.order()):
            entry = self._entries[run]
            since = now if entry.waiting_since is None else entry.waiting_since
            if now - since >= QUEUE_NOTICE_DELAY and place != entry.sent_place and not run.wants_trial:
                entry.sent_place = place
                run.report(Status("waiting", place))
        self._training = sum(run.wants_steps for run in self._entries)
        active = self._training or any(run.starting for run in self._entries)
        self._ticker = loop.call_later(TICK, self._tick) if active else None
