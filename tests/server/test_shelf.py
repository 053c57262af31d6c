"""Pictures are made by a process beside the server, once, and those that readers wait for come first."""

import asyncio
from pathlib import Path

import pytest

from app.pages.place import Place
from app.server.shelf import Shelf
from app.shelf import store

PLACES = {name: Place(name, name, {}) for name in ("paths", "gradient_floor")}


class Counted(Shelf):
    """Notes what is built instead of building it."""

    def __init__(self) -> None:
        super().__init__()
        self.built: list[str] = []

    async def _build(self, key: str) -> None:
        await asyncio.sleep(0)
        self.built.append(key)
        store.write(key, store.PICTURE, {})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))


def test_a_picture_is_made_once() -> None:
    shelf = Counted()
    shelf.know(PLACES)
    for _ in range(2):
        assert asyncio.run(shelf.made("paths")) == store.file("paths", store.PICTURE)
    assert shelf.built == ["paths"]


def test_a_picture_of_no_page_is_not_made() -> None:
    shelf = Counted()
    assert asyncio.run(shelf.made("paths")) is None
    assert shelf.built == []


def test_what_a_reader_waits_for_comes_before_the_rest() -> None:
    shelf = Counted()
    shelf.know(PLACES)

    async def both() -> None:
        await asyncio.gather(shelf.made("gradient_floor"), shelf.make_all())

    asyncio.run(both())
    assert shelf.built[0] == "gradient_floor"


def test_the_process_makes_what_a_page_shows(tmp_path: Path) -> None:
    shelf = Shelf()
    shelf.know({"key": Place("floor", "gradient_floor", {"blocks": "20"})})

    async def make() -> Path | None:
        try:
            return await shelf.made("key")
        finally:
            await shelf.builder.end()

    assert asyncio.run(make()) == store.file("key", store.PICTURE)
    told = store.read("key", store.PICTURE)
    assert told["first"]
    assert told["atlas"] == [] or told["atlas"][0][1]
    assert store.read("key", f"{store.NUMBERS}{store.FIRST}")["csv"]["content"].startswith("#")
