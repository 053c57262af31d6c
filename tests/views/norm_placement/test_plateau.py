"""Lines of three placements over the same sublayers."""

import pytest

from app.views.norm_placement.plateau import PlateauView
from sims.simulations.norm_placement.plateau import PLACED, Plateau
from tests.showing import showing


@pytest.fixture(scope="module")
def frame():
    return Plateau(depth=8, seeds=1, training_steps=100).compute()


@pytest.mark.exhaustive
def test_every_curve_ends_at_its_last_place(frame):
    view = PlateauView(Plateau(depth=8, seeds=1, training_steps=100))
    figures = view.figures()
    view.update(frame)
    assert len(figures) == 4
    assert view._figures["lost"].x_range.end == 8
    assert view._figures["exit"].x_range.start == 0
    for name, curves in view._curves.items():
        assert list(curves.source.data["pre"]) == list(frame[f"pre_{name}"])
    assert set(PLACED) <= set(view._curves["lost"].source.data)


def test_the_axis_of_shares_holds_the_highest_seed(frame):
    view = showing(PlateauView(Plateau(depth=8, seeds=1, training_steps=100)), frame)
    assert view._figures["share"].y_range.end > max(frame[f"{name}_share_high"].max() for name in PLACED)
