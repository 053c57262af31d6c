"""One scheduler for all figures of a process, made with the first run."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from app.standalone import runs


class Spy:
    """A scheduler and an engine in one, which take note of what is asked of them."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    async def prepare(self) -> None:
        self.told.append("prepare")

    def warm(self) -> None:
        self.told.append("warm")

    def open(self, *arguments: object) -> str:
        self.told.append(arguments)
        return "a run"

    def close(self) -> None:
        """Ends with the process."""

    def end(self) -> None:
        """Ends with the process."""


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Spy]:
    scheduler = Spy()
    monkeypatch.setattr(runs, "create_scheduler", lambda **_limits: (scheduler, scheduler))
    monkeypatch.setattr(runs.atexit, "register", scheduler.told.append)
    runs.scheduler.cache_clear()
    yield scheduler
    runs.scheduler.cache_clear()


def test_the_scheduler_is_made_with_the_first_run_and_ends_with_the_process(spy: Spy) -> None:
    async def opened() -> None:
        reader = runs.open_run("reader")
        assert spy.told == []
        assert reader("kind", {}, None, None, None) == "a run"  # type: ignore[arg-type]
        assert reader("other", {}, None, None, None) == "a run"  # type: ignore[arg-type]
        for _ in range(3):
            await asyncio.sleep(0)

    asyncio.run(opened())
    assert spy.told.count(spy.close) == spy.told.count(spy.end) == 1
    assert [call for call in spy.told if isinstance(call, tuple)] == [
        ("reader", "kind", {}, None, None, None),
        ("reader", "other", {}, None, None, None),
    ]
    assert spy.told[-2:] == ["prepare", "warm"]
