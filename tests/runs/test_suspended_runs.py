"""Runs that wait for their readers: on disk or in memory, and only what nobody else can have changed."""

import os
from pathlib import Path

import pytest

from app.runs import suspended_runs
from tests.training_example import TrainingExample


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where they are kept, and nothing is held."""
    monkeypatch.setenv("SKIP_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(suspended_runs, "_held", {})
    return tmp_path / "runs"


def test_a_run_has_one_owner_and_one_setting() -> None:
    keys = {
        suspended_runs.key(owner, TrainingExample(seed=seed))
        for owner in ("one place", "other place")
        for seed in (1, 2)
    }
    assert len(keys) == 4


def test_a_run_of_a_module_that_was_moved_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = TrainingExample()
    monkeypatch.setattr(suspended_runs.results, "name", lambda _simulation: "the same version")
    before = suspended_runs.key("one place", simulation)
    monkeypatch.setattr(TrainingExample, "__module__", "moved.training_example")
    assert suspended_runs.key("one place", simulation) != before


def test_a_run_is_there_at_once_and_on_disk_later(folder: Path) -> None:
    suspended_runs.stash("name", b"early")
    suspended_runs.stash("name", b"late")
    assert suspended_runs.load("name") == b"late"
    assert not folder.exists()
    suspended_runs.write("name")
    assert suspended_runs._held == {}
    assert suspended_runs.load("name") == b"late"
    assert suspended_runs.load("other") is None


def test_nobody_else_may_read_or_write_it(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    suspended_runs.stash("name", b"state")
    suspended_runs.write("name")
    assert (folder.stat().st_mode & 0o777, (folder / "name").stat().st_mode & 0o777) == (0o700, 0o600)
    (folder / "name").chmod(0o620)
    assert suspended_runs.load("name") is None
    assert "others may change it" in caplog.text


def test_a_folder_that_cannot_be_written_leaves_it_in_memory(folder: Path) -> None:
    folder.touch()
    suspended_runs.stash("name", b"state")
    suspended_runs.write("name")
    assert suspended_runs.load("name") == b"state"


THREE = ("first", "second", "third")


def test_memory_is_bounded_where_nothing_can_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspended_runs, "IN_MEMORY", 10)
    folder.touch()
    for name in THREE:
        suspended_runs.stash(name, b"four")
        suspended_runs.write(name)
    assert [name for name in THREE if suspended_runs.load(name)] == ["second", "third"]


def test_runs_that_are_left_together_are_all_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class closes its laptops."""
    monkeypatch.setattr(suspended_runs, "IN_MEMORY", 10)
    for name in THREE:
        suspended_runs.stash(name, b"four")
    for name in THREE:
        suspended_runs.write(name)
    assert sorted(path.name for path in folder.iterdir()) == sorted(THREE)


def test_the_disk_is_bounded_and_the_oldest_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspended_runs, "ON_DISK", 10)
    suspended_runs.stash("third", b"four")
    folder.mkdir()
    for age, name in enumerate(("new", "old", "oldest")):
        (folder / name).write_bytes(b"four")
        os.utime(folder / name, (1e9 - age, 1e9 - age))
    monkeypatch.setattr(suspended_runs, "LASTING", 1e12)
    suspended_runs.write("third")
    assert sorted(path.name for path in folder.iterdir()) == ["new", "third"]


def test_what_nobody_comes_back_for_is_deleted(folder: Path) -> None:
    folder.mkdir()
    (folder / "old").write_bytes(b"state")
    os.utime(folder / "old", (1e9, 1e9))
    suspended_runs.stash("name", b"state")
    suspended_runs.write("name")
    assert [path.name for path in folder.iterdir()] == ["name"]
