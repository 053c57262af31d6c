"""The shelf is filled once; and where nothing can be kept, nothing is computed."""

from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from app.live.downloads import REPLIES
from app.pages.blocks import number_tables
from app.pages.document.editable_numbers import declared
from app.pages.document.figure_placement import FigurePlacement
from app.prerender import picture, runs, store
from sims.kept import results
from tools import prerender

PLACES = {
    "floor": FigurePlacement("floor", "gradient_floor", {}),
    "inserted": FigurePlacement("inserted", "insert_identity", {}),
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(results, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(prerender, "places", lambda _edition: PLACES)
    monkeypatch.setattr(prerender, "examples", lambda _edition: {})
    monkeypatch.setattr(prerender, "SiteBuilder", lambda: None)
    monkeypatch.setattr("sys.argv", ["fill"])
    return tmp_path / "cache"


class Computed:
    """Runs that say they are computed, of which nothing is kept."""

    def __init__(self) -> None:
        self.asked = 0
        self.closed = False

    def __call__(self, work: Iterable[runs.RunKey]) -> Generator[runs.RunKey]:
        self.asked += 1
        try:
            yield from work
        finally:
            self.closed = True


def test_a_shelf_that_cannot_be_written_stays_as_it_is(
    cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("a file where a folder should be")
    computed = Computed()
    monkeypatch.setattr(runs, "computed", computed)
    with pytest.raises(SystemExit, match="cannot be written"):
        prerender.main()
    assert computed.asked == 0


def test_a_run_that_cannot_be_kept_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = Computed()
    monkeypatch.setattr(runs, "computed", computed)
    with pytest.raises(SystemExit, match="disk is full"):
        prerender.main()
    assert computed.closed


def test_a_picture_that_cannot_be_kept_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def full(key: str, name: str, _data: object) -> bool:
        tried.append((key, name))
        return False

    monkeypatch.setattr(store, "write", full)
    with pytest.raises(prerender.CannotBeKept):
        prerender.pictures({key: FigurePlacement(key, "gradient_floor", {}) for key in ("one", "two")})
    assert {key for key, _name in tried} == {"one"}


def test_what_is_there_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prerender, "places", lambda _edition: {"floor": FigurePlacement("floor", "rescale_trap", {})})
    prerender.main()
    states = store.read("floor", store.ATLAS)["states"]
    assert sorted(states) == sorted(
        name for name, _simulation in picture.states(FigurePlacement("floor", "rescale_trap", {}))
    )
    assert store.names("floor", store.STATE) == []
    monkeypatch.setattr(prerender, "stand", None)
    prerender.main()
    assert store.read("floor", store.ATLAS)["states"] == states


def test_a_state_that_was_made_before_an_interruption_is_bound_with_the_others() -> None:
    place = FigurePlacement("trap", "rescale_trap", {})
    (first, one), (second, other), *_rest = picture.states(place)
    for name, simulation in ((first, one), (second, other)):
        prerender.stand("trap", place, name, simulation)
        prerender.bind({"trap": place})
    assert sorted(store.read("trap", store.ATLAS)["states"]) == sorted([first, second])
    prerender.stand("trap", place, first, one)
    assert {name for *_, name, _simulation in prerender.waiting({"trap": place})}.isdisjoint({first, second})


def test_numbers_that_are_too_long_are_left_to_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    place = FigurePlacement("trap", "rescale_trap", {})
    name, simulation = next(picture.states(place))
    prerender.stand("trap", place, name, simulation)
    assert store.read("trap", f"{store.NUMBERS}{name}").keys() == {*REPLIES}
    monkeypatch.setattr(prerender, "LARGEST", 100)
    prerender.stand("trap", place, name, simulation)
    assert store.read("trap", f"{store.NUMBERS}{name}") == {}


def test_numbers_of_worked_examples_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    example = declared("blocks: {value: 2, from: 1, to: 4, step: 1, label: blocks}", 1)
    example.calc("worked.default_block_gain(blocks=blocks)", ".1e")
    prerender.tables({"example": example})
    payload = store.read("example", store.TABLES)
    assert payload["steps"] == {"blocks": ["1", "2", "3", "4"]}
    assert payload["numbers"][0]["texts"] == [
        example.answer({"blocks": blocks})["numbers"][0] for blocks in payload["steps"]["blocks"]
    ]
    monkeypatch.setattr(number_tables, "tables", None)
    prerender.tables({"example": example})
