"""The cache and its folders follow one variable."""

from pathlib import Path

import pytest

from sims import paths


def test_the_root_holds_the_project() -> None:
    assert (paths.ROOT / "pyproject.toml").is_file()
    assert (paths.CONTENT / "home.md").is_file()


def test_all_caches_are_in_the_folder_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folders = (paths.results, paths.pages, paths.shelf, paths.suspended_runs, paths.engine, paths.benchmarks)
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    assert {folder().parent for folder in folders} == {tmp_path}
    assert len({folder() for folder in folders}) == len(folders)
    monkeypatch.setenv("SKIP_CACHE", "")
    assert {folder().parent for folder in folders} == {paths.ROOT / ".cache"}
