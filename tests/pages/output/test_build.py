"""Pages are made from files as they were at the last refresh; what is wrong with one is said, and the next is sound."""

import shutil
from pathlib import Path

import pytest

from app.pages.output import site_builder
from app.pages.output.build import Builder
from sims.paths import CONTENT


@pytest.fixture
def content(tmp_path: Path) -> Path:
    shutil.copytree(CONTENT, tmp_path / "content")
    return tmp_path / "content"


def test_a_page_has_everything_that_the_server_sends() -> None:
    page = Builder().page("degradation")
    assert page.html == site_builder.current().html("degradation")
    assert page.pending == []
    assert page.numbers
    assert page.entries
    assert page.places.keys() == site_builder.current().page("degradation").places.keys()
    assert "w-default" in page.examples


def test_a_mistake_is_reported_and_the_next_page_is_correct(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = Builder(content)
    file = builder.sources.files()["arena"]
    text = file.read_text()
    file.write_text(f"{text}\n{{term}}`no such term`\n")
    wrong = builder.page("arena")
    assert "arena.md:" in wrong.error
    assert "no such term" in wrong.error
    assert not builder.page("recipes").error
    file.write_text(text)
    assert not builder.page("arena").error
    monkeypatch.setattr(site_builder.SiteBuilder, "html", lambda self, slug: 1 // 0)
    assert builder.page("recipes").error.startswith("ZeroDivisionError")


@pytest.mark.exhaustive
def test_data_that_all_pages_share_is_read_again_at_a_refresh(content: Path) -> None:
    builder = Builder(content)
    before = builder.page("glossary").html
    version = builder.version
    glossary = content / "glossary.yaml"
    glossary.write_text(glossary.read_text().replace("the", "thé"))
    assert builder.page("glossary").html == before
    builder.refresh()
    assert builder.version != version
    assert "thé" in builder.page("glossary").html
