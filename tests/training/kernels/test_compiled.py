"""Compiled code is kept apart by the state of the sources it was compiled from."""

from pathlib import Path

import pytest
from numba import config

from sims.training.kernels import compiled


def test_any_change_of_any_kernel_moves_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("one", "other"):
        (tmp_path / folder / "kernels").mkdir(parents=True)
        (tmp_path / folder / "kernels" / "sums.py").write_text("1")
    monkeypatch.setattr(compiled, "FOLDER", tmp_path / "one" / "kernels")
    before = compiled.fingerprint()
    assert before == compiled.fingerprint()
    (tmp_path / "other" / "kernels" / "sums.py").write_text("2")
    assert compiled.fingerprint() != before


def test_this_process_keeps_its_code_under_the_present_fingerprint() -> None:
    assert Path(config.CACHE_DIR).name == f"kernels-{compiled.fingerprint()}"
