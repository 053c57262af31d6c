"""Lanes: lines end in words, tiny values at the foot, and a press into a lane moves the dye there."""

from types import SimpleNamespace
from typing import Any

import pytest

from app.views.wiring.lanes import LanesView
from sims.simulations.wiring.lanes import Lanes
from tests.showing import showing


def shown(**settings: Any) -> LanesView:
    simulation = Lanes(**settings)
    return showing(LanesView(simulation), simulation.compute())


def test_a_second_value_of_rounding_is_at_the_foot_and_said_so() -> None:
    view = shown()
    assert view._values.data["second"][-1] == pytest.approx(1e-8)
    assert view._names._sources["second"].data["text"] == ["second below 10⁻⁸"]
    assert view._names._sources["largest"].data["text"] == ["largest 1"]


def test_one_lane_has_no_second_value() -> None:
    assert shown(lanes=1)._names._sources["second"].data["text"] == []


@pytest.mark.parametrize(("height", "lane"), [(4.2, 1), (0.9, 4), (0.3, None), (5.1, None)])
def test_a_press_into_a_lane_puts_the_dye_there(height: float, lane: int | None) -> None:
    view = shown()
    changes: list[tuple[str, Any]] = []
    view.change = lambda name, value: changes.append((name, value))
    view._pressed(SimpleNamespace(x=3.0, y=height))
    assert changes == ([("dyed", lane)] if lane else [])
