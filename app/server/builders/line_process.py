"""A process of ours beside the server, asked by lines: one request at a time, started when first asked."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable

from sims.paths import ROOT

LONGEST_LINE = 32 * 2**20
"""Bytes of an answer, at most."""


class LineProcess:
    """`python -m module`, which answers each line on its standard input with a line.

    `code` says what the code on disk is: a process that read other code would pass old results off as new ones.
    """

    def __init__(self, module: str, code: Callable[[], str]) -> None:
        self._module = module
        self._code, self._read = code, ""
        self._process: Process | None = None
        self.turn = asyncio.Lock()
        """Held while it is asked"""

    async def ask(self, line: str) -> str:
        """The answer to a line, by whoever holds `turn`. A process that has ended is started anew, and so is
        one that was started with other code.

        Raises OSError or ValueError where there is none; await `end` then.
        """
        if self._read != (now := self._code()):
            await self.end()
            self._read = now
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", self._module, cwd=ROOT, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE
            )
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()
        return (await self._process.stdout.readline()).decode()

    def kill(self) -> None:
        """End it, without waiting until it is gone."""
        if self._process and self._process.returncode is None:
            self._process.kill()

    async def end(self) -> None:
        """End it; the next line starts another."""
        self.kill()
        if self._process:
            await self._process.wait()
        self._process = None
