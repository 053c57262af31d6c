"""Benchmarks can be run, and what they print of a run, and of the difference between two, is right."""

import importlib
import pkgutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import benchmarks
from benchmarks import _figures
from benchmarks._figures import Figure

NAMES = [each.name for each in pkgutil.iter_modules(benchmarks.__path__) if each.name != "__main__"]


def report(commit: str, *figures: Figure, time: str = "2026-01-01T00:00:00") -> dict[str, Any]:
    found = [asdict(each) for each in figures]
    return {"commit": commit, "changed": False, "time": time, "machine": "here", "load": 0.0, "figures": found}


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_can_be_imported_and_has_a_way_in(name: str) -> None:
    module = importlib.import_module(f"benchmarks.{name}")
    assert name.startswith("_") or callable(module.main)


def test_a_goal_is_reached_up_to_1_whichever_way_is_better() -> None:
    assert Figure("time", (2.0, 3.0, 4.0), "s", 4.0).of_goal == 0.75
    assert Figure("rate", (5.0,), "", 10.0, more=True).of_goal == 2.0
    assert Figure("no goal", (5.0,), "").of_goal is None


def test_a_row_says_goal_median_middle_half_and_share() -> None:
    row = Figure("time", (1.0, 2.0, 3.0, 4.0, 5.0), "s", 4.0).row()
    assert row.split() == ["time", "≤", "4", "3", "s", "2", "to", "4", "0.75"]
    assert "not compared: no Node" in Figure("peer", (), "×", reason="no Node").row()


def test_only_what_differs_beyond_the_noise_of_both_has_moved() -> None:
    before = report("a", Figure("steady", (1.0, 1.2, 1.4), "s"), Figure("faster", (4.0, 4.1, 4.2), "s"))
    now = report("b", Figure("steady", (1.15, 1.25, 1.4), "s"), Figure("faster", (2.0, 2.05, 2.1), "s"))
    (line,) = _figures.moved(before, now)
    assert line.startswith("faster")
    assert line.endswith("4.1 → 2.05 s (0.50 times)")
    assert not _figures.moved(report("a", Figure("close", (1.0,), "s")), report("b", Figure("close", (1.01,), "s")))
    assert not _figures.moved(report("a", Figure("peer", (), "×")), report("b", Figure("peer", (3.0,), "×")))


def test_a_run_is_compared_with_the_last_of_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_figures, "FOLDER", tmp_path / "benchmarks")
    figure = Figure("time", (1.0,), "s")
    kept = [
        report("a", figure, time="2026-01-01T00:00:00"),
        report("b", figure, time="2026-01-02T00:00:00"),
        report("c", figure, time="2026-01-03T00:00:00"),
        {**report("d", figure, time="2026-01-04T00:00:00"), "machine": "elsewhere"},
        report("e", Figure("another", (1.0,), "s"), time="2026-01-05T00:00:00"),
    ]
    for each in kept:
        _figures.keep(each)
    found = _figures.latest_of_another_commit(report("c", figure, time="2026-01-06T00:00:00"))
    assert found is not None
    assert found["commit"] == "b"
    assert found["figures"][0]["what"] == "time"
