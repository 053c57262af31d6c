"""States and tables are made once; and where nothing can be kept, nothing is computed."""

from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from app.live.downloads import REPLIES
from app.pages.blocks import number_tables
from app.pages.document.editable_numbers import declared
from app.pages.document.figure_placement import FigurePlacement
from app.prerender import picture, runs, states, store
from sims.kept import results

PLACEMENTS = {
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
        self.calls = 0
        self.closed = False

    def __call__(self, work: Iterable[runs.RunKey]) -> Generator[runs.RunKey]:
        self.calls += 1
        try:
            yield from work
        finally:
            self.closed = True


def test_a_run_that_cannot_be_stored_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = Computed()
    monkeypatch.setattr(runs, "computed", computed)
    with pytest.raises(OSError, match="cannot be kept"):
        states.train(PLACEMENTS)
    assert computed.closed


def test_existing_states_are_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    placements = {"floor": FigurePlacement("floor", "rescale_trap", {})}
    states.atlas(placements)
    bound = store.read("floor", store.ATLAS)["states"]
    assert sorted(bound) == sorted(name for name, _simulation in picture.states(placements["floor"]))
    assert store.names("floor", store.STATE) == []
    monkeypatch.setattr(states, "stand", None)
    states.atlas(placements)
    assert store.read("floor", store.ATLAS)["states"] == bound


def test_every_state_of_a_shared_run_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {key: FigurePlacement(key, "insert_identity", {}) for key in ("first", "second")}
    missing = {(key, name) for _far, key, _place, name, _simulation in states.waiting(places)}
    computed: list[tuple[str, str]] = []
    monkeypatch.setattr(runs, "computed", Computed())
    monkeypatch.setattr(states, "_hold", lambda simulation: None)
    monkeypatch.setattr(states, "stand", lambda key, place, name, simulation: computed.append((key, name)))
    states.atlas(places)
    assert len(computed) == len(missing) > 2
    assert set(computed) == missing


def test_a_state_from_before_an_interruption_is_bound_with_the_others() -> None:
    placement = FigurePlacement("trap", "rescale_trap", {})
    (first, one), (second, other), *_rest = picture.states(placement)
    for name, simulation in ((first, one), (second, other)):
        states.stand("trap", placement, name, simulation)
        states.bind({"trap": placement})
    assert sorted(store.read("trap", store.ATLAS)["states"]) == sorted([first, second])
    states.stand("trap", placement, first, one)
    assert {name for *_, name, _simulation in states.waiting({"trap": placement})}.isdisjoint({first, second})


def test_numbers_that_are_too_long_are_left_to_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    placement = FigurePlacement("trap", "rescale_trap", {})
    name, simulation = next(picture.states(placement))
    states.stand("trap", placement, name, simulation)
    assert store.read("trap", f"{store.NUMBERS}{name}").keys() == {*REPLIES}
    monkeypatch.setattr(states, "LARGEST", 100)
    states.stand("trap", placement, name, simulation)
    assert store.read("trap", f"{store.NUMBERS}{name}") == {}


def test_numbers_of_worked_examples_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
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
