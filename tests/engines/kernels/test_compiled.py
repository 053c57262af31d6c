"""Compiled kernels are found again, on a disk that can be written and on one that cannot."""

import os
import tempfile
from pathlib import Path

import pytest

from sims.engines.kernels import compiled
from sims.engines.perceptrons.kernels import steps


def test_a_folder_that_can_be_written_is_used_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "kernels-1"
    assert compiled.writable(folder) == folder
    assert folder.is_dir()


def test_a_folder_that_cannot_be_written_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kernels-2"
    folder.mkdir()
    (folder / "index").write_text("kept")
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "elsewhere"))
    copy = compiled.writable(folder)
    assert copy == tmp_path / "elsewhere" / "kernels-2"
    assert (copy / "index").read_text() == "kept"
    assert compiled.writable(folder) == copy


def test_every_state_of_the_sources_has_a_folder_of_its_own() -> None:
    assert compiled.fingerprint() in steps.run._cache.cache_path
