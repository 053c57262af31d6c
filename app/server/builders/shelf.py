"""The shelf as the server sends it: pictures made by a process beside it, and the files of their states."""

import asyncio
import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from app.pages.document.figure_placement import FigurePlacement
from app.pages.files.sources import Sources
from app.prerender import store
from app.server.builders.line_process import LineProcess

log = logging.getLogger(__name__)


class Shelf:
    """Every picture by its key. One that is not there yet is made when it is asked for, before all others."""

    def __init__(self) -> None:
        self.places: dict[str, FigurePlacement] = {}
        self.builder = LineProcess("app.prerender.build", Sources().code)
        self._held: dict[str, bytes] = {}
        """Pictures that could not be written"""
        self._waiting = 0

    def know(self, places: Mapping[str, FigurePlacement], tables: Iterable[str] = ()) -> None:
        """Take note of the places of a page, and of the tables that its worked examples have by their keys."""
        self.places |= places
        store.touch([*places, *tables])

    async def made(self, key: str) -> bytes | None:
        """A picture as in its file, made now if need be; None where there is no such place, or it cannot be made."""
        if key in self.places and not self._has_picture(key):
            self._waiting += 1
            try:
                await self._build(key)
            finally:
                self._waiting -= 1
        return self._held.get(key) or self.file(key, store.PICTURE)

    def file(self, key: str, name: str) -> bytes | None:
        """What lies on the shelf under a name; None where nothing does."""
        try:
            return store.file(key, name).read_bytes()
        except OSError:
            return None

    async def make_all(self) -> None:
        """Make every picture that is missing, one at a time and behind those that readers wait for."""
        for key in list(self.places):
            while self._waiting:
                await asyncio.sleep(0.1)
            if not self._has_picture(key):
                await self._build(key)

    def end(self) -> None:
        """Leave no builder behind."""
        self.builder.kill()

    def _has_picture(self, key: str) -> bool:
        return key in self._held or store.file(key, store.PICTURE).is_file()

    async def _build(self, key: str) -> None:
        async with self.builder.turn:
            if self._has_picture(key):
                return
            try:
                left = json.loads(await self.builder.ask(json.dumps({"key": key, "place": asdict(self.places[key])})))
                if left is not None:
                    self._held[key] = store.packed(left)
            except (OSError, ValueError) as error:
                await self.builder.end()
                log.error("a picture was not made: %s", error)


SHELF = Shelf()
"""The one that this server sends."""
