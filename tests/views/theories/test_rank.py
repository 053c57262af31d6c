"""The tables of tokens are filled by their cosines, the first token on top."""

import numpy as np

from app.views.theories.rank import LEAST, RankView
from sims.simulations.theories.rank import Rank
from tests.showing import showing


def test_cells_are_as_full_as_tokens_are_alike():
    simulation = Rank(layer=1)
    frame = simulation.compute()
    view = showing(RankView(simulation), frame)
    for name, left in (("plain", 0), ("residual", 19)):
        cells = view._cells[name].data
        strength = dict(zip(zip(cells["x"] - left, cells["y"], strict=True), cells["strength"], strict=True))
        assert np.isclose(strength[0.5, 15.5], 1)
        assert strength[3.5, 13.5] == np.clip(frame[f"{name}_table"][2, 3], LEAST, 1)
