"""A static copy keeps the JSON file of a state, and its pages write the table and the CSV file as Python does."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.prerender.picture import numbers
from sims.contract.frame import Frame
from sims.simulations.depth.signal import Signal
from tests.every_simulation.frames import SIMULATIONS, first_frame
from tests.exports import TEXTS
from tests.tiers import spread
from tests.twins import test_frames
from tools.static_site import essential

SCRIPT = Path(__file__).with_name("files-of-json.js")


class Wordless(Signal):
    """It describes every frame, also those that no simulation makes."""

    def describe(self, frame: Frame) -> str:
        return f"A frame with {len(frame.quantities)} quantities, and “quotes”."


def as_json(replies: Any) -> dict[str, Any]:
    return dict(json.loads(json.dumps(replies), parse_int=float))


@pytest.fixture(scope="module")
def pairs() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The replies of Python, and those that a page makes of what the copy keeps of them."""
    simulations = [kind() for kind in spread([*SIMULATIONS.values()], 9)]
    frames = [(simulation, first_frame(simulation)) for simulation in simulations]
    frames += [(Wordless(), frame) for frame in test_frames.frames()]
    expected = [as_json(numbers(simulation, frame)) for simulation, frame in frames]
    kept = [json.loads(essential(json.dumps(replies).encode())) for replies in expected]
    node = Path(sys.executable).with_name("node")
    done = subprocess.run([node, SCRIPT], input=json.dumps(kept), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(zip(expected, json.loads(done.stdout, parse_int=float), strict=True))


@pytest.mark.parametrize("kind", TEXTS)
def test_it_is_the_same(pairs: list[tuple[dict[str, Any], dict[str, Any]]], kind: str) -> None:
    for expected, completed in pairs:
        assert completed[kind] == expected[kind]


def test_the_copy_keeps_much_less(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    whole = sum(len(json.dumps(expected)) for expected, _ in pairs)
    kept = sum(len(essential(json.dumps(expected).encode())) for expected, _ in pairs)
    assert kept < whole / 2
