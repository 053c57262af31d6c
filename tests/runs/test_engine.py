"""While the engine is compiled, a training says what it waits for; what is ready begins, and nothing waits for ever."""

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.runs import engine as module
from app.runs.engine import Engine
from sims.chunks import preparation
from sims.chunks.preparation import seconds_left
from sims.simulations.depth.degradation import Degradation
from sims.simulations.norm_placement.stability import Stability

PROGRAM = """
import sys, time
from pathlib import Path
for name in ("degradation", "stability"):
    while not Path(sys.argv[1], name).exists():
        time.sleep(0.01)
    print(name, flush=True)
"""


@pytest.fixture
def beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Engine]:
    """An engine whose parts are ready when the test makes files of their names."""
    monkeypatch.setattr(module, "is_complete", lambda: False)
    real = asyncio.create_subprocess_exec

    async def started(*_command: str, **options: object) -> object:
        return await real(sys.executable, "-c", PROGRAM, str(tmp_path), **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", started)
    return Engine


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def test_each_training_begins_when_its_own_part_is_ready(beginning: Callable[[], Engine], tmp_path: Path) -> None:
    async def story() -> None:
        engine = beginning()
        assert "being compiled" in engine.awaited(Degradation)
        task = asyncio.create_task(engine.prepare())
        (tmp_path / "degradation").touch()
        await until(lambda: not engine.awaited(Degradation))
        assert "seconds" in engine.awaited(Stability)
        (tmp_path / "stability").touch()
        await task
        assert engine.complete
        assert not engine.awaited(Stability)

    asyncio.run(story())


def test_an_attempt_that_is_given_up_keeps_nobody_waiting(beginning: Callable[[], Engine]) -> None:
    async def story() -> None:
        engine = beginning()
        task = asyncio.create_task(engine.prepare())
        await until(lambda: engine._process is not None)
        engine.end()
        await task
        assert not engine.awaited(Degradation)

    asyncio.run(story())


def test_nothing_is_compiled_where_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_complete", lambda: True)
    engine = Engine()
    asyncio.run(engine.prepare())
    assert engine._process is None
    assert not engine.awaited(Degradation)


def test_the_time_left_is_measured_by_what_has_been_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "COMPILATION", {"degradation": 0.5, "identity": 0.25, "stability": 0.25})
    monkeypatch.setattr(preparation, "names", lambda: ["degradation", "identity", "stability", "arena"])
    assert seconds_left([], "degradation", 10) == pytest.approx(preparation.USUALLY / 2 - 10)
    assert seconds_left(["degradation"], "identity", 40) == pytest.approx(20)
    assert seconds_left(["degradation"], "arena", 40) == pytest.approx(40)
    assert seconds_left(["degradation", "identity", "stability"], "arena", 40) == 1
