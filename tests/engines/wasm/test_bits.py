"""The modules for browsers compute what native code does, bit for bit, with every choice that an engine has."""

import json
import subprocess
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.engines.wasm.cases import ENGINES, Choice, covering, write
from tests.engines.wasm.modules import modules

HERE = Path(__file__).parent
AT_ONCE = 400
"""Choices whose calls are written and repeated together"""


def repeated(folder: Path, choices: Iterable[tuple[str, Choice]], variant: str = "fused") -> dict[str, Any]:
    write(folder, choices)
    node = Path(sys.executable).with_name("node")
    command = [node, HERE / "node.js", variant, folder, modules()]
    return dict(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def test_choices_cover_all_pairs_and_are_few() -> None:
    for engine in ENGINES.values():
        chosen = engine.covering()
        assert {value for choice in chosen for value in enumerate(choice)} == {
            (place, value) for place, values in enumerate(engine.choices) for value in values
        }
        assert len(chosen) < 120


def test_covering_choices_give_the_same_bits_in_node(tmp_path: Path) -> None:
    outcome = repeated(tmp_path, covering())
    assert outcome["wrong"] == []
    assert outcome["count"] > 500


def test_the_plain_module_runs_and_gives_other_bits(tmp_path: Path) -> None:
    outcome = repeated(tmp_path, [(engine, ENGINES[engine].covering()[0]) for engine in ENGINES], "plain")
    assert len(outcome["wrong"]) > 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("engine", ENGINES)
def test_all_choices_give_the_same_bits_in_node(engine: str, tmp_path: Path) -> None:
    every = ((engine, choice) for choice in ENGINES[engine].every() if ENGINES[engine].fits(choice))
    while choices := list(islice(every, AT_ONCE)):
        assert repeated(tmp_path, choices)["wrong"] == []
