"""A kept page comes back whole, and knows when its numbers are no longer those of the book."""

from pathlib import Path

import pytest

from app.pages.output import cached_page
from app.pages.output.cached_page import CachedPage, load
from sims.kept.book import NumberStore

NUMBERS = {"a.b()": (0.1, "code"), "a.c()": None}
PAGE = CachedPage("one", "key", "<p>ä</p>", numbers=NUMBERS, examples={"w": {"units": {}}})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    return tmp_path


def test_it_comes_back_whole() -> None:
    assert load("one") is None
    cached_page.save(PAGE)
    assert load("one") == PAGE
    assert PAGE.pending == ["a.c()"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"slug": "one"}', '{"slug": "one", "numbers": 3}'])
def test_a_damaged_file_counts_as_missing(text: str, cache: Path) -> None:
    cached_page.save(PAGE)
    (cache / "pages" / "one.json").write_text(text)
    assert load("one") is None


def test_a_disk_that_cannot_be_written_is_no_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / "file").touch()
    monkeypatch.setenv("SKIP_CACHE", str(cache / "file"))
    cached_page.save(PAGE)
    assert load("one") is None


def test_its_numbers_stand_as_long_as_the_book_says_the_same(tmp_path: Path) -> None:
    book = NumberStore(tmp_path / "numbers.json")
    assert not PAGE.numbers_are_current(book)
    book.keep({"a.b()": (0.1, "code"), "b.other()": (3, "code")})
    assert PAGE.numbers_are_current(book)
    book.keep({"a.c()": (0.2, "code")})
    assert not PAGE.numbers_are_current(book)
