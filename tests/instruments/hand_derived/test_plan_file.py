"""The file to take away runs on its own, and its own check finds nothing."""

import subprocess
import sys

import pytest

from sims.instruments.hand_derived.plan_file import plan_file


@pytest.mark.parametrize("arrangement", ["pre", "post"])
def test_the_file_runs_alone_and_agrees_with_finite_differences(arrangement, tmp_path):
    text = plan_file(arrangement)
    assert "sims" not in text
    (tmp_path / "block.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-I", str(tmp_path / "block.py")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    errors = [float(line.split()[-1]) for line in printed.splitlines()]
    assert len(errors) == 9
    assert max(errors) < 1e-6
