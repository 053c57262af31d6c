"""States and tables are made once; and where nothing can be kept, nothing is computed."""

from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from app.pages.blocks import number_tables
from app.pages.document.editable_numbers import declared
from app.pages.document.figure_placement import FigurePlacement
from app.prerender import picture, runs, states, store
from sims.kept import results

PLACES = {
    "floor": FigurePlacement("floor", "gradient_floor", {}),
    "inserted": FigurePlacement("inserted", "insert_identity", {}),
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(results, "SHIPPED", tmp_path / "shipped")
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


def test_a_run_that_cannot_be_kept_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = Computed()
    monkeypatch.setattr(runs, "computed", computed)
    with pytest.raises(OSError, match="cannot be kept"):
        states.train(PLACES)
    assert computed.closed


def test_what_is_there_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"floor": FigurePlacement("floor", "rescale_trap", {})}
    states.atlas(places)
    bound = store.read("floor", store.ATLAS)["states"]
    assert sorted(bound) == sorted(name for name, _simulation in picture.states(places["floor"]))
    assert store.names("floor", store.STATE) == []
    monkeypatch.setattr(states, "stand", None)
    states.atlas(places)
    assert store.read("floor", store.ATLAS)["states"] == bound


def test_a_state_that_was_made_before_an_interruption_is_bound_with_the_others() -> None:
    place = FigurePlacement("trap", "rescale_trap", {})
    (first, one), (second, other), *_rest = picture.states(place)
    for name, simulation in ((first, one), (second, other)):
        states.stand("trap", place, name, simulation)
        states.bind({"trap": place})
    assert sorted(store.read("trap", store.ATLAS)["states"]) == sorted([first, second])
    states.stand("trap", place, first, one)
    assert {name for *_, name, _simulation in states.waiting({"trap": place})}.isdisjoint({first, second})


def test_numbers_that_are_too_long_are_left_to_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    place = FigurePlacement("trap", "rescale_trap", {})
    name, simulation = next(picture.states(place))
    states.stand("trap", place, name, simulation)
    assert store.read("trap", f"{store.NUMBERS}{name}").keys() == {"table", "csv", "json", "npz"}
    monkeypatch.setattr(states, "LARGEST", 100)
    states.stand("trap", place, name, simulation)
    assert store.read("trap", f"{store.NUMBERS}{name}") == {}


def test_numbers_of_worked_examples_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    example = declared("blocks: {value: 2, from: 1, to: 4, step: 1, label: blocks}", 1)
    example.calc("worked.default_block_gain(blocks=blocks)", ".1e")
    states.tables({"example": example.data()})
    content = store.read("example", store.TABLES)
    assert content["steps"] == {"blocks": ["1", "2", "3", "4"]}
    assert content["numbers"][0]["texts"] == [
        example.answer({"blocks": blocks})["numbers"][0] for blocks in content["steps"]["blocks"]
    ]
    monkeypatch.setattr(number_tables, "tables", None)
    states.tables({"example": example.data()})
