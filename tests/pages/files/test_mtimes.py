"""What was changed in a folder is seen, and what Python keeps there is not."""

import os
from pathlib import Path

import pytest

from app.pages.files.mtimes import mtimes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/inner.txt", "a.txt", "__pycache__/a.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_files_are_told_in_order_with_those_of_folders_within(folder: Path) -> None:
    assert [path for path, _ in mtimes(folder)] == [str(folder / name) for name in ("a.txt", "b/inner.txt")]
    assert mtimes(folder / "b", folder / "__pycache__") == tuple(
        (str(path), path.stat().st_mtime_ns) for path in (folder / "__pycache__/a.pyc", folder / "b/inner.txt")
    )


def test_a_change_is_seen_and_so_are_a_new_file_and_one_that_went(folder: Path) -> None:
    states = [mtimes(folder)]
    os.utime(folder / "b/inner.txt", (0, 0))
    states.append(mtimes(folder))
    (folder / "c.txt").touch()
    states.append(mtimes(folder))
    (folder / "a.txt").unlink()
    states.append(mtimes(folder))
    assert len(set(states)) == len(states)


def test_a_link_that_leads_nowhere_is_no_file(folder: Path) -> None:
    before = mtimes(folder)
    (folder / "link").symlink_to(folder / "gone")
    assert mtimes(folder) == before
