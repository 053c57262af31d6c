"""The compiled training engine: compiled if missing, in parallel with the server, starting with the first page's
part."""

import asyncio
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE, Process

from sims.chunks.preparation import is_complete, seconds_left
from sims.contract.simulation import Training
from sims.paths import ROOT

log = logging.getLogger(__name__)


class Engine:
    """Compiles the engine that trainings wait for on a machine on which this code has never run."""

    def __init__(self) -> None:
        self.complete = is_complete()
        self._ready: list[str] = []
        self._began = 0.0
        self._process: Process | None = None

    async def prepare(self) -> None:
        """Compile what is missing; returns when everything is compiled, or the attempt has ended."""
        if self.complete:
            return
        self._began = time.monotonic()
        command = ["nice", sys.executable, "-m", "sims.chunks.preparation"]
        self._process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, stdout=PIPE, start_new_session=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
        assert self._process.stdout
        async for line in self._process.stdout:
            self._ready.append(line.decode().strip())
        await self._process.wait()
        # After a failed attempt, workers compile the rest themselves: that is slower, but no training waits forever.
        self.complete = True
        log.info("The training engine is compiled.")

    def awaited(self, simulation: type[Training]) -> str:
        """What a training waits for, in words, and about how long; empty if it can start."""
        training = simulation.__module__.rpartition(".")[2]
        if self.complete or training in self._ready:
            return ""
        left = seconds_left(self._ready, training, time.monotonic() - self._began if self._began else 0.0)
        return (
            "The training engine is being compiled, which this computer does once. "
            f"This simulation can train in about {5 * round(left / 5) or 5:.0f} seconds."
        )

    def end(self) -> None:
        """Stop compiling."""
        if self._process and self._process.returncode is None:
            self._process.kill()
