"""Walks and distances, and the curve that is dragged through a point."""

from types import SimpleNamespace

import pytest

from app.views.depth.correlated import WALKS, CorrelatedView
from sims.instruments.stacks.corrections_walk import distances
from sims.simulations.depth.correlated import Correlated
from tests.showing import showing


@pytest.fixture(scope="module")
def shown():
    simulation = Correlated(blocks=16, training_steps=200, seeds=1, rho=0.2)
    frame = simulation.frame(simulation.start())
    return showing(CorrelatedView(simulation), frame), frame


def test_walks_and_curves_are_those_of_the_frame(shown):
    view, frame = shown
    for name in WALKS:
        assert view._walks[name].data["x"].tolist() == frame[f"{name}_x"].tolist()
        assert view._curves[name].data["y"].tolist() == frame[f"{name}_distance"].tolist()
        assert [view._tips[name].data["y"][0]] == frame[f"{name}_y"][-1:].tolist()


def test_the_plane_holds_all_walks_on_one_scale(shown):
    view, frame = shown
    spans = []
    for axis, ends in (("x", view._plane.x_range), ("y", view._plane.y_range)):
        places = [0.0, *(place for name in WALKS for place in frame[f"{name}_{axis}"])]
        assert ends.start < min(places) <= max(places) < ends.end
        spans.append(ends.end - ends.start)
    assert spans[0] == pytest.approx(spans[1])


def test_a_drag_leads_the_formula_through_the_pointer(shown):
    view, _frame = shown
    changes = []
    view.change = lambda name, value: changes.append((name, value))
    view._on_pointer(SimpleNamespace(x=10.0, y=float(distances(16, 0.5)[10])))
    assert changes == [("rho", 0.5)]
