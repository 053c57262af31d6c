"""Ridges with a line through their means, and steps around a line at 0 that say where there is none down."""

import numpy as np
import pytest

from app.views.shortcuts.last_op import LastOpView
from sims.contract.frame import Frame
from sims.simulations.shortcuts.last_op import LastOp
from tests.showing import showing


def shown(**settings: str | int | float) -> tuple[LastOpView, Frame]:
    simulation = LastOp(**settings)
    frame = simulation.compute()
    return showing(LastOpView(simulation), frame), frame


def test_the_mean_runs_through_the_ridges() -> None:
    view, frame = shown(blocks=10)
    assert view._mean.data["x"].tolist() == frame["mean"].tolist()
    assert view._mean.data["y"].tolist() == list(range(11))
    assert len(view._source.data["xs"]) == 5
    assert view._input.data["ys"][0].min() == 0


@pytest.mark.parametrize(("ending", "words"), [("relu", "never a step down"), ("linear", "largest step down")])
def test_it_is_said_where_no_number_goes_down(ending: str, words: str) -> None:
    view, frame = shown(ending=ending)
    assert view._words._sources["lowest"].data["text"] == [words]
    assert view._lines["lowest"].data["y"].tolist() == frame["lowest"].tolist()


@pytest.mark.parametrize("strength", [0.0, 2.0])
def test_up_and_down_have_the_same_room(strength: float) -> None:
    view, frame = shown(strength=strength)
    assert view._steps.y_range.end == -view._steps.y_range.start > 0
    assert view._steps.y_range.end > np.abs(frame["highest"]).max()
