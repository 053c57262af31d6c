"""Files of the shelf come back as they were written; what cannot be read is no error."""

import fcntl
import os
from pathlib import Path

import pytest

from app.prerender import store


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    return tmp_path


def test_written_content_is_read() -> None:
    store.write("key", store.PICTURE, {"a": [1.5, None]})
    assert store.read("key", store.PICTURE) == {"a": [1.5, None]}
    assert store.read("key", store.ATLAS) is None


def test_states_are_listed_by_their_names() -> None:
    for name in ("0-1", "2-0"):
        store.write("key", f"{store.STATE}{name}", [])
    store.write("key", f"{store.NUMBERS}0-1", {})
    assert store.names("key", store.STATE) == ["0-1", "2-0"]
    assert store.names("other", store.STATE) == []


def test_a_damaged_file_counts_as_missing() -> None:
    store.write("key", store.PICTURE, {})
    store.file("key", store.PICTURE).write_bytes(b"\x1f\x8bnothing")
    assert store.read("key", store.PICTURE) is None


def test_folders_that_no_server_has_used_for_days_are_removed() -> None:
    for key in ("old", "marked", "of another server", "mine"):
        store.write(key, store.PICTURE, {})
    for key in ("old", "marked", "mine"):
        os.utime(store.folder(key), (0, 0))
    store.touch(["marked", "nowhere"])
    store.drop_others({"mine"})
    assert sorted(path.name for path in store.folder("").iterdir()) == ["marked", "mine", "of another server"]


def test_a_disk_that_cannot_be_written_can_be_read(folder: Path) -> None:
    (folder / "shelf").write_text("a file where a folder should be")
    with pytest.raises(OSError, match="shelf"):
        store.write("key", store.PICTURE, {})
    assert store.read("key", store.PICTURE) is None
    store.touch(["key"])
    with pytest.raises(FileExistsError), store.filling():
        pass


def test_one_process_at_a_time_fills_a_shelf(folder: Path) -> None:
    with store.filling(), (folder / "shelf.lock").open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with store.filling():
        pass
