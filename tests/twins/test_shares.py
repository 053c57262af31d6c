"""Threads that share the networks of a figure give the numbers of one thread: none of them depends on the thread."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sims import registry
from sims.contract.parameters import to_text
from tests import tiers
from tests.engines.wasm.modules import modules
from tests.tiers import first

CASES: dict[str, dict[str, Any]] = {
    "degradation": {"depth": 4, "width": 8, "seeds": 2},
    "arena": {"depth": 4, "seeds": 2},
    "sweep": {"depth": 4, "seeds": 1, "field": "usual"},
    "stability": {"seeds": 1, "network": "transformer"},
    "interactions": {"depth": 4, "seeds": 1},
    "variants": {"depth": 4, "seeds": 1},
    "language": {"blocks": 1},
}
"""Small settings of every figure whose networks threads may share"""

FEW = 3
"""Figures in a run without exhaustive tests"""

FIGURES = list(CASES)[: None if tiers.everything else FEW]

CHUNKS = (1, 4)
THREADS = 3


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Any]:
    tasks = []
    for figure in FIGURES:
        changed = CASES[figure]
        settings = registry.find(figure)(**changed).settings()
        texts = {name: to_text(value) for name, value in settings.items()}
        tasks.append({"figure": figure, "settings": texts, "chunks": CHUNKS, "threads": THREADS})
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("shares.js"), modules()]
    done = subprocess.run(command, input=json.dumps(tasks), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(FIGURES, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("figure", first(FEW, CASES))
def test_the_numbers_do_not_depend_on_the_thread(outcomes: dict[str, Any], figure: str) -> None:
    outcome = outcomes[figure]
    assert outcome["divisible"]
    assert outcome["networks"] > 1
    assert outcome["step"] == sum(CHUNKS)
    assert outcome["same"]


def test_every_figure_that_shares_is_tried() -> None:
    figures = Path(__file__).parents[2] / "app/static/training/figures"
    divisible = {path.stem for path in figures.glob("*.js") if "export const DIVISIBLE = true" in path.read_text()}
    assert divisible == set(CASES)
