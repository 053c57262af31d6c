"""Runs that wait for their readers: on disk or in memory, and only what nobody else can have changed."""

import os
from pathlib import Path

import pytest

from app.runs import under_way
from tests.training_example import TrainingExample


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where they are kept, and nothing is held."""
    monkeypatch.setenv("SKIP_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(under_way, "_held", {})
    return tmp_path / "runs"


def test_a_run_has_one_owner_and_one_setting() -> None:
    keys = {
        under_way.key(owner, TrainingExample(seed=seed)) for owner in ("one place", "other place") for seed in (1, 2)
    }
    assert len(keys) == 4


def test_a_run_is_there_at_once_and_on_disk_later(folder: Path) -> None:
    under_way.hold("name", b"early")
    under_way.hold("name", b"late")
    assert under_way.found("name") == b"late"
    assert not folder.exists()
    under_way.write("name")
    assert under_way._held == {}
    assert under_way.found("name") == b"late"
    assert under_way.found("other") is None


def test_nobody_else_may_read_or_write_it(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    under_way.hold("name", b"state")
    under_way.write("name")
    assert (folder.stat().st_mode & 0o777, (folder / "name").stat().st_mode & 0o777) == (0o700, 0o600)
    (folder / "name").chmod(0o620)
    assert under_way.found("name") is None
    assert "others may change it" in caplog.text


def test_a_folder_that_cannot_be_written_leaves_it_in_memory(folder: Path) -> None:
    folder.touch()
    under_way.hold("name", b"state")
    under_way.write("name")
    assert under_way.found("name") == b"state"


def test_memory_and_disk_are_bounded_and_the_oldest_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_way, "IN_MEMORY", 10)
    monkeypatch.setattr(under_way, "ON_DISK", 10)
    for name in ("first", "second", "third"):
        under_way.hold(name, b"four")
    assert [name for name in ("first", "second", "third") if under_way.found(name)] == ["second", "third"]
    folder.mkdir()
    for age, name in enumerate(("new", "old", "oldest")):
        (folder / name).write_bytes(b"four")
        os.utime(folder / name, (1e9 - age, 1e9 - age))
    monkeypatch.setattr(under_way, "LASTING", 1e12)
    under_way.write("third")
    assert sorted(each.name for each in folder.iterdir()) == ["new", "third"]


def test_what_nobody_comes_back_for_is_deleted(folder: Path) -> None:
    folder.mkdir()
    (folder / "old").write_bytes(b"state")
    os.utime(folder / "old", (1e9, 1e9))
    under_way.hold("name", b"state")
    under_way.write("name")
    assert [each.name for each in folder.iterdir()] == ["name"]
