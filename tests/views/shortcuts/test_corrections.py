"""A digit after every block in both stacks, with how much of it is left said above each row."""

import numpy as np
import pytest

from app.views.shortcuts.corrections import ROWS, CorrectionsView
from sims.simulations.shortcuts.corrections import Corrections


@pytest.mark.parametrize("depth", [1, 8, 12])
def test_a_picture_for_the_input_and_for_every_block(depth: int) -> None:
    simulation = Corrections(depth=depth)
    view = CorrectionsView(simulation)
    view.figures()
    view.update(simulation.compute())
    assert len(view._images.data["image"]) == 2 * (depth + 1)
    for name in ROWS:
        assert view._edges[name].data["left"] + 0.45 == pytest.approx(np.arange(depth + 1))


def test_cosine_and_length_stand_above_each_row() -> None:
    simulation = Corrections(strength=0.0)
    view = CorrectionsView(simulation)
    view.figures()
    view.update(simulation.compute())
    assert view._words["residual"].data["text"] == ["residual: cosine 1.00, 1 times as long"]
    assert view._words["plain"].data["text"] == ["plain: cosine 0.00, exactly 0 times as long"]
