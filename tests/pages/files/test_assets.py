"""Files are read once, and a changed one is sent under another version when a process has forgotten the old one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.pages.files import assets
from app.pages.output import site_builder


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One file in a folder of its own."""
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    assets.forget()
    path = tmp_path / "a.js"
    path.write_bytes(b"one")
    yield path
    assets.forget()


def test_a_changed_file_is_sent_under_another_version_and_not_before(script: Path) -> None:
    before = assets.version()
    assert assets.ours("a.js") == b"one"
    script.write_bytes(b"two")
    assert (assets.version(), assets.ours("a.js")) == (before, b"one")
    assets.forget()
    assert assets.version() != before
    assert assets.ours("a.js") == b"two"
    assert assets.ours("b.js") is None


def test_what_first_words_need_is_requested_first_and_the_drawing_script_last() -> None:
    html = site_builder.current().html("degradation")
    places = [html.index(part) for part in ("head.js", 'rel="stylesheet"', 'rel="preload"', "main.js", "</main>")]
    assert places == sorted(places)
    assert re.findall(r'/([\w-]+\.js)"', html) == ["head.js", "main.js"]
