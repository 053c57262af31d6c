"""The walk between its lines: the axis follows those that stay near it, and every line has its name."""

import numpy as np

from app.views.gradients.jacobian_walk import JacobianWalkView
from sims.simulations.gradients.jacobian_walk import JacobianWalk
from tests.showing import showing


def shown(**settings):
    simulation = JacobianWalk(**settings)
    frame = simulation.compute()
    return showing(JacobianWalkView(simulation), frame), frame


def test_a_bound_that_runs_away_does_not_stretch_the_axis_and_is_named_where_it_leaves():
    view, frame = shown()
    assert frame["spectral"][-1] > 1e50
    assert view._walk.y_range.end < 1e8
    [at], [text] = view._leaving.data["x"], view._leaving.data["text"]
    assert frame["spectral"][at - 1] <= view._walk.y_range.end < frame["spectral"][at]
    assert text == "↗ spectral norm,\nup to 10⁵⁸"
    assert view._ends._sources["spectral"].data["text"] == []


def test_lines_that_stay_are_named_at_their_ends():
    view, frame = shown(family="orthogonal", sigma=0.9)
    assert view._leaving.data["text"] == []
    texts = {name: source.data["text"] for name, source in view._ends._sources.items()}
    assert texts["spectral"] == ["spectral norm"]
    assert texts["median"] == ["measured"]
    assert np.isclose(frame.results["end"], 0.9**200)


def test_eigenvalues_that_are_all_zero_are_said_to_be():
    view, _frame = shown(family="nilpotent")
    [text] = view._ends._sources["eigenvalue"].data["text"]
    assert text == "eigenvalues: all 0"
    assert view._ends._sources["spectral"].data["text"] == ["spectral norm"]
