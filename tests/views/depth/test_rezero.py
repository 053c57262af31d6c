"""Lines of factors on both sides of zero."""

import numpy as np

from app.views.depth.rezero import RezeroView
from sims.simulations.depth.rezero import Rezero


def test_every_factor_is_in_the_picture_on_its_side():
    simulation = Rezero(blocks=12, training_steps=200, seeds=1)
    view = RezeroView(simulation)
    view.figures()
    state = simulation.start()
    view.update(simulation.frame(state))
    assert all(source.data["text"] == [] for source in view._words.values())
    assert view._tips.data["y"].tolist() == [0] * 12
    frame = simulation.frame(simulation.advance(state, 100))
    view.update(frame)
    above, below = (view._lines[name].data["y"] for name in ("above", "below"))
    assert len(above) + len(below) == 12
    assert all(line[-1] > 0 for line in above)
    assert all(line[-1] < 0 for line in below)
    assert np.array_equal(sorted(line[-1] for line in [*below, *above]), sorted(frame["factors"][-1]))
    assert view._words["below"].data["text"] == [f"{len(below)} below 0"]
