"""The same chunks on a real local Dask cluster: scheduler and workers in processes of their own."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.runs.dask_cluster import DaskCluster
from app.runs.jobs import Jobs
from app.runs.work import ChunkFailed, ChunkRequest
from sims.chunks.chunk import Chunk
from tests.deploy.proxy import OPENSSL, certificate
from tests.reader import Reader, eventually, numbers, undisturbed
from tests.training_example import TrainingExample

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    # A dead worker reaches the scheduler of the page at once, and not after Dask's own further attempts.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
    ):
        yield cluster


@pytest.fixture
def backend(cluster: Any) -> Iterator[DaskCluster]:
    backend = DaskCluster(cluster.scheduler_address)
    yield backend
    backend.close()


def open_run(jobs: Jobs, reader: Reader, **settings: object) -> None:
    jobs.open(id(reader), TrainingExample, settings, reader.deliver, reader.is_watched).play()


def test_runs_stream_to_the_same_bits_as_anywhere(backend: DaskCluster) -> None:
    async def story() -> None:
        jobs = Jobs(backend, frames_per_second=60)
        jobs.warm()
        readers = [Reader() for _ in range(3)]
        for seed, reader in enumerate(readers):
            open_run(jobs, reader, seed=seed)
        for seed, reader in enumerate(readers):
            await reader.until("finished")
            assert reader.steps == sorted(set(reader.steps))
            assert numbers(reader) == undisturbed(seed=seed)
            assert reader.frames[-1].results["worker"] != os.getpid()
        assert backend.workers == 2

    asyncio.run(story())


@pytest.mark.exhaustive
def test_a_killed_worker_costs_nothing_but_time(backend: DaskCluster) -> None:
    async def story() -> None:
        jobs = Jobs(backend, frames_per_second=60)
        reader = Reader()
        open_run(jobs, reader, seed=1, step_seconds=0.03)
        await reader.until_step(5)
        os.kill(int(reader.frames[-1].results["worker"]), signal.SIGKILL)
        await reader.until("finished")
        assert reader.steps == sorted(set(reader.steps))
        assert numbers(reader) == undisturbed(seed=1)

    asyncio.run(story())


@pytest.mark.exhaustive
def test_a_chunk_that_kills_its_worker_once_is_repeated(backend: DaskCluster, tmp_path: Path) -> None:
    async def story() -> None:
        jobs = Jobs(backend, frames_per_second=60)
        reader = Reader()
        settings = {"seed": 5, "trouble_at": 20, "kill_once": str(tmp_path / "killed")}
        open_run(jobs, reader, **settings)
        await reader.until("finished")
        assert reader.states.count("retried") == 1
        assert numbers(reader) == undisturbed(**settings)

    asyncio.run(story())


@pytest.mark.exhaustive
def test_a_poisoned_chunk_and_an_exception_end_their_own_runs(backend: DaskCluster, caplog: Any) -> None:
    async def story() -> None:
        jobs = Jobs(backend, frames_per_second=60)
        poisoned, failing, other = Reader(), Reader(), Reader()
        open_run(jobs, poisoned, trouble="kill")
        open_run(jobs, failing, trouble="raise")
        await failing.until("failed")
        assert failing.updates[-1].status.message == "ArithmeticError: the walk has lost its way"
        await poisoned.until("failed")
        assert "Two worker processes in a row ended" in poisoned.updates[-1].status.message
        open_run(jobs, other, seed=2)
        await other.until("finished")
        assert numbers(other) == undisturbed(seed=2)

    asyncio.run(story())
    assert "training_example.py" in caplog.text


@pytest.mark.exhaustive
def test_a_chunk_that_is_run_alone_is_alone(backend: DaskCluster, tmp_path: Path) -> None:
    def work(name: str, seconds: float) -> ChunkRequest:
        return ChunkRequest(TrainingExample, {"sign": str(tmp_path / name), "start_seconds": seconds}, None, 0)

    async def story() -> None:
        first = asyncio.create_task(backend.run(work("first", 0.5)))
        await eventually((tmp_path / "first").exists)
        alone = asyncio.create_task(backend.run(work("alone", 0.5), alone=True))
        await asyncio.sleep(0)
        last = asyncio.create_task(backend.run(work("last", 0.0)))
        await alone
        assert first.done()
        assert not (tmp_path / "last").exists()
        await last

    asyncio.run(story())


@pytest.mark.exhaustive
def test_a_hanging_chunk_ends_its_run(cluster: Any) -> None:
    async def story() -> None:
        backend = DaskCluster(cluster.scheduler_address, limit=1.0)
        jobs = Jobs(backend)
        hanging, other = Reader(), Reader()
        open_run(jobs, hanging, trouble="hang")
        open_run(jobs, other, seed=2)
        await hanging.until("failed")
        await other.until("finished")
        assert numbers(other) == undisturbed(seed=2)
        jobs.close()

    asyncio.run(story())


def test_a_chunk_can_be_given_up(backend: DaskCluster, tmp_path: Path) -> None:
    async def story() -> None:
        # It goes on where it is, and the next one may have to wait for it there.
        settings = {"sign": str(tmp_path / "started"), "start_seconds": 2}
        chunk = asyncio.create_task(backend.run(ChunkRequest(TrainingExample, settings, None, 0)))
        await eventually((tmp_path / "started").exists)
        chunk.cancel()
        await asyncio.gather(chunk, return_exceptions=True)
        assert chunk.cancelled()
        assert (await backend.run(ChunkRequest(TrainingExample, {}, None, 3))).frame.step == 3

    asyncio.run(story())


def test_a_silent_cluster_is_reported_and_tried_again() -> None:
    async def story() -> None:
        backend = DaskCluster("tcp://127.0.0.1:9")
        try:
            for _ in range(2):
                with pytest.raises(ChunkFailed, match="cannot be reached"):
                    await backend.run(ChunkRequest(TrainingExample, {}, None, 0))
        finally:
            backend.close()

    with dask.config.set({"distributed.comm.timeouts.connect": "200ms"}):
        asyncio.run(story())


@pytest.mark.exhaustive
def test_a_cluster_that_went_away_is_used_again_when_it_is_back() -> None:
    async def story() -> None:
        first = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0")
        port = int(first.scheduler_address.rpartition(":")[2])
        jobs = Jobs(DaskCluster(first.scheduler_address))
        reader = Reader()
        run = jobs.open("somebody", TrainingExample, {"step_seconds": 0.05}, reader.deliver, reader.is_watched)
        run.play()
        await reader.until_step(2)
        await asyncio.to_thread(first.close)
        await reader.until("failed")
        assert "cannot be reached" in reader.updates[-1].status.message
        second = distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=":0", scheduler_port=port
        )
        run.restart({"seed": 4})
        await reader.until("ready", "failed")
        run.play()
        await reader.until("finished")
        assert numbers(reader) == undisturbed(seed=4)
        jobs.close()
        await asyncio.to_thread(second.close)

    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        asyncio.run(story())


@pytest.mark.exhaustive
def test_a_cluster_with_certificates_is_spoken_to_in_secret(tmp_path: Path) -> None:
    """Dask's own settings say which certificates, and the address that they are asked for."""
    if not OPENSSL:
        pytest.skip("no openssl is here: `apt-get install openssl` on Debian")
    cert, key = certificate(tmp_path)
    own = {"cert": str(cert), "key": str(key)}
    tls = {f"distributed.comm.tls.{role}": own for role in ("client", "scheduler", "worker")}
    tls |= {"distributed.comm.tls.ca-file": str(cert), "distributed.comm.require-encryption": True}

    async def story(address: str) -> Chunk:
        backend = DaskCluster(address)
        try:
            return await backend.run(ChunkRequest(TrainingExample, {}, None, 0))
        finally:
            backend.close()

    with (
        dask.config.set(tls),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, protocol="tls://", dashboard_address=":0"
        ) as secret,
    ):
        assert secret.scheduler_address.startswith("tls://")
        assert asyncio.run(story(secret.scheduler_address)).frame
