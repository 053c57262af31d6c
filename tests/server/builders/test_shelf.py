"""Pictures are made by a process beside the server, once, and those that readers wait for come first."""

import asyncio
import gzip
import json
from pathlib import Path

import pytest

from app.pages.document.figure_placement import FigurePlacement
from app.prerender import store
from app.server.builders.line_process import LineProcess
from app.server.builders.shelf import Shelf

PLACES = {name: FigurePlacement(name, name, {}) for name in ("paths", "gradient_floor")}


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
        assert asyncio.run(shelf.made("paths")) == store.packed({})
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


def test_two_servers_on_one_shelf_send_the_same() -> None:
    servers = [Counted(), Counted()]

    async def both() -> list[bytes | None]:
        return await asyncio.gather(*(server.made("paths") for server in servers))

    for server in servers:
        server.know(PLACES)
    assert asyncio.run(both()) == [store.packed({})] * 2


async def made(shelf: Shelf) -> bytes | None:
    """What a process makes of one place."""
    shelf.know({"key": FigurePlacement("floor", "gradient_floor", {"blocks": "20"})})
    try:
        return await shelf.made("key")
    finally:
        await shelf.builder.end()


def test_where_the_shelf_cannot_be_written_the_server_holds_what_was_made(tmp_path: Path) -> None:
    (tmp_path / "shelf").write_text("a file where a folder should be")
    shelf = Shelf()
    body = asyncio.run(made(shelf))
    assert body is not None
    assert json.loads(gzip.decompress(body))["first"]
    shelf.builder = LineProcess("nothing.that.could.be.asked", lambda: "")
    assert asyncio.run(made(shelf)) == body


def test_a_shelf_that_cannot_be_written_serves_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    store.write("paths", store.PICTURE, {"made": "elsewhere"})
    monkeypatch.setattr(store, "write_whole", None)
    shelf = Counted()
    shelf.know(PLACES)
    assert asyncio.run(shelf.made("paths")) == store.packed({"made": "elsewhere"})
    assert shelf.built == []


def test_the_process_makes_what_a_page_shows() -> None:
    assert asyncio.run(made(Shelf())) == store.file("key", store.PICTURE).read_bytes()
    content = store.read("key", store.PICTURE)
    assert content["first"]
    assert content["atlas"] == [] or content["atlas"][0][1]
    assert store.read("key", f"{store.NUMBERS}{store.FIRST}")["csv"]["msg_type"] == "reply"
