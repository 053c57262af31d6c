"""Who waits for an item gets it when the build says it is finished, or hears why it will not come."""

import asyncio
import sys
from collections.abc import Awaitable, Callable

import pytest

from app.server.builders.build_process import BuildProcess

ANSWERS = """
import sys
print("version 1", flush=True)
for line in sys.stdin:
    print(f"{line.strip()}: with a complaint" if "wrong" in line else line.strip(), flush=True)
"""
FAILS = "import sys; sys.stdin.readline(); print('failed /cache cannot be written'); sys.exit(1)"
DIES = "import os, sys; sys.stdin.readline(); os.kill(os.getpid(), 9)"

Story = Callable[[BuildProcess], Awaitable[None]]


async def end(process: BuildProcess) -> None:
    """Returns when it is gone."""
    process.kill()
    assert process._task
    await process._task


def events_of(code: str, story: Story) -> list[str]:
    """Every line that a process with this code has finished while the story was told."""
    lines: list[str] = []

    async def run() -> None:
        process = BuildProcess(lines.append, (sys.executable, "-c", code))
        process.start()
        try:
            await story(process)
        finally:
            await end(process)

    asyncio.run(asyncio.wait_for(run(), 60))
    return lines


def test_an_item_is_requested_once_and_everybody_waits_for_it() -> None:
    async def story(process: BuildProcess) -> None:
        await asyncio.gather(*(process.wait("page one") for _ in range(3)), process.wait("page wrong"))
        await process.wait("page one")

    lines = events_of(ANSWERS, story)
    assert lines == ["version 1", "page one", "page wrong: with a complaint", "page one"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (FAILS, "/cache cannot be written"),
        (DIES, "the build has ended early (status -9); `make build` goes on with it"),
    ],
)
def test_nobody_waits_for_a_build_that_has_ended(code: str, reason: str) -> None:
    async def story(process: BuildProcess) -> None:
        await process.wait("page one")
        assert not process.running
        assert process.failure == reason
        await process.wait("page two")

    assert events_of(code, story) == []


def test_a_command_that_is_not_there_is_said() -> None:
    async def story() -> None:
        process = BuildProcess(print, ("/nowhere/python",))
        process.start()
        await process.wait("page one")
        assert process.failure.startswith("the build cannot be started: ")

    asyncio.run(story())


def test_it_can_be_started_again_when_it_has_ended() -> None:
    async def story(process: BuildProcess) -> None:
        await process.wait("page one")
        process.start()
        await end(process)
        process.start()
        await process.wait("page two")

    assert events_of(ANSWERS, story) == ["version 1", "page one", "version 1", "page two"]
