"""Curves that are level at both ends, and what flows on the road behind each block."""

import numpy as np
import pytest

from app.pictures.base.figures import curve
from app.pictures.diagrams.ribbons import Road, origin_colors
from sims.simulations.wiring.connectivity import Connectivity


def road(join, **settings):
    simulation = Connectivity(join=join, blocks=3, **settings)
    frame = simulation.frame(simulation.start())
    return frame, Road(frame, join, gap=3.0)


def test_a_curve_is_level_at_both_ends():
    x, y = curve(0, 1, 2, 5)
    assert (x[0], y[0], x[-1], y[-1]) == (0, 1, 2, 5)
    assert y[1] - y[0] < 0.1
    assert y[-1] - y[-2] < 0.1


def test_the_sum_has_the_mean_color_of_all_its_parts():
    _frame, added = road("add")
    assert added.mixtures[-1] == pytest.approx(np.mean(origin_colors(3), axis=0))


def test_behind_a_gate_flows_as_much_of_the_new_as_it_is_open():
    frame, gated = road("gate")
    colors, expected = origin_colors(3), origin_colors(3)[0]
    for color, opening in zip(colors[1:], frame["openings"], strict=True):
        expected = (1 - opening) * expected + opening * color
    assert gated.mixtures[-1] == pytest.approx(expected)


def test_boxes_are_above_the_road_and_as_high_as_what_they_read():
    frame, dense = road("concatenate", growth=5)
    assert [dense.width(place) for place in range(4)] == [8, 13, 18, 23]
    for block, read in enumerate(frame["reads"].tolist(), start=1):
        assert dense.foot(block) > dense.width(block)
        assert dense.top(block) - dense.foot(block) == max(read, 5)
