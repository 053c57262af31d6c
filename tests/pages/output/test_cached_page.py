"""A kept page comes back whole and under its version only, and folders of other versions are thrown away."""

import os
from pathlib import Path

import pytest

from app.pages.output import cached_page
from app.pages.output.cached_page import CachedPage, drop_others, folder, load, save

PAGE = CachedPage("one", "<p>ä</p>", numbers={"a.b()": 0.1, "a.c()": None}, examples={"w": {"units": {}}})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    return tmp_path


def test_it_comes_back_whole_and_under_its_version_only() -> None:
    assert load("v1", "one") is None
    save("v1", PAGE)
    assert load("v1", "one") == PAGE
    assert load("v2", "one") is None
    assert PAGE.pending == ["a.c()"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"slug": "one", "key": "of an older version"}'])
def test_a_damaged_file_counts_as_missing(text: str) -> None:
    save("v1", PAGE)
    (folder("v1") / "one.json").write_text(text)
    assert load("v1", "one") is None


def test_a_disk_that_cannot_be_written_is_an_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / "file").touch()
    monkeypatch.setenv("SKIP_CACHE", str(cache / "file"))
    with pytest.raises(OSError, match="file"):
        save("v1", PAGE)
    assert load("v1", "one") is None


def test_only_folders_that_another_server_may_be_building_stay() -> None:
    for version in ("now", "built before", "being built", "old"):
        save(version, PAGE)
    os.utime(folder("old"), (0, 0))
    drop_others("now", {"built before", "now"})
    assert sorted(path.name for path in cached_page.pages().iterdir()) == ["being built", "now"]
