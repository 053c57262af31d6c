"""Runs that pages show first are computed once, and come with the code."""

from pathlib import Path
from typing import Any

import pytest

from app.pages.document.figure_placement import FigurePlacement
from app.prerender import runs
from sims.kept import results
from sims.simulations.depth.degradation import Degradation

PLACEMENTS = (
    FigurePlacement("a", "insert_identity", {}),
    FigurePlacement("b", "insert_identity", {}),
    FigurePlacement("c", "paths", {}),
)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(results, "SHIPPED", tmp_path / "shipped")
    (tmp_path / "shipped").mkdir()
    return tmp_path / "shipped"


def test_figures_that_show_the_same_need_one_run_and_algebra_none() -> None:
    [key] = runs.first(PLACEMENTS)
    assert key[0] == "insert_identity"


def test_runs_drawn_beside_a_run_are_needed_too() -> None:
    placement = FigurePlacement("d", "degradation", {"depth": 56, "measure": "test"})
    depths = {dict(settings)["depth"] for _name, settings in runs.first([placement])}
    assert depths == set(Degradation.atlas["depth"])
    failures = runs.first([FigurePlacement("e", "failures", {"depth": 30})])
    assert len(failures) == 3
    assert {dict(settings)["depth"] for _name, settings in failures} == {30}


def test_missing_runs_are_computed_and_shipped_and_unused_ones_are_removed(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs_by_key = runs.first(PLACEMENTS)
    simulation = next(iter(runs_by_key.values()))
    frame = simulation.frame(simulation.start())  # type: ignore[attr-defined]
    monkeypatch.setattr(type(simulation), "compute", lambda _self: frame)

    def computed(simulations: list[Any]) -> list[Any]:
        for item in simulations:
            runs.compute(item)
        return simulations

    monkeypatch.setattr(runs, "computed", computed)
    (folders / "Old-0.1.npz").write_bytes(b"")
    assert runs.missing(runs_by_key) == list(runs_by_key)
    assert runs.orphans(runs_by_key) == ["Old-0.1.npz"]
    assert list(runs.ship(runs_by_key)) == [(next(iter(runs_by_key)), 0)]
    assert runs.missing(runs_by_key) == []
    assert runs.orphans(runs_by_key) == []
    assert [path.name for path in folders.iterdir()] == [results.name(simulation)]
