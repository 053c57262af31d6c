"""Towers are as wide as the sizes they show, and can be pulled."""

from types import SimpleNamespace

import numpy as np
import pytest

from app.pictures.diagrams.towers import APART, size_of, width
from app.views.depth.signal import SignalView
from sims.simulations.depth.signal import ALPHAS, Signal
from tests.showing import showing


def shown(**settings):
    simulation = Signal(**settings)
    frame = simulation.compute()
    return showing(SignalView(simulation), frame), frame


def test_the_halves_are_the_stream_and_the_gradient():
    view, frame = shown(alpha=0.3, blocks=50, recipe="post")
    for at, side in enumerate(("left", "right")):
        for half, way in (("stream", -1), ("gradient", 1)):
            data = view._towers._halves[at, half].data
            assert data["outer"] == pytest.approx(at * APART + way * width(frame[f"{side}_{half}"]))
            assert data["y"].tolist() == list(range(51))


def test_a_tower_that_overflows_breaks_off_and_says_where():
    view, frame = shown(alpha=1.0, blocks=500)
    overflow = frame.results["left_overflow"]
    assert view._towers._breaks.data["y"] == [overflow]
    assert view._towers._halves[0, "stream"].data["y"][-1] == overflow - 1
    assert len(view._towers._halves[0, "gradient"].data["y"]) == 0
    assert f"overflow: block {overflow}" in view._towers._words["note"].data["text"]


@pytest.mark.parametrize("size", [1e-30, 1e-3, 0.5, 1.0, 1.5, 70.0, 1e20])
def test_a_width_can_be_read_back(size):
    assert size_of(float(width(np.array(size)))) == pytest.approx(size, rel=1e-6)


def test_an_exact_zero_has_no_width():
    assert width(np.array([0.0, 1.0])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(("x", "lowest", "highest"), [(-1.0, 0.0, 0.0), (-1.3, 0.01, 0.2), (-1.9, 0.3, 2.0)])
def test_pulling_the_edge_sets_the_factor(x, lowest, highest):
    view, _frame = shown(blocks=100)
    changes = []
    view.change = lambda name, value: changes.append((name, value))
    view._towers._on_pointer(SimpleNamespace(x=x, y=100.0))
    [(name, value)] = changes
    assert name == "alpha"
    assert value in ALPHAS
    assert lowest <= value <= highest


def test_the_right_tower_cannot_be_pulled():
    view, _frame = shown(blocks=100)
    changes = []
    view.change = lambda name, value: changes.append((name, value))
    view._towers._on_pointer(SimpleNamespace(x=APART - 1, y=50.0))
    assert changes == []
