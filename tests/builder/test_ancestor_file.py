"""The file that a reader takes away from the race: it runs alone, and computes what the page does."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sims.comparisons.ancestors import ANCESTORS
from sims.data.datasets import source
from sims.instruments.training.ancestor_run import advance, begin
from sims.simulations.wiring.ancestors import Ancestors


def defined(text: str) -> dict[str, Any]:
    """What a file defines, without a run."""
    names: dict[str, Any] = {"__name__": "file"}
    exec(compile(text, "file", "exec"), names)
    return names


@pytest.mark.parametrize("name", ANCESTORS)
@pytest.mark.parametrize("task", ["spirals", "digits"])
def test_the_file_races_as_the_page_does(name: str, task: str) -> None:
    text = Ancestors(block=name, task=task, depth=8).listing()
    assert "sims" not in re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
    assert max(map(len, text.splitlines())) <= 120
    assert ANCESTORS[name].idea in text
    actual = defined(text)["race"](name, 2, [0, 1], 6).numpy()
    expected = advance(begin(name, source(task), 2, 0.003, (0, 1)), 6, 6).errors[-1]
    np.testing.assert_allclose(actual, expected, atol=1e-6)


@pytest.mark.exhaustive
def test_it_runs_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "race.py"
    path.write_text(Ancestors(block="lstm", depth=8, seeds=1, training_steps=100).listing())
    output = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"seed 0: [\d.]+% of the training points wrong\n", output)
