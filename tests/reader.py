"""Somebody who watches runs, for tests: takes updates, remembers them, and waits for what should come."""

import asyncio
import os
from collections.abc import Callable, Mapping
from typing import Any

from app.runs.jobs import Update
from app.runs.work import Backend, ChunkRequest
from sims.chunks.chunk import Chunk
from sims.contract.frame import Frame
from tests.training_example import TrainingExample

DEADLINE = 300.0
"""Seconds after which what should come is not expected any more; generous, and never part of what a test shows.

The first worker of a machine compiles the engine, which takes minutes where others compute beside it."""


async def eventually(condition: Callable[[], object]) -> None:
    """Wait until the condition holds; fails with TimeoutError."""
    async with asyncio.timeout(DEADLINE):
        while not condition():
            await asyncio.sleep(0.005)


class Reader:
    """Takes the updates of one run."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.watching = True
        self.gate: asyncio.Event | None = None

    async def deliver(self, update: Update) -> None:
        self.updates.append(update)
        if self.gate and update.frame:
            await self.gate.wait()

    def is_watched(self) -> bool:
        return self.watching

    @property
    def frames(self) -> list[Frame]:
        return [update.frame for update in self.updates if update.frame]

    @property
    def steps(self) -> list[int]:
        return [frame.step for frame in self.frames]

    @property
    def states(self) -> list[str]:
        return [update.status.state for update in self.updates]

    async def until(self, *states: str) -> None:
        """Wait until the newest update has one of the states."""
        await eventually(lambda: self.updates and self.updates[-1].status.state in states)

    async def until_step(self, step: int) -> None:
        await eventually(lambda: self.frames and self.frames[-1].step >= step)


class Counting:
    """A backend that counts what another one does."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.under_way: list[ChunkRequest] = []
        self.most = 0
        self.begun: list[ChunkRequest] = []
        self.at_end: Callable[[], None] | None = None
        """Called once, after the next chunk has come back and before the scheduler knows."""

    @property
    def workers(self) -> int:
        return self.backend.workers

    async def run(self, work: ChunkRequest, *, alone: bool = False) -> Chunk:
        self.begun.append(work)
        self.under_way.append(work)
        self.most = max(self.most, len(self.under_way))
        try:
            return await self.backend.run(work, alone=alone)
        finally:
            self.under_way.remove(work)
            if self.at_end:
                asyncio.get_running_loop().call_soon(self.at_end)
                self.at_end = None

    def pack(self, state: Mapping[str, Any]) -> bytes:
        return self.backend.pack(state)

    def unpack(self, packed: bytes) -> Mapping[str, Any]:
        return self.backend.unpack(packed)

    def warm(self) -> None:
        self.backend.warm()

    def close(self) -> None:
        """The backend outlives the test."""


def undisturbed(**settings: object) -> bytes:
    """The last numbers of the same training, computed here and in one piece."""
    return TrainingExample(**settings).compute()["walk"].tobytes()


def numbers(run: Reader) -> bytes:
    """The last numbers that a reader was shown."""
    return run.frames[-1]["walk"].tobytes()


def lives(pid: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
