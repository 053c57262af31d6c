"""The two slopes stand one above the other, each around its own zero."""

import numpy as np

from app.views.gradients.shattering import LEVELS, ShatteringView
from sims.simulations.gradients.shattering import Shattering
from tests.showing import showing


def test_slopes_and_likeness_are_those_of_the_frame():
    simulation = Shattering(depth=5)
    frame = simulation.compute()
    view = showing(ShatteringView(simulation), frame)
    for name, level in LEVELS.items():
        assert np.allclose(view._slopes.data[name] - level, frame[f"{name}_slope"])
        assert view._likeness.data[name].tolist() == frame[f"{name}_likeness"].tolist()
