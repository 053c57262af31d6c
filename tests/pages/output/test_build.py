"""The process that makes pages: asked by lines, it answers with pages or what is wrong, and ends with its input."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.pages.files.sources import MISSING, Sources
from app.pages.output import site_builder
from app.pages.output.build import Builder
from app.pages.output.cached_page import load, parse
from sims.paths import CONTENT, ROOT


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    shutil.copytree(CONTENT, tmp_path / "content")
    return Builder(Sources(tmp_path / "content"))


def test_a_page_is_made_and_kept(builder: Builder) -> None:
    page = builder.page("degradation")
    assert page == load("degradation")
    assert page.html == site_builder.current().html("degradation")
    assert page.key == builder.sources.key("degradation")
    assert page.pending == []
    assert page.numbers
    assert "w-default" in page.examples


def test_a_mistake_is_told_and_the_next_page_is_sound(builder: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    file = builder.sources.files()["arena"]
    text = file.read_text()
    file.write_text(f"{text}\n{{term}}`no such term`\n")
    wrong = builder.page("arena")
    assert "arena.md:" in wrong.error
    assert "no such term" in wrong.error
    assert load("arena") is None
    assert not builder.page("recipes").error
    file.write_text(text)
    assert not builder.page("arena").error
    monkeypatch.setattr(site_builder.SiteBuilder, "html", lambda self, slug: 1 // 0)
    assert builder.page("recipes").error.startswith("ZeroDivisionError")


@pytest.mark.exhaustive
def test_it_answers_by_lines_and_ends_with_its_input() -> None:
    command = [sys.executable, "-m", "app.pages.output.build"]
    requests = f"glossary\n{MISSING}\n"
    done = subprocess.run(command, cwd=ROOT, input=requests, capture_output=True, text=True, check=True, timeout=120)
    pages = [parse(line) for line in done.stdout.splitlines()]
    assert [page.slug for page in pages] == ["glossary", MISSING]
    assert "No such page" in pages[1].html
    assert pages[0].key == Sources().key("glossary")
