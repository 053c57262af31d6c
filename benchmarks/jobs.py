"""What the scheduler and its workers cost: start, round trip, frames a second with many runs, the gap after a kill."""

import asyncio
import importlib.util
import os
import signal
import statistics
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from app.runs.dask_cluster import DaskCluster
from app.runs.jobs import Jobs, Update
from app.runs.local_workers import LocalWorkers
from app.runs.work import Backend, ChunkRequest
from benchmarks._figures import note
from sims.chunks.chunk import run_chunk
from tests.training_example import TrainingExample

ROUNDS = 200
SECONDS = 4.0
FOREVER = 1_000_000


class Clock:
    """Notes when the frames of a run come."""

    def __init__(self) -> None:
        self.times: list[float] = []

    async def deliver(self, update: Update) -> None:
        if update.frame:
            self.times.append(time.perf_counter())

    async def frames(self, number: int) -> None:
        while len(self.times) < number:
            await asyncio.sleep(0.001)


async def clocked(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


async def round_trips(backend: Backend, where: str) -> None:
    """One chunk of no work after the other, against the same calls in this process."""
    chunk = await backend.run(ChunkRequest(TrainingExample, {}, None, 0))
    work = ChunkRequest(TrainingExample, {}, chunk.state, 1)
    trips = [await clocked(lambda: backend.run(work)) for _ in range(ROUNDS)]
    state = run_chunk(TrainingExample, {}, None, 0).state
    began = time.perf_counter()
    for _ in range(ROUNDS):
        run_chunk(TrainingExample, {}, state, 1)
    in_process = (time.perf_counter() - began) / ROUNDS
    note(f"{where}: empty chunk, round trip", [1e3 * x for x in trips], "ms")
    note(f"{where}: the same in this process", [1e3 * in_process], "ms")


async def first_frames(backend: Backend, where: str) -> None:
    """From `open` to the first frame, and from `play` to the first motion, of a training with 2 ms a step."""
    opened, moved = [], []
    jobs = Jobs(backend, in_all=FOREVER, per_reader=FOREVER)
    for _ in range(30):
        clock = Clock()
        began = time.perf_counter()
        run = jobs.open("a", TrainingExample, {"length": FOREVER, "step_seconds": 0.002}, clock.deliver, lambda: True)
        await clock.frames(1)
        opened.append(clock.times[0] - began)
        began = time.perf_counter()
        run.play()
        await clock.frames(2)
        moved.append(clock.times[1] - began)
        run.close()
    note(f"{where}: open → first picture", [1e3 * x for x in opened], "ms")
    note(f"{where}: play → first motion", [1e3 * x for x in moved], "ms")


async def frame_rates(backend: Backend, where: str, readers: int) -> None:
    """Pictures a second when several readers train, and the share of the event loop's thread that this takes."""
    jobs = Jobs(backend, in_all=FOREVER)
    clocks = [Clock() for _ in range(readers)]
    settings = {"length": FOREVER, "step_seconds": 0.001}
    runs = [
        jobs.open(reader, TrainingExample, settings, clock.deliver, lambda: True) for reader, clock in enumerate(clocks)
    ]
    for run in runs:
        run.play()
    for clock in clocks:
        await clock.frames(10)
    before, busy = [len(clock.times) for clock in clocks], time.thread_time()
    await asyncio.sleep(SECONDS)
    busy = time.thread_time() - busy
    rates = [(len(clock.times) - count) / SECONDS for clock, count in zip(clocks, before, strict=True)]
    note(f"{where}: pictures a second for each of {readers} who train", rates, "", more=True)
    note(f"{where}: the event loop's thread is busy, {readers} train", [100 * busy / SECONDS], "%")
    for run in runs:
        run.close()


async def gap_after_kill(backend: LocalWorkers) -> None:
    """The longest pause between pictures when the worker is killed in the middle, against the usual one."""
    jobs = Jobs(backend)
    clock = Clock()
    run = jobs.open("a", TrainingExample, {"length": FOREVER, "step_seconds": 0.002}, clock.deliver, lambda: True)
    run.play()
    await clock.frames(20)
    gaps = []
    for _ in range(10):
        count = len(clock.times)
        await asyncio.sleep(0.03)
        for pid in backend.pids():
            os.kill(pid, signal.SIGKILL)
        await clock.frames(count + 8)
        gaps.append(max(after - before for before, after in pairwise(clock.times[count - 1 :])))
    usual = statistics.median(after - before for before, after in pairwise(clock.times[5:20]))
    run.close()
    note("gap between pictures when all workers are killed", [1e3 * gap for gap in gaps], "ms")
    note("the usual gap", [1e3 * usual], "ms")


async def local() -> None:
    backend = LocalWorkers()
    where = f"{backend.workers} local workers"
    cold = await clocked(lambda: backend.run(ChunkRequest(TrainingExample, {}, None, 0)))
    note(f"{where}: first chunk, cold", [cold], "s")
    await round_trips(backend, where)
    await first_frames(backend, where)
    for readers in (1, 5, 20):
        await frame_rates(backend, where, readers)
    await gap_after_kill(backend)
    backend.close()


async def dask() -> None:
    from distributed import LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
    backend = DaskCluster(cluster.scheduler_address)
    where = "2 Dask workers"
    await round_trips(backend, where)
    await first_frames(backend, where)
    for readers in (1, 5):
        await frame_rates(backend, where, readers)
    await asyncio.sleep(0.5)
    backend.close()
    await asyncio.to_thread(cluster.close)


def main() -> None:
    """Print the figures."""
    asyncio.run(local())
    if importlib.util.find_spec("distributed"):
        asyncio.run(dask())


if __name__ == "__main__":
    main()
