"""The shelf as the server sends it: pictures made by a process beside it, and the files of their states."""

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from app.pages.errors import ROOT
from app.pages.place import Place
from app.shelf import store

log = logging.getLogger(__name__)


class Shelf:
    """Every picture by its key. One that is not there yet is made when it is asked for, before all others."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}
        self._builder: Process | None = None
        self._turn: asyncio.Lock | None = None
        self._waiting = 0

    def know(self, places: Mapping[str, Place]) -> None:
        """Take note of the places of a page."""
        self.places |= places

    async def made(self, key: str) -> Path | None:
        """The file of a picture, made now if need be; None where there is no such place, or it cannot be made."""
        file = store.file(key, store.PICTURE)
        if key in self.places and not file.is_file():
            self._waiting += 1
            try:
                await self._build(key)
            finally:
                self._waiting -= 1
        return file if file.is_file() else None

    async def make_all(self) -> None:
        """Make every picture that is known of, one at a time and behind those that readers wait for."""
        for key in list(self.places):
            while self._waiting:
                await asyncio.sleep(0.1)
            await self._build(key)

    def end(self) -> None:
        """End the builder."""
        if self._builder and self._builder.returncode is None:
            self._builder.kill()

    async def _build(self, key: str) -> None:
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            try:
                if self._builder is None or self._builder.returncode is not None:
                    self._builder = await asyncio.create_subprocess_exec(
                        sys.executable, "-m", "app.shelf.build", cwd=ROOT, stdin=PIPE, stdout=PIPE
                    )
                assert self._builder.stdin
                assert self._builder.stdout
                asked = {"key": key, "place": asdict(self.places[key])}
                self._builder.stdin.write(f"{json.dumps(asked)}\n".encode())
                await self._builder.stdin.drain()
                await self._builder.stdout.readline()
            except OSError as error:
                self.end()
                self._builder = None
                log.error("a picture was not made: %s", error)


SHELF = Shelf()
"""The one that this server sends."""
