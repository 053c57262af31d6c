"""The build makes what is missing of a version: home, pages, then pictures, and first of all what is asked for."""

import os
import shutil
from pathlib import Path

import pytest
from bokeh.core.serialization import Deserializer

from app.bokeh_internals.messages import LIVE
from app.pages.document.figure_placement import FigurePlacement
from app.pages.output import cached_page
from app.pages.output.build import Builder
from app.pages.output.cached_page import CachedPage, load
from app.prerender import build as module
from app.prerender import picture, store
from app.prerender.build import COMPLETE, Build, put
from sims.paths import CONTENT

PLACE = {"anchor": "floor", "name": "gradient_floor", "settings": {}}


class RecordedBuild(Build):
    """A build that notes what it says."""

    def __init__(self, content: Path, pictures: bool = True) -> None:
        self.said: list[str] = []
        super().__init__(content, pictures, self.said.append)

    def finish(self) -> None:
        while self.todo:
            self.step()

    def items(self) -> list[str]:
        return [line for line in self.said if line.startswith(("page ", "picture "))]


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the content, of which no page is compiled, and of which only home and the arena show a figure."""
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    shutil.copytree(CONTENT, tmp_path / "content", ignore=shutil.ignore_patterns("stills", "cards"))
    monkeypatch.setattr(module, "put", lambda key, _placement: store.write(key, store.PICTURE, {}))

    def page(builder: Builder, slug: str) -> CachedPage:
        return CachedPage(slug, builder.version, places={f"of-{slug}": PLACE} if slug in ("home", "arena") else {})

    monkeypatch.setattr(Builder, "page", page)
    return tmp_path / "content"


def test_home_comes_first_then_pages_then_pictures_in_reading_order(content: Path) -> None:
    build = RecordedBuild(content)
    names = build.builder.sources.names()
    build.finish()
    assert build.said[0] == f"version {build.builder.version}"
    assert build.items() == [*(f"page {name}" for name in names), "picture of-home", "picture of-arena"]
    assert build.said[-1] == COMPLETE
    assert all(load(build.builder.version, name) for name in names)
    assert not build.complaints


def test_existing_items_are_not_built_again(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted = RecordedBuild(content)
    for _ in range(3):
        interrupted.step()
    again = RecordedBuild(content)
    assert again.items() == interrupted.items()
    assert not set(again.items()) & set(again.todo)
    again.finish()
    monkeypatch.setattr(Builder, "page", None)
    third = RecordedBuild(content, pictures=False)
    assert not third.todo
    assert third.said[-1] == COMPLETE


def test_a_requested_item_is_built_next_and_a_finished_or_unknown_one_is_answered_at_once(content: Path) -> None:
    build = RecordedBuild(content)
    build.step()
    build.first("page arena")
    build.first("picture of-home")
    build.step()
    build.step()
    assert build.items() == ["page home", "picture of-home", "page arena"]
    build.first("page home")
    build.first("picture of-nothing")
    build.first(COMPLETE)
    assert build.said[4:] == ["page home", "picture of-nothing"]
    build.finish()
    build.first(COMPLETE)
    assert build.said[-2:] == [COMPLETE, COMPLETE]


def test_a_saved_page_is_built_first_and_every_page_under_the_new_version(content: Path) -> None:
    build = RecordedBuild(content)
    build.finish()
    before = build.builder.version
    build.renew()
    assert build.said[-1] == COMPLETE
    file = build.builder.sources.files()["arena"]
    file.write_text(file.read_text() + "\nMore.\n")
    build.said.clear()
    build.renew({file})
    build.step()
    assert build.said == [f"version {build.builder.version}", "page arena"]
    (content / "numbers.json").write_text("{}")
    build.renew({content / "numbers.json"})
    assert next(iter(build.todo)) == "page home"  # and not the arena again: the rest is a change further behind
    assert list(build.todo).index("page arena") == len(build.builder.sources.names()) - 1
    build.finish()
    assert [path.name for path in cached_page.pages().iterdir()] == [build.builder.version]
    assert build.builder.version != before


def test_a_mistake_in_a_page_is_reported_in_one_line_and_tried_again(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = Builder.page

    def page(builder: Builder, slug: str) -> CachedPage:
        return CachedPage(slug, error="arena.md:3:\n  wrong") if slug == "arena" else sound(builder, slug)

    monkeypatch.setattr(Builder, "page", page)
    build = RecordedBuild(content)
    build.finish()
    assert "page arena: arena.md:3: wrong" in build.said
    assert build.complaints.keys() == {"page arena"}
    (content / "numbers.json").write_text("{}")
    build.renew()
    assert next(iter(build.todo)) == "page arena"
    build.finish()
    assert RecordedBuild(content).todo.keys() >= {"page arena"}


def test_a_picture_that_fails_does_not_end_the_build_and_a_full_disk_does(
    content: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build = RecordedBuild(content)
    monkeypatch.setattr(module, "put", lambda key, _placement: 1 // 0)
    build.finish()
    assert build.complaints["picture of-home"].startswith("ZeroDivisionError")
    assert "Traceback" in capsys.readouterr().err
    (content / "numbers.json").write_text("{}")
    build.renew()
    os.environ["SKIP_CACHE"] = str(content / "numbers.json")
    with pytest.raises(NotADirectoryError):
        build.step()


def test_a_picture_can_open_at_the_start_of_a_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    put("key", FigurePlacement("zero", "network_jacobians", {"blocks": "2", "training_steps": "150"}, at_start=True))
    first = store.read("key", store.PICTURE)["first"]
    [live] = [Deserializer().decode(event["msg_data"]) for event in first if event.get("msg_type") == LIVE]
    assert (live["step"], live["kept"]) == (0, False)


def test_a_picture_is_as_a_page_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    placement = FigurePlacement("floor", "gradient_floor", {"blocks": "20"})
    put("key", placement)
    drawn = store.read("key", store.PICTURE)
    assert drawn["first"]
    assert drawn["atlas"] == [] or drawn["atlas"][0][1]
    assert store.read("key", f"{store.NUMBERS}{store.FIRST}")["csv"]["msg_type"] == "reply"
    monkeypatch.setattr(picture, "drawn", None)
    put("key", placement)
