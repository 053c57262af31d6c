"""The recipes of docs/command-line.md compute what they say, with the real jq."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sims.__main__ import main
from sims.contract.frame import Frame
from sims.simulations.gradients.jacobian_walk import JacobianWalk
from sims.simulations.gradients.paths import Paths

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"^```\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)

needs_jq = pytest.mark.skipif(
    not shutil.which("jq"), reason="jq is not installed (apt-get install jq, brew install jq)"
)


def run(recipe: str) -> list[str]:
    line = recipe.replace("python -m", f"{sys.executable} -m")
    answer = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stderr == ""
    return answer.stdout.splitlines()


def test_there_are_three() -> None:
    assert len(RECIPES) == 3


@needs_jq
def test_one_number_of_one_run() -> None:
    assert [float(line) for line in run(RECIPES[0])] == [JacobianWalk(sigma=0.8).compute().results["spectral"]]


@needs_jq
def test_a_table_of_arrays() -> None:
    frame = JacobianWalk().compute()
    rows = [[float(cell) for cell in line.split(",")] for line in run(RECIPES[1])]
    columns = [frame[name].tolist() for name in ("norm_low", "norm", "norm_high")]
    assert rows == [list(row) for row in zip(*columns, strict=True)]


@needs_jq
def test_a_sweep() -> None:
    read = [json.loads(line) for line in run(RECIPES[2])]
    assert [row["blocks"] for row in read] == ["2", "4", "8"]
    for row in read:
        frame: Frame = Paths(blocks=int(row.pop("blocks"))).compute()
        assert row == frame.results


def test_the_keys_are_those_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paths", "--json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert payload["settings"] == Paths().finite_settings()
    assert payload["provenance"] == Paths().provenance(Paths().compute())
    assert {
        key for cell in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) for key in re.findall(r"`(\w+)`", cell)
    } == set(payload)
