"""Curves over blocks: each patient's errors without one block, and without several."""

import pytest

from app.views.theories.lesion import LesionView
from sims.contract.bands import ENDINGS
from sims.simulations.theories.lesion import PATIENTS, Lesion
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def examined():
    simulation = Lesion(**{**shortest(Lesion), "seeds": 2})
    return simulation, simulation.frame(simulation.advance(simulation.start(), 30))


@pytest.mark.parametrize(("figure", "key", "x"), [("_one", "one", "blocks"), ("_several", "several", "numbers")])
def test_a_patients_line_is_its_error_without_blocks(examined, figure, key, x):
    simulation, frame = examined
    view = showing(LesionView(simulation), frame)
    curves = getattr(view, figure)
    assert curves.source.data["x"].tolist() == frame[x].tolist()
    for name in PATIENTS:
        for ending in ENDINGS.values():
            assert curves.source.data[name + ending].tolist() == frame[f"{name}_{key}{ending}"].tolist()
    assert curves._plot.x_range.end == frame[x][-1]


def test_a_block_is_knocked_out_by_a_touch_and_put_back_by_the_next(examined):
    simulation, _frame = examined
    view, changes = LesionView(simulation), []
    view.change = lambda name, value: changes.append((name, value))
    view._on_block(3)
    view._on_block(simulation.block)
    assert changes == [("block", 3), ("block", 0)]
