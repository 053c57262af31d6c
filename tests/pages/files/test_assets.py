"""Files are looked at once in a moment, and a changed one is sent under another version."""

import os
import re
from pathlib import Path

import pytest

from app.pages.files import assets
from app.pages.output import site_builder


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One file in a folder of its own."""
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    assets._version_at.cache_clear()
    path = tmp_path / "a.js"
    path.write_bytes(b"one")
    return path


def test_a_changed_file_is_sent_and_has_another_version(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "LOOK", 1e-9)
    before = assets.version()
    assert assets.ours("a.js") == b"one"
    script.write_bytes(b"two")
    os.utime(script, (0, 0))
    assert assets.version() != before
    assert assets.ours("a.js") == b"two"
    assert assets.ours("b.js") is None


def test_the_files_of_one_page_are_looked_at_once(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "LOOK", 1e9)
    before = assets.version()
    script.unlink()
    assert assets.version() == before


def test_what_first_words_need_is_asked_for_first_and_what_draws_only_behind_them() -> None:
    html = site_builder.current().html("degradation")
    places = [html.index(part) for part in ("head.js", 'rel="stylesheet"', 'rel="preload"', "main.js", "</main>")]
    assert places == sorted(places)
    assert re.findall(r'/([\w-]+\.js)"', html) == ["head.js", "main.js"]
