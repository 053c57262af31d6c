"""Benchmarks can be run, find in a page what a browser would, and print what is right of a run or of two."""

import importlib
import pkgutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import benchmarks
from app.pages.output import site_builder
from benchmarks import _client, _figures, first_words, load
from benchmarks._figures import Figure
from sims import registry

NAMES = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name != "__main__"]


def report(commit: str, *figures: Figure, time: str = "2026-01-01T00:00:00") -> dict[str, Any]:
    rows = [asdict(figure) for figure in figures]
    return {"commit": commit, "changed": False, "time": time, "machine": "here", "load": 0.0, "figures": rows}


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
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    figure = Figure("time", (1.0,), "s")
    reports = [
        report("a", figure, time="2026-01-01T00:00:00"),
        report("b", figure, time="2026-01-02T00:00:00"),
        report("c", figure, time="2026-01-03T00:00:00"),
        {**report("d", figure, time="2026-01-04T00:00:00"), "machine": "elsewhere"},
        report("e", Figure("another", (1.0,), "s"), time="2026-01-05T00:00:00"),
    ]
    for item in reports:
        _figures.keep(item)
    latest = _figures.latest_of_another_commit(report("c", figure, time="2026-01-06T00:00:00"))
    assert latest is not None
    assert latest["commit"] == "b"
    assert latest["figures"][0]["what"] == "time"


def test_a_reader_finds_the_figures_of_a_page() -> None:
    html = site_builder.current().html("degradation")
    figures = list(_client.figures(html))
    assert len(figures) == html.count('<figure class="simulation')
    assert {figure.simulation for figure in figures} <= set(registry.names())
    assert figures[0].initial["depth"] == "56"
    assert figures[0].training


def test_a_share_of_waits_is_found_in_each_part_of_the_time() -> None:
    assert load.share([4.0, 1.0, 3.0, 2.0], 0.5) == 2.0
    assert load.milliseconds([0.1] * 10 + [0.2] * 10 + [0.3] * 10, 0.95) == pytest.approx([100, 200, 300])


def event(name: str, start: float, length: float = 0, **more: Any) -> dict[str, Any]:
    return {"name": name, "ph": "X", "pid": 1, "tid": 1, "ts": start, "dur": length, "tdur": length, **more}


def test_the_time_to_first_words_is_split_by_cause() -> None:
    parts = first_words.spent(
        [
            event("navigationStart", 1_000),
            event("ParseHTML", 2_000, 5_000),
            event("EvaluateScript", 3_000, 1_000),
            event("Layout", 8_000, 2_000),
            event("Layout", 8_000, 9_000, tid=2),
            event("firstContentfulPaint", 21_000),
            event("Layout", 30_000, 4_000),
        ]
    )
    assert parts == {"all": 20, "reading HTML": 4, "scripts": 1, "styles": 0, "layout": 2, "painting": 0}
