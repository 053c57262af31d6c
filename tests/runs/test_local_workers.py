"""Worker processes: what they are given, what ends them, and that none is left."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from app.runs import local_workers
from app.runs.local_workers import GRACE, LocalWorkers
from app.runs.work import ChunkFailed, ChunkRequest, WorkerDied
from sims.chunks.chunk import Chunk
from sims.chunks.preparation import is_complete
from sims.chunks.worker import NICENESS
from tests.reader import DEADLINE, eventually, lives
from tests.training_example import TrainingExample

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalWorkers]:
    """Without the engine, which takes seconds to load and computes none of these chunks."""
    monkeypatch.setattr(local_workers, "is_complete", lambda: False)
    backend = LocalWorkers(2)
    yield backend
    backend.close()


def work(steps: int = 0, **settings: object) -> ChunkRequest:
    return ChunkRequest(TrainingExample, settings, None, steps)


def compute(backend: LocalWorkers, *several: ChunkRequest) -> list[Chunk | BaseException]:
    async def all_of_them() -> list[Chunk | BaseException]:
        return await asyncio.gather(*map(backend.run, several), return_exceptions=True)

    return asyncio.run(all_of_them())


def one(backend: LocalWorkers, piece: ChunkRequest) -> Chunk:
    (chunk,) = compute(backend, piece)
    assert isinstance(chunk, Chunk), chunk
    return chunk


@pytest.mark.exhaustive
def test_chunks_run_in_parallel_in_other_processes(workers: LocalWorkers) -> None:
    chunks = compute(workers, work(start_seconds=0.5), work(start_seconds=0.5))
    pids = {chunk.frame.results["worker"] for chunk in chunks if isinstance(chunk, Chunk)}
    assert len(pids) == 2
    assert os.getpid() not in pids
    assert sorted(pids) == sorted(workers.pids())


@pytest.mark.exhaustive
def test_a_chunk_measures_its_own_time(workers: LocalWorkers) -> None:
    chunk = one(workers, work(start_seconds=0.1, steps=4, step_seconds=0.01))
    assert chunk.seconds > chunk.stepping + 0.1
    assert chunk.stepping > 0.04


@pytest.mark.exhaustive
def test_workers_are_warmed_in_the_background(workers: LocalWorkers) -> None:
    assert workers.pids() == []
    workers.warm()
    asyncio.run(eventually(lambda: len(workers.pids()) == 2))
    before = workers.pids()
    assert one(workers, work()).frame.results["worker"] in before
    assert workers.pids() == before


@pytest.mark.exhaustive
def test_a_worker_has_one_thread_low_priority_and_no_ear_for_control_c(workers: LocalWorkers) -> None:
    pid = int(one(workers, work()).frame.results["worker"])
    environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    for name in (b"OMP", b"MKL", b"OPENBLAS", b"NUMBA"):
        assert name + b"_NUM_THREADS=1" in environment
    assert {b"MALLOC_MMAP_THRESHOLD_", b"MALLOC_TRIM_THRESHOLD_"} <= {entry.partition(b"=")[0] for entry in environment}
    assert os.getpriority(os.PRIO_PROCESS, pid) - os.getpriority(os.PRIO_PROCESS, 0) == NICENESS
    for worker in workers.pids():
        os.kill(worker, signal.SIGINT)
    assert one(workers, work()).frame.results["worker"] in workers.pids()


@pytest.mark.exhaustive
def test_a_worker_killed_while_idle_costs_no_chunk(workers: LocalWorkers) -> None:
    compute(workers, work(start_seconds=0.2), work(start_seconds=0.2))
    for pid in workers.pids():
        os.kill(pid, signal.SIGKILL)
    asyncio.run(eventually(lambda: not workers.pids()))
    assert one(workers, work(steps=2)).frame.step == 2


@pytest.mark.exhaustive
def test_a_worker_that_dies_before_it_takes_a_chunk_costs_no_chunk() -> None:
    backend = LocalWorkers(1)

    async def story() -> tuple[int, Chunk]:
        idle = int((await backend.run(work())).frame.results["worker"])
        os.kill(idle, signal.SIGSTOP)
        chunk = asyncio.create_task(backend.run(work(steps=2)))
        await asyncio.wait([chunk], timeout=0.2)
        assert not chunk.done()
        os.kill(idle, signal.SIGKILL)
        return idle, await chunk

    try:
        idle, chunk = asyncio.run(story())
    finally:
        backend.close()
    assert chunk.frame.step == 2
    assert chunk.frame.results["worker"] != idle


@pytest.mark.exhaustive
def test_a_second_attempt_gets_a_process_that_nobody_has_seen(workers: LocalWorkers) -> None:
    compute(workers, work(start_seconds=0.2), work(start_seconds=0.2))
    before = workers.pids()
    chunk = asyncio.run(workers.run(work(), alone=True))
    assert len(before) == 2
    assert chunk.frame.results["worker"] not in before
    assert chunk.frame.results["worker"] in workers.pids()


def test_a_dying_worker_takes_no_other_chunk_with_it(workers: LocalWorkers) -> None:
    dead, alive = compute(workers, work(trouble="kill", trouble_at=0), work(start_seconds=0.5, steps=3))
    assert isinstance(dead, WorkerDied)
    assert "-9" in str(dead)
    assert isinstance(alive, Chunk)
    assert alive.frame.step == 3


@pytest.mark.exhaustive
def test_a_hanging_chunk_is_ended_and_no_other(caplog: pytest.LogCaptureFixture) -> None:
    backend = LocalWorkers(2, limit=5.0)
    try:
        hanging, other = compute(backend, work(trouble="hang", trouble_at=0), work(start_seconds=0.5))
        assert isinstance(hanging, ChunkFailed)
        assert "took too long" in str(hanging)
        assert isinstance(other, Chunk)
        assert len([result for result in compute(backend, work(), work()) if isinstance(result, Chunk)]) == 2
    finally:
        backend.close()


@pytest.mark.exhaustive
def test_an_exception_is_reported_and_the_worker_lives(workers: LocalWorkers, caplog: pytest.LogCaptureFixture) -> None:
    before = one(workers, work()), one(workers, work())
    (error,) = compute(workers, work(trouble="raise", trouble_at=0))
    assert isinstance(error, ChunkFailed)
    assert str(error) == "ArithmeticError: the walk has lost its way"
    assert "training_example.py" in caplog.text
    assert {chunk.frame.results["worker"] for chunk in before} == set(workers.pids())


@pytest.mark.exhaustive
@pytest.mark.parametrize(("seconds", "grace"), [(0.5, DEADLINE), (10, GRACE)])
def test_a_chunk_given_up_ends_by_itself_or_is_ended(
    workers: LocalWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, grace: float
) -> None:
    monkeypatch.setattr(local_workers, "GRACE", grace)
    signs = [tmp_path / name for name in ("first", "second", "third")]

    async def story() -> tuple[set[int], set[int]]:
        await asyncio.gather(*(workers.run(work(start_seconds=0.1)) for _ in range(2)))
        tasks = [asyncio.create_task(workers.run(work(sign=str(sign), start_seconds=seconds))) for sign in signs]
        await eventually(lambda: signs[0].exists() and signs[1].exists())
        before = set(workers.pids())
        for task in reversed(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert all(task.cancelled() for task in tasks)
        await asyncio.gather(*(workers.run(work(start_seconds=0.1)) for _ in range(2)))
        return before, set(workers.pids())

    before, after = asyncio.run(story())
    assert not signs[2].exists()
    assert len(after) == 2
    assert len(before & after) == (2 if seconds < grace else 0)


@pytest.mark.exhaustive
def test_nothing_is_left_after_close() -> None:
    backend = LocalWorkers(2)

    async def story() -> list[int]:
        chunks = [asyncio.create_task(backend.run(work(start_seconds=10))) for _ in range(3)]
        await eventually(lambda: len(backend.pids()) == 2)
        pids = backend.pids()
        backend.close()
        ends = await asyncio.gather(*chunks, return_exceptions=True)
        assert [type(end) for end in ends] == [WorkerDied, WorkerDied, asyncio.CancelledError]
        return pids

    pids = asyncio.run(story())
    assert backend.pids() == []
    asyncio.run(eventually(lambda: not any(map(lives, pids))))


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A pipe that the next fork server reads from while it imports, so that it does not get any further."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "waits_for_a_pipe.py").write_text(f"open({str(pipe)!r}).read()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    context = local_workers._context
    preload = context.set_forkserver_preload
    monkeypatch.setattr(context, "set_forkserver_preload", lambda _modules: preload(["waits_for_a_pipe"]))
    local_workers._end_fork_server()
    yield pipe
    with suppress(OSError):  # nobody reads any more
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))


def is_read(pipe: Path) -> bool:
    """Whether a process has opened the pipe; it goes on waiting as long as this one does not close it."""
    with suppress(OSError):
        os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        return True
    return False


def test_closing_does_not_wait_for_imports(stuck: Path) -> None:
    backend = LocalWorkers(2)
    backend.warm()
    asyncio.run(eventually(lambda: is_read(stuck)))
    closing = Thread(target=backend.close, daemon=True)
    closing.start()
    closing.join(DEADLINE)
    assert not closing.is_alive()
    assert backend.pids() == []


SERVER = """
import asyncio, sys

sys.path.insert(0, ROOT)
from app.runs.local_workers import LocalWorkers
from app.runs.work import ChunkRequest
from tests.training_example import TrainingExample

print("imported", __name__, flush=True)

async def main():
    backend = LocalWorkers(2)
    request = ChunkRequest(TrainingExample, {"start_seconds": 0.3}, None, 0)
    first = await asyncio.gather(*(backend.run(request) for _ in "12"))
    print(*(chunk.frame.results["worker"] for chunk in first), flush=True)
    print("preloaded", *(chunk.frame.results["preloaded"] for chunk in first), flush=True)
    print(*sorted({"numba", "torch", "panel", "bokeh"} & sys.modules.keys()), flush=True)
    await backend.run(ChunkRequest(TrainingExample, {"start_seconds": float(sys.argv[1])}, None, 0))
    sys.stdin.read()

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "server.py"
    path.write_text(SERVER.replace("ROOT", repr(str(ROOT))))
    return path


def serve(script: Path, seconds: float) -> subprocess.Popen[str]:
    """A server far from this folder: only what it puts on its own search path tells workers where `sims` is.

    It stays until its input is closed.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, str(script), str(seconds)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=script.parent, env=environment)


@pytest.mark.exhaustive
def test_workers_end_when_the_server_is_killed(script: Path) -> None:
    with serve(script, 1) as server:
        assert server.stdout
        server.stdout.readline()
        pids = [int(pid) for pid in server.stdout.readline().split()]
        assert len(set(pids)) == 2
        assert all(map(lives, pids))
        server.stdout.readline()
        server.stdout.readline()
        server.kill()
        asyncio.run(eventually(lambda: not any(map(lives, pids))))


@pytest.mark.exhaustive
def test_a_server_leaves_no_worker_imports_no_engine_and_its_script_runs_once(script: Path) -> None:
    with serve(script, 0) as server:
        output, _ = server.communicate(timeout=DEADLINE)
    imported, pids, preloaded, engine = output.splitlines()
    assert imported == "imported __main__"
    assert preloaded == ("preloaded 1 1" if is_complete() else "preloaded 0 0")
    assert engine == ""
    assert server.returncode == 0
    asyncio.run(eventually(lambda: not any(lives(int(pid)) for pid in pids.split())))
