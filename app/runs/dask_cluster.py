"""Computes chunks on a Dask cluster, whose workers need only the package `sims` and one thread each."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import import_module
from time import monotonic
from typing import Any

from app.runs.stored_states import pack, unpack
from app.runs.work import CHUNK_LIMIT, TOO_LONG, ChunkFailed, ChunkRequest, WorkerDied
from sims.chunks.chunk import Chunk
from sims.chunks.worker import failure, perform

log = logging.getLogger(__name__)

UNREACHABLE = "The machines that compute cannot be reached. Try again in a minute."

LOOK_AGAIN = 5.0
"""Seconds between queries for the cluster's number of threads."""


class DaskCluster:
    """Workers of a Dask cluster, found by the `address` of its scheduler. `limit` is the seconds a chunk may take.

    Raises ImportError where the package `distributed`, which is an extra, is not installed.

    Dask itself reassigns the chunk of a dead worker, as often as its `distributed.scheduler.allowed-failures` says,
    before we see a WorkerDied. Workers need a nanny and a single thread each: `limit` is enforced by ending the process
    that computes. Chunks that were only queued at the same worker look the same to us; each is retried alone, so that
    none of them is blamed for the death.
    """

    def __init__(self, address: str, *, limit: float = CHUNK_LIMIT) -> None:
        self._distributed: Any = import_module("distributed")
        self._address = address
        self._limit = limit
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="dask")
        self._connection: Future[Executor] | None = None
        self._client: Any = None
        self._workers = 1
        self._looked = monotonic()
        self._under_way = 0
        self._suspects = 0
        self._changed = asyncio.Condition()

    @property
    def workers(self) -> int:
        return self._workers

    def warm(self) -> None:
        """Connect in the background."""
        if self._connection is None:
            self._connection = self._threads.submit(self._connect)

    def _connect(self) -> Executor:
        self._client = self._distributed.Client(self._address, set_as_default=False)
        self._look()
        return self._client.get_executor(pure=False)

    def _look(self) -> None:
        self._looked = monotonic()
        self._workers = max(1, self._client.scheduler_info(n_workers=0)["total_threads"])

    async def _executor(self) -> Executor:
        if self._client and self._client.status == "closed":
            self._client = self._connection = None
        self.warm()
        connection = self._connection
        assert connection is not None
        try:
            executor = await asyncio.shield(asyncio.wrap_future(connection))
        except OSError as error:
            if self._connection is connection:
                self._connection = None
            raise ChunkFailed(UNREACHABLE) from error
        if self._lost:
            raise ChunkFailed(UNREACHABLE)
        if monotonic() - self._looked > LOOK_AGAIN:
            self._looked = monotonic()
            self._threads.submit(self._look)
        return executor

    @property
    def _lost(self) -> bool:
        """Whether the scheduler is gone. Dask tries to reconnect for a while, and nothing is computed meanwhile."""
        return bool(self._client.status != "running")

    @asynccontextmanager
    async def _turn(self, alone: bool) -> AsyncIterator[None]:
        async with self._changed:
            self._suspects += alone
            try:
                await self._changed.wait_for(lambda: not (self._under_way if alone else self._suspects))
            except asyncio.CancelledError:
                self._suspects -= alone
                self._changed.notify_all()
                raise
            self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._suspects -= alone
            async with self._changed:
                self._changed.notify_all()

    async def run(self, work: ChunkRequest, *, alone: bool = False) -> Chunk:
        """Compute one chunk; if `alone`, while no other is computed. Raises ChunkFailed or WorkerDied."""
        executor = await self._executor()
        async with self._turn(alone):
            return await self._compute(executor, work)

    async def _compute(self, executor: Executor, work: ChunkRequest) -> Chunk:
        job = executor.submit(perform, self._limit, work.simulation, work.settings, work.state, work.steps, work.draw)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(job), timeout=2 * self._limit)
        except TimeoutError:
            raise ChunkFailed(TOO_LONG) from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():
                raise
            if self._lost:
                raise ChunkFailed(UNREACHABLE) from None
            raise WorkerDied("The cluster has dropped a chunk") from None
        except Exception as error:
            if isinstance(error, self._distributed.KilledWorker):
                raise WorkerDied(str(error)) from error
            report = failure(error)
            log.error("A chunk of %s failed\n%s", work.simulation.__name__, report.details)
            raise ChunkFailed(report.message) from error

    def pack(self, state: Mapping[str, Any]) -> bytes:
        return pack({name: (part, (), b"") for name, part in state.items()})

    def unpack(self, packed: bytes) -> Mapping[str, Any]:
        """Raises ValueError if workers that share files have packed the state."""
        parts = unpack(packed)
        if any(sizes for _pickled, sizes, _arrays in parts.values()):
            raise ValueError("this state was kept by workers that share files")
        return {name: pickled for name, (pickled, _sizes, _arrays) in parts.items()}

    def close(self) -> None:
        """Disconnect from the cluster; its workers keep running for other clients."""
        self._threads.shutdown(cancel_futures=True)
        if self._client:
            self._client.close()
