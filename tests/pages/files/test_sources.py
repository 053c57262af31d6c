"""A page's key changes with what it is made from, and with nothing else."""

import shutil
from pathlib import Path

import pytest

from app.pages.files.sources import Sources, mark_and_slug
from sims.paths import CONTENT

OF_ALL = ("home", "claims", "predictions", "references")
"""Pages that speak of all chapters"""


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    shutil.copytree(CONTENT, tmp_path / "content")
    return Sources(tmp_path / "content")


def keys(sources: Sources) -> dict[str, str]:
    return {slug: sources.key(slug) for slug in sources.slugs()}


def changed(sources: Sources, file: str, more: str) -> set[str]:
    before = keys(sources)
    path = sources.content / file
    path.write_text(path.read_text() + more)
    return {slug for slug, key in keys(sources).items() if key != before[slug]}


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


def test_a_chapter_belongs_to_itself_and_to_the_pages_about_all(sources: Sources) -> None:
    assert changed(sources, "chapters/3-landscape.md", "\nOne more.\n") == {"landscape", *OF_ALL}


def test_shared_data_belongs_to_every_page(sources: Sources) -> None:
    assert changed(sources, "glossary.yaml", "\n# a comment\n") == set(sources.slugs())


def test_the_front_of_a_chapter_belongs_to_every_page(sources: Sources) -> None:
    path = sources.content / "chapters/3-landscape.md"
    before = keys(sources)
    path.write_text(path.read_text().replace("title: ", "title: Really, ", 1))
    assert all(key != before[slug] for slug, key in keys(sources).items())


def test_numbers_belong_to_the_page_about_them(sources: Sources) -> None:
    assert changed(sources, "numbers.json", " ") == {"numbers"}


def test_pages_are_the_prose_in_order_and_what_is_made_from_data() -> None:
    slugs = Sources().slugs()
    assert slugs[:2] == ["home", "degradation"]
    assert {"numbers", "claims", "glossary", "references"} <= set(slugs)
    assert "STYLE" not in slugs


def test_every_claim_has_a_page_that_is_about_all_chapters(sources: Sources) -> None:
    names = sources.claims()
    assert len(names) == 97
    assert names[0] == "claim-A-01"
    assert not set(names) & set(sources.slugs())
    before = sources.key("claim-A-04")
    changed(sources, "chapters/3-landscape.md", "\nOne more.\n")
    assert sources.key("claim-A-04") != before


def test_what_all_pages_share_is_looked_at_again_after_a_while_and_own_words_at_once(sources: Sources) -> None:
    patient = Sources(sources.content, lasting=1e9)
    assert keys(patient) == keys(sources)
    assert changed(patient, "glossary.yaml", "\n# a comment\n") == set()
    assert changed(patient, "chapters/3-landscape.md", "\nOne more.\n") == {"landscape", *OF_ALL}
