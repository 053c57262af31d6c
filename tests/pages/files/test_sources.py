"""The version changes with every byte that a page is made from, and the files say which pages there are."""

import shutil
from pathlib import Path

import pytest

from app.pages.data import claims
from app.pages.files import assets
from app.pages.files.sources import Sources, mark_and_slug
from sims.paths import CONTENT


@pytest.fixture
def content(tmp_path: Path) -> Path:
    shutil.copytree(CONTENT, tmp_path / "content")
    return tmp_path / "content"


FIGURE = "\n:::{simulation} landscape\nid: another\n:::\n"


def versions(content: Path) -> tuple[str, str]:
    """Of everything, and of what all pages share."""
    sources = Sources(content)
    return sources.version(), sources.shared()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("3-landscape.md", ("3", "landscape")),
        ("10-last-of-all.md", ("10", "last-of-all")),
        ("A-scaling.md", ("A", "scaling")),
        ("cheat-sheet.md", ("", "cheat-sheet")),
        ("home.md", ("", "home")),
    ],
)
def test_a_file_tells_the_mark_and_the_name_of_its_page(name: str, expected: tuple[str, str]) -> None:
    assert mark_and_slug(Path(name)) == expected


@pytest.mark.parametrize(
    ("file", "shared"),
    [
        ("chapters/3-landscape.md", False),
        ("numbers.json", False),
        ("glossary.yaml", True),
        ("references.bib", True),
        ("stills/index.json", True),
    ],
)
def test_the_version_changes_with_every_file(file: str, shared: bool, content: Path) -> None:
    before = versions(content)
    with (content / file).open("a") as opened:
        opened.write(" ")
    after = versions(content)
    assert after[0] != before[0]
    assert (after[1] != before[1]) == shared


def test_the_front_of_a_chapter_is_shared_and_so_is_a_new_figure(content: Path) -> None:
    path = content / "chapters/3-landscape.md"
    for change in (lambda text: text.replace("title: ", "title: Really, ", 1), lambda text: text + FIGURE):
        before = versions(content)
        path.write_text(change(path.read_text()))
        assert versions(content)[1] != before[1]


def test_plain_bokeh_is_another_version(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = versions(content)
    monkeypatch.setenv("SKIP_PLAIN_BOKEH", "1")
    assets.forget()
    assert versions(content) != before
    monkeypatch.undo()
    assets.forget()
    assert versions(content) == before


def test_a_file_is_read_once(content: Path) -> None:
    sources = Sources(content)
    before = sources.version()
    (content / "glossary.yaml").write_text("")
    assert sources.version() == before
    assert Sources(content).version() != before


def test_pages_are_the_prose_in_order_and_what_is_made_from_data() -> None:
    slugs = Sources().slugs()
    assert slugs[:2] == ["home", "degradation"]
    assert {"numbers", "claims", "glossary", "references"} <= set(slugs)
    assert "STYLE" not in slugs


def test_every_claim_has_a_page_that_cannot_be_searched_for() -> None:
    sources = Sources()
    names = sources.claims()
    assert names == [f"claim-{name}" for name in claims.read(CONTENT / "claims.yaml").cards]
    assert not set(names) & set(sources.slugs())


def test_home_is_built_first_and_every_page_once() -> None:
    sources = Sources()
    names = sources.names()
    assert names[0] == "home"
    assert len(names) == len(set(names))
    others = {*sources.beside(), *sources.listings(), *sources.decks(), *sources.embeds(), "404"}
    assert {*sources.slugs(), *others} == set(names)
