"""Runs the build as a separate process, which reports what it finishes and builds next what a request waits for."""

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence

from app.prerender.build import FAILED
from sims.paths import ROOT

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "app.prerender", "--until", "pictures", "--requests")


class BuildProcess:
    """A process that builds pages and pictures; `finished` is called with each line it prints, except failures."""

    def __init__(self, finished: Callable[[str], None], command: Sequence[str] = COMMAND) -> None:
        self._finished = finished
        self._command = command
        self._process: Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._waiting: dict[str, asyncio.Event] = {}
        self._killed = False
        self.failure = "nothing builds the pages; `make build` does"
        """Why missing items will not be built, while no build is running"""

    @property
    def running(self) -> bool:
        """Whether the build is still running."""
        return self._task is not None and not self._task.done()

    def start(self, *options: str) -> None:
        """Start the build with these additional options, unless it is running."""
        if not self.running:
            self._process, self._killed = None, False
            self._task = asyncio.create_task(self._run([*self._command, *options]))

    async def wait(self, item: str) -> None:
        """Have an item built next, and return when it is finished or when the process has ended.

        For COMPLETE, return when everything is built.
        """
        if self.running:
            if item not in self._waiting:
                self._waiting[item] = asyncio.Event()
                self._request(item)
            await self._waiting[item].wait()

    async def ended(self) -> None:
        """Return when no build is running."""
        if self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    def kill(self) -> None:
        """Kill the process, without waiting for it to exit."""
        self._killed = True  # in case the process is only just being started
        if self._process and self._process.returncode is None:
            self._process.kill()

    async def _run(self, command: Sequence[str]) -> None:
        self.failure = ""
        try:
            self._process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE)
            assert self._process.stdout
            if self._killed:
                self._process.kill()
            for item in self._waiting:
                self._request(item)
            async for line in self._process.stdout:
                self._read(line.decode().rstrip())
            status = await self._process.wait()
            self.failure = self.failure or f"the build has ended early (status {status}); `make build` goes on with it"
        except OSError as error:
            self.failure = f"the build cannot be started: {error}"
        finally:
            for event in self._waiting.values():
                event.set()
            self._waiting.clear()

    def _request(self, item: str) -> None:
        if self._process:
            assert self._process.stdin
            self._process.stdin.write(f"{item}\n".encode())

    def _read(self, line: str) -> None:
        if line.startswith(FAILED):
            self.failure = line.removeprefix(f"{FAILED} ")
            log.error("The build failed: %s", self.failure)
        else:
            self._finished(line)
            if event := self._waiting.pop(line.partition(": ")[0], None):
                event.set()
