"""Points below the roofs, bars that add up, and words where nothing is timed yet."""

import numpy as np
import pytest

from app.views.costs.roofline import LEFT, NAMES, RIGHT, ROWS, RooflineView
from sims.contract.frame import Frame
from sims.instruments.costs.timed_operations import OPERATIONS
from sims.simulations.costs import roofline
from sims.simulations.costs.roofline import Roofline
from tests.showing import showing


def shown(simulation: Roofline, frame: Frame) -> RooflineView:
    return showing(RooflineView(simulation), frame)


@pytest.fixture
def frame(monkeypatch: pytest.MonkeyPatch) -> Frame:
    """Of a machine that moves 12 GB and does 120 billion operations per second."""

    def time(name: str, size: int, numbers: int) -> float:
        if name == "update":
            return size / 6e9
        if name == "square":
            return size**3 / 60e9
        operation = OPERATIONS[name]
        return max(operation.work(numbers, size) / 120e9, operation.traffic(numbers, size) / 12e9)

    monkeypatch.setattr(roofline, "timings", lambda tasks, numbers: [time(name, size, numbers) for name, size in tasks])
    return Roofline().compute()


def test_the_roof_bends_where_memory_and_products_meet(frame: Frame) -> None:
    view = shown(Roofline(), frame)
    assert view._roof.data["x"] == pytest.approx([LEFT, 10, RIGHT])
    assert view._roof.data["y"] == pytest.approx([12 * LEFT, 120, 120])
    assert view._under.data["text"] == ["memory:\n12 GB/s"]
    assert view._places["in_place"].data["x"] == pytest.approx([1 / 12])
    assert view._places["in_place"].data["y"] == pytest.approx([1])


def test_a_bar_with_a_sum_ends_where_product_and_sum_add_up(frame: Frame) -> None:
    simulation = Roofline(width=64)
    view = shown(simulation, simulation.reread(frame))
    results = simulation.reread(frame).results
    ends = dict(zip(ROWS, view._totals.data["x"], strict=True))
    assert ends["then sum in place"] == pytest.approx(results["product_time"] + results["in_place_time"])
    assert ends["both in one"] == pytest.approx(results["fused_time"])
    assert len(view._said.data["text"]) == len(ROWS)


def test_before_the_first_round_words_say_so() -> None:
    simulation = Roofline()
    view = shown(simulation, simulation.frame(simulation.start()))
    assert view._waiting.data["text"] == ["not timed yet"]
    assert view._said.data["text"] == []
    assert view._roof.data["x"] == []
    assert all(source.data["x"] == [] for source in view._places.values())


def test_every_operation_has_a_name_and_a_place(frame: Frame) -> None:
    view = shown(Roofline(), frame)
    assert set(NAMES) == set(OPERATIONS)
    sources = [*view._names._sources.values(), *view._product_names._sources.values()]
    names = {source.data["text"][0] for source in sources}
    assert names == set(NAMES.values())
    assert np.isfinite([source.data["y"][0] for source in view._places.values()]).all()
