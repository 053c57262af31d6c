"""Arrows on a plane whose axes hold all of them and change seldom."""

import numpy as np
import pytest

from app.pictures.charts.arrows import Arrows, fit_square


def plane() -> Arrows:
    return Arrows("Vectors", {"one": ("one", "plain", "solid"), "many": ("many", "residual", "dashed")})


def test_tails_and_tips_arrive() -> None:
    arrows, walk = plane(), np.array([[0.0, 0.0], [0.5, 0.2], [0.1, 0.9]])
    arrows.show({"one": (np.zeros(2), np.array([0.3, -0.4])), "many": (walk[:-1], walk[1:])})
    assert list(arrows._sources["one"].data["y1"]) == [-0.4]
    assert list(arrows._sources["many"].data["x1"]) == [0.5, 0.1]


def test_axes_reach_to_powers_of_two() -> None:
    figure = plane().figure
    for farthest, reach in ((0.3, 1), (0.95, 2), (5.0, 8), (float("nan"), 1)):
        fit_square(figure, [np.array([0.0, farthest])])
        assert (figure.x_range.start, figure.x_range.end, figure.y_range.end) == (-reach, reach, reach)


def test_axes_may_have_steps_between_two_powers_of_two() -> None:
    chart = plane().figure
    fit_square(chart, [np.array([2.2, -0.4])], per_doubling=3)
    assert chart.x_range.end == pytest.approx(2 ** (4 / 3))
    assert chart.y_range.start == -chart.x_range.end
