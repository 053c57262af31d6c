"""The table of published architectures: what it counts, on networks that are here."""

import os
import subprocess
import sys
from collections import defaultdict

import pytest
import torch

from sims.paths import ROOT
from tests.xray.networks import points
from tools.architectures.__main__ import LIBRARIES, TABLE, examined, in_words, written
from tools.architectures.entry import Entry, off, on, present
from tools.xray_networks import Residual, plain


def entry(**values: object) -> Entry:
    settings = {
        "library": "torchvision",
        "name": "residual",
        "build": lambda: Residual(5, pre=True, final=True),
        "inputs": lambda: ((points()[0],), {}),
        "truth": {"Block": 1},
    }
    return Entry(**(settings | values))  # type: ignore[arg-type]


def test_an_exact_architecture() -> None:
    line = examined(entry())
    assert (line.true, line.counted, line.false.total(), line.missed.total()) == (5, 5, 0, 0)
    assert line.loud == ()
    assert line.cost > 0
    assert in_words(line) == "| torchvision | residual |  | 5 | 5 | 0 | 0 |  |  |"


def test_false_and_missed_additions_are_named_by_their_class() -> None:
    assert in_words(examined(entry(truth={}, held_out=True))).startswith(
        "| torchvision | residual | yes | 0 | 5 | 5 (Block) | 0 |"
    )
    missed = examined(entry(build=lambda: plain(3), truth={"Sequential": lambda module: int(len(module) == 2)}))
    assert missed.missed == {"Sequential": 3}
    counted_apart = examined(entry(truth={}, others={"Block": "a cascade"}))
    assert (counted_apart.false.total(), counted_apart.others) == (0, 5)


@pytest.mark.parametrize("broken", [{"build": lambda: 1 / 0}, {"inputs": lambda: ((torch.zeros(1, 3),), {})}])
def test_what_does_not_run_is_a_line(broken: dict[str, object]) -> None:
    line = examined(entry(**broken))
    assert line.failed
    assert "does not run" in in_words(line)


def test_attributes_count() -> None:
    block = Residual(1).blocks[0]
    assert (on("bent")(block), off("bent")(block), present("pre")(block), present("one")(block)) == (0, 1, 0, 1)  # type: ignore[operator]


def test_the_table_has_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.architectures.__main__.version", lambda package: "1.2.3")
    lines = [examined(entry()), examined(entry(held_out=True, truth={})), examined(entry(build=lambda: 1 / 0))]
    text = written(lines)
    assert text.count("\n| torchvision") == 3
    assert "Of 3 architectures 1 are exact; 1 do not run. Of 5 true additions 0 are missed, and\n5 sums" in text


def rows(text: str) -> dict[str, list[str]]:
    """The lines of architectures, by library."""
    lines = defaultdict(list)
    for line in text.splitlines():
        library = line.split("|")[1].strip() if line.startswith("|") else ""
        if library in LIBRARIES:
            lines[library].append(line)
    return lines


def test_untrained_published_networks_have_no_problem_and_no_caution() -> None:
    lines = [line for library in rows(TABLE.read_text(encoding="utf-8")).values() for line in library]
    assert len(lines) >= 120
    assert [line for line in lines if line.split("|")[-2].strip()] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_table_is_what_the_x_ray_finds_today(library: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".venv" / "zoo"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tools.architectures", library]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout)[library] == rows(TABLE.read_text(encoding="utf-8"))[library]
