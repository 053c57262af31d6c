"""The site that is sent: built beside the server, kept, and made anew when a file or a number has changed."""

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.pages.files.sources import Sources
from app.pages.output.cached_page import CachedPage
from app.server.builders import site as module
from app.server.builders.site import Site
from sims.paths import CONTENT

Run = Callable[[Coroutine[Any, Any, Any]], Any]


class Counted(Site):
    """A site whose pages are numbered, not made; chapter 8 lacks a number until the book has it."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self.built: list[str] = []
        self.error = ""

    async def _built(self, slug: str) -> CachedPage:
        self.built.append(slug)
        entry = self.book.entries.get("a.b()")
        numbers = {"a.b()": entry and (entry.value, entry.code)} if slug == "arena" else {}
        return CachedPage(slug, self.sources.key(slug), f"page {len(self.built)}", self.error, numbers)


@pytest.fixture
def run() -> Iterator[Run]:
    loop = asyncio.new_event_loop()
    yield loop.run_until_complete
    loop.close()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counted:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "LOOK", 0.0)
    shutil.copytree(CONTENT, tmp_path / "content")
    return Counted(Sources(tmp_path / "content"))


def change(site: Site, slug: str) -> None:
    file = site.sources.files()[slug]
    file.write_text(file.read_text() + "\nMore.\n")


def test_a_page_is_made_once_and_again_when_its_words_change(site: Counted, run: Run) -> None:
    for _ in range(2):
        assert run(site.page("landscape")).html == "page 1"
    run(site.page("arena"))
    change(site, "landscape")
    assert run(site.page("landscape")).html == "page 3"
    run(site.page("arena"))
    assert site.built == ["landscape", "arena", "landscape"]
    with pytest.raises(KeyError):
        run(site.page("nowhere"))


def test_a_number_that_has_come_makes_its_page_anew(site: Counted, run: Run) -> None:
    for slug in ("arena", "landscape"):
        run(site.page(slug))
    site.book.keep({"a.b()": (1.0, "code")})
    for slug in ("arena", "landscape"):
        run(site.page(slug))
    assert site.built == ["arena", "landscape", "arena"]


def test_it_starts_is_degraded_or_is_ready(site: Counted, run: Run) -> None:
    assert site.state()[0] == "starting"
    run(site.make_all())
    assert site.state() == ("degraded", "1 numbers are missing")
    assert site.pending() == {"a.b()"}
    site.book.keep({"a.b()": (1.0, "code")})
    run(site.make_all())
    assert site.state() == ("ready", "")
    site.error = "wrong in line 3"
    change(site, "arena")
    run(site.page("arena"))
    assert site.state() == ("degraded", "cannot be made: wrong in line 3")


def test_what_is_searched_in_is_made_again_only_when_a_page_is(site: Counted, run: Run) -> None:
    first = run(site.index())
    assert run(site.index()) is first
    change(site, "arena")
    assert run(site.index()) is not first


@pytest.mark.exhaustive
def test_a_real_builder_makes_a_page_and_a_killed_one_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))

    async def story() -> None:
        real = Site()
        try:
            assert "Glossary" in (await real.page("glossary")).html
            assert real.builder._process is not None
            real.builder._process.kill()
            await real.builder._process.wait()
            assert "What is true?" in (await real.page("claims")).html
        finally:
            await real.builder.end()
        again = Site()
        assert "Glossary" in (await again.page("glossary")).html
        assert again.builder._process is None

    run(story())
