"""The server sends what is built, waits for what is not, and says why something does not come."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.pages.files.sources import Sources
from app.pages.output.cached_page import CachedPage, save
from app.prerender import store
from app.server.builders import site as module
from app.server.builders.build_process import BuildProcess
from app.server.builders.site import Site
from sims.paths import ROOT
from tests.server.builders.test_build_process import end

Run = Callable[[Coroutine[Any, Any, Any]], Any]

SMALL = ("home", "arena", "404", "claims")
KEY = "0123456789abcdef"
PLACE = {"anchor": "paths", "name": "paths", "settings": {}}


@pytest.fixture
def run() -> Iterator[Run]:
    loop = asyncio.new_event_loop()
    yield loop.run_until_complete
    loop.close()


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of four pages; the build writes those that are asked for into this folder, with a number that is missing
    in the arena, and a picture that is asked for."""
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    monkeypatch.setattr(Sources, "names", lambda self: list(SMALL))
    monkeypatch.setattr(Sources, "slugs", lambda self: ["home", "arena", "claims"])
    monkeypatch.setattr(Sources, "version", lambda self: "v1")
    return tmp_path


BUILD = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from app.pages.output.cached_page import CachedPage, save
from app.prerender import store
version = "v1"
for line in sys.stdin:
    item, _, name = line.strip().partition(" ")
    if item == "version":
        version = name
    elif item == "page":
        numbers = {{"a.b()": None}} if name == "arena" else {{}}
        save(version, CachedPage(name, f"{{name}} of {{version}}", numbers=numbers))
    elif item == "picture":
        store.write(name, store.PICTURE, {{}})
    elif item == "end":
        break
    print(line.strip(), flush=True)
"""


def site_of(code: str) -> Site:
    """The site whose build is this code."""
    site = Site()
    site.build = BuildProcess(site._on_line, (sys.executable, "-c", code))
    return site


def test_a_page_that_is_missing_while_it_is_built_is_waited_for(built: Path, run: Run) -> None:
    site = site_of(BUILD)

    async def story() -> None:
        site.start()
        assert site.state() == ("starting", "3 of 3 pages are still to be made")
        pages = await asyncio.gather(*(site.page(slug) for slug in ("arena", "home", "arena")))
        assert [page.html for page in pages] == ["arena of v1", "home of v1", "arena of v1"]
        assert site.state()[0] == "starting"
        await site.page("claims")
        assert site.state() == ("degraded", "1 numbers are missing")
        with pytest.raises(KeyError):
            await site.page("nowhere")
        await end(site.build)

    run(story())


def test_a_build_that_has_failed_is_named_and_what_is_there_is_sent(built: Path, run: Run) -> None:
    save("v1", CachedPage("home", "of yesterday"))
    site = site_of("print('failed /cache cannot be written: no space')")

    async def story() -> None:
        site.start()
        assert (await site.page("home")).html == "of yesterday"
        page = await site.page("arena")
        assert (page.html, page.error) == ("", "/cache cannot be written: no space")
        assert site.state() == ("degraded", "cannot be made: /cache cannot be written: no space")

    run(story())


def test_another_version_is_sent_page_by_page(built: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for slug in SMALL:
        save("v1", CachedPage(slug, f"{slug} of v1"))
    monkeypatch.setattr(module, "WRITING", True)
    site = site_of(BUILD)

    async def story() -> None:
        site.start()
        await site.build.wait("version v2")
        await site.build.wait("page home")
        assert [(await site.page(slug)).html for slug in ("home", "claims")] == ["home of v2", "claims of v1"]
        await end(site.build)

    run(story())


def test_a_site_that_is_complete_starts_nothing(built: Path, run: Run) -> None:
    for slug in SMALL:
        save("v1", CachedPage(slug, "here", places={KEY: PLACE} if slug == "home" else {}))
    store.write(KEY, store.PICTURE, {})
    site = site_of(BUILD)

    async def story() -> None:
        site.start()
        assert not site.build.running
        assert site.state() == ("ready", "")
        store.file(KEY, store.PICTURE).unlink()
        site.start()
        assert site.build.running
        await end(site.build)

    run(story())


def test_pages_of_the_previous_version_are_built_again(built: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for slug in SMALL:
        save("v1", CachedPage(slug, "of v1", numbers={"a.b()": None}))
    site = site_of(BUILD)

    async def story() -> None:
        site.start()
        assert not site.build.running
        assert site.state() == ("degraded", "1 numbers are missing")
        monkeypatch.setattr(Sources, "version", lambda self: "v2")
        site.start()
        assert site.build.running
        assert (await site.page("home")).html == "of v1"
        await site.build.wait("version v2")
        await site.build.wait("page home")
        assert (await site.page("home")).html == "home of v2"
        await end(site.build)

    run(story())


def test_pages_of_other_code_are_not_sent(built: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    save("v1", CachedPage("home", "old"))
    monkeypatch.setattr(Sources, "version", lambda self: "v2")
    site = site_of("")

    async def story() -> None:
        site.start()
        page = await site.page("home")
        assert page.error.startswith("the build has ended early")

    run(story())


def test_a_picture_is_waited_for_and_one_of_no_page_is_none(built: Path, run: Run) -> None:
    save("v1", CachedPage("home", "here", places={KEY: PLACE, "not made": PLACE}))
    site = site_of(BUILD)

    async def story() -> None:
        site.start()
        assert await site.picture(KEY) == store.packed({})
        assert await site.picture("of no page") is None
        assert site.file("of no page", store.ATLAS) is None
        await end(site.build)
        assert await site.picture("not made") is None

    run(story())


def test_what_is_searched_in_is_made_again_only_when_a_page_is(built: Path, run: Run) -> None:
    for slug in SMALL:
        save("v1", CachedPage(slug, "here", entries=[{"title": slug}]))
    site = site_of(BUILD)

    async def story() -> None:
        site.start()
        first = await site.index()
        assert [entry["page"] for entry in json.loads(first)] == ["home", "arena", "claims"]
        assert await site.index() is first
        save("v1", CachedPage("home", "here", entries=[{"title": "other"}]))
        site._on_line("page home")
        assert (await site.index()) != first

    run(story())
