"""A file is there whole, or not at all."""

from pathlib import Path

import pytest

from sims.kept import whole_file
from sims.kept.whole_file import write_whole


def test_it_replaces_what_was_there_and_makes_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    for data in (b"one", b"another"):
        write_whole(path, data)
        assert path.read_bytes() == data
    assert list(path.parent.iterdir()) == [path]


def test_what_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def full(*_places: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(whole_file.os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
