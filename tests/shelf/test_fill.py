"""The shelf is filled once; and where nothing can be kept, nothing is computed."""

from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from app.pages.place import Place
from app.shelf import fill, runs, store
from sims.kept import results

PLACES = {"floor": Place("floor", "gradient_floor", {}), "inserted": Place("inserted", "insert_identity", {})}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(results, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(fill, "places", lambda _edition: PLACES)
    monkeypatch.setattr(fill, "Edition", lambda: None)
    monkeypatch.setattr("sys.argv", ["fill"])
    return tmp_path / "cache"


class Computed:
    """Runs that say they are computed, of which nothing is kept."""

    def __init__(self) -> None:
        self.asked = 0
        self.closed = False

    def __call__(self, wanted: Iterable[runs.Asked]) -> Generator[runs.Asked]:
        self.asked += 1
        try:
            yield from wanted
        finally:
            self.closed = True


def test_a_shelf_that_cannot_be_written_stays_as_it_is(
    cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("a file where a folder should be")
    computed = Computed()
    monkeypatch.setattr(runs, "computed", computed)
    with pytest.raises(SystemExit, match="cannot be written"):
        fill.main()
    assert computed.asked == 0


def test_a_run_that_cannot_be_kept_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = Computed()
    monkeypatch.setattr(runs, "computed", computed)
    with pytest.raises(SystemExit, match="disk is full"):
        fill.main()
    assert computed.closed


def test_a_picture_that_cannot_be_kept_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def full(key: str, name: str, _data: object) -> bool:
        tried.append((key, name))
        return False

    monkeypatch.setattr(store, "write", full)
    with pytest.raises(fill.CannotBeKept):
        fill.pictures({key: Place(key, "gradient_floor", {}) for key in ("one", "two")})
    assert {key for key, _name in tried} == {"one"}


def test_what_is_there_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill, "places", lambda _edition: {"floor": PLACES["floor"]})
    fill.main()
    states = store.names("floor", store.STATE)
    assert sorted(store.read("floor", store.ATLAS)["states"]) == states
    monkeypatch.setattr(fill, "stand", None)
    fill.main()
    assert store.names("floor", store.STATE) == states
