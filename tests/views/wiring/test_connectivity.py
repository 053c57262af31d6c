"""A press on a box chooses what is looked at, and lets go of it; the bars are the routes of the frame."""

import numpy as np
import pytest

from app.views.wiring.connectivity import ROUTES, ConnectivityView
from sims.simulations.wiring.connectivity import SKIPS, Connectivity


@pytest.fixture(params=SKIPS)
def shown(request):
    simulation = Connectivity(join=request.param, blocks=4)
    view = ConnectivityView(simulation)
    view.figures()
    frame = simulation.frame(simulation.start())
    view.update(frame)
    return simulation, view, frame


def test_every_route_that_there_is_has_its_bars(shown):
    _simulation, view, frame = shown
    for route in ROUTES:
        tops = np.asarray(view._back._sources[route].data["top"], float)
        assert np.isfinite(tops).sum() == (np.isfinite(frame[f"by_{route}"]) & (frame[f"by_{route}"] > 0)).sum()


def test_a_second_press_lets_go(shown):
    simulation, view, frame = shown
    heard = []
    view.change = lambda name, value: heard.append((name, value))
    view._look(3)
    simulation.look = 3
    view.update(frame)
    view._look(3)
    assert heard == [("look", 3), ("look", 0)]
