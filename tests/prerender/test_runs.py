"""Runs that pages show first are computed once, and come with the code."""

from pathlib import Path
from typing import Any

import pytest

from app.pages.document.figure_placement import Place
from app.prerender import runs
from sims.kept import results

PLACES = (Place("a", "insert_identity", {}), Place("b", "insert_identity", {}), Place("c", "paths", {}))


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(results, "SHIPPED", tmp_path / "shipped")
    (tmp_path / "shipped").mkdir()
    return tmp_path / "shipped"


def test_places_that_show_the_same_need_one_run_and_algebra_none() -> None:
    [asked] = runs.first(PLACES)
    assert asked[0] == "insert_identity"


def test_what_is_missing_is_computed_and_shipped_and_the_rest_goes(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = runs.first(PLACES)
    simulation = next(iter(wanted.values()))
    frame = simulation.frame(simulation.start())  # type: ignore[attr-defined]
    monkeypatch.setattr(type(simulation), "compute", lambda _self: frame)

    def computed(asked: list[Any]) -> list[Any]:
        for each in asked:
            runs.compute(each)
        return asked

    monkeypatch.setattr(runs, "computed", computed)
    (folders / "Old-0.1.npz").write_bytes(b"")
    assert runs.missing(wanted) == list(wanted)
    assert runs.orphans(wanted) == ["Old-0.1.npz"]
    assert list(runs.ship(wanted)) == [(next(iter(wanted)), 0)]
    assert runs.missing(wanted) == []
    assert runs.orphans(wanted) == []
    assert [path.name for path in folders.iterdir()] == [results.name(simulation)]
