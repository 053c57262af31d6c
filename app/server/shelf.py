"""The shelf as the server sends it: pictures made by a process beside it, and the files of their states."""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from app.pages.place import Place
from app.pages.sources import Sources
from app.server.line_process import LineProcess
from app.shelf import store

log = logging.getLogger(__name__)


class Shelf:
    """Every picture by its key. One that is not there yet is made when it is asked for, before all others."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}
        self.builder = LineProcess("app.shelf.build", Sources().code)
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
        """Make every picture that is missing, one at a time and behind those that readers wait for."""
        for key in list(self.places):
            while self._waiting:
                await asyncio.sleep(0.1)
            if not store.file(key, store.PICTURE).is_file():
                await self._build(key)

    def end(self) -> None:
        """Leave no builder behind."""
        self.builder.kill()

    async def _build(self, key: str) -> None:
        async with self.builder.turn:
            try:
                await self.builder.ask(json.dumps({"key": key, "place": asdict(self.places[key])}))
            except (OSError, ValueError) as error:
                await self.builder.end()
                log.error("a picture was not made: %s", error)


SHELF = Shelf()
"""The one that this server sends."""
