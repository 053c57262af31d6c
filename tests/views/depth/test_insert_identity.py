"""Layers that copy, inserted: the labels of the two errors."""

import pytest

from app.pictures.base.end_labels import AROUND, LINE
from app.views.depth.insert_identity import InsertIdentityView
from sims.simulations.depth.insert_identity import InsertIdentity
from tests.showing import showing


@pytest.mark.parametrize("steps", [0, 20])
def test_the_labels_of_equal_errors_keep_clear_of_each_other(steps: int) -> None:
    simulation = InsertIdentity(inserted=2)
    state = simulation.start()
    frame = simulation.frame(simulation.advance(state, steps) if steps else state)
    view = showing(InsertIdentityView(simulation), frame)
    labels = {name: source.data for name, source in view._words._sources.items()}
    assert labels["deep"]["text"][0].startswith("after ")
    assert labels["shallow"]["text"][0].startswith("before ")
    inside = view._error.height - AROUND
    axis = view._error.y_range
    heights = [
        at["y"][0] / (axis.end - axis.start) * inside - at["offset"][0] for at in (labels["deep"], labels["shallow"])
    ]
    assert abs(heights[0] - heights[1]) >= LINE - 1e-6
