"""The picture of continuous depth draws both networks and marks the present one."""

import numpy as np

from app.views.theories.ode import OdeView
from sims.simulations.theories.ode import DEPTHS, Ode
from tests.showing import showing


def test_ways_of_both_depths_begin_on_the_circle_and_end_at_their_dots():
    simulation = Ode(depth=8)
    frame = simulation.compute()
    view = showing(OdeView(simulation), frame)
    for name, blocks in (("here", 8), ("double", 16)):
        data = view._ways[name].data
        assert [len(way) for way in data["xs"]] == [blocks + 1] * 12
        assert np.allclose([xs[0] ** 2 + ys[0] ** 2 for xs, ys in zip(data["xs"], data["ys"], strict=True)], 1)
    ends = view._ends.data
    assert np.allclose(ends["x"], [xs[-1] for xs in view._ways["here"].data["xs"]])
    place = DEPTHS.index(8)
    assert view._here.data == {"x": [8, 8], "y": [frame["moved"][place], frame["gap"][place]]}
