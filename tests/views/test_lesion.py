"""Curves over blocks: each patient's errors without one block, and without several."""

import pytest

from app.views.lesion import LesionView
from sims.contract.bands import ENDINGS
from sims.simulations.lesion import PATIENTS, Lesion
from tests.settings import shortest


@pytest.fixture(scope="module")
def examined():
    simulation = Lesion(**{**shortest(Lesion), "seeds": 2})
    return simulation, simulation.frame(simulation.advance(simulation.start(), 30))


@pytest.mark.parametrize(("figure", "key", "x"), [("_one", "one", "blocks"), ("_several", "several", "numbers")])
def test_a_patients_line_is_its_error_without_blocks(examined, figure, key, x):
    simulation, frame = examined
    view = LesionView(simulation)
    view.draw()
    view.update(frame)
    curves = getattr(view, figure)
    assert curves.source.data["x"].tolist() == frame[x].tolist()
    for name in PATIENTS:
        for ending in ENDINGS.values():
            assert curves.source.data[name + ending].tolist() == frame[f"{name}_{key}{ending}"].tolist()
    assert curves._plot.x_range.end == frame[x][-1]
