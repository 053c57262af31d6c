"""The two directions: what half way along each is said of the network before and after its rescaling."""

from dataclasses import replace

import numpy as np
import pytest

from app.views.loss_surfaces.rescale_trap import TITLES, RescaleTrapView
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.loss_surfaces.rescale_trap import FACTORS, HALF, RescaleTrap
from tests.showing import showing


def shown(factor):
    simulation = RescaleTrap(factor=factor)
    frame = simulation.compute()
    return showing(RescaleTrapView(simulation), frame), frame


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_the_raw_direction_has_two_losses_and_the_normalized_one_has_one(factor):
    view, frame = shown(factor)
    texts = {key: source.data["text"][0] for key, source in view._words.items()}
    assert texts["raw", "before"] == f"c = 1: {number(frame['raw_before'][HALF])}"
    assert texts["raw", "now"] == f"c = {number(factor)}: {number(frame['raw'][HALF])}"
    assert texts["normalized", "before"] == ""
    assert texts["normalized", "now"].endswith(", as before")


def test_words_of_the_higher_line_are_above_it_and_of_the_lower_one_below():
    view, frame = shown(10.0)
    assert frame["raw"][HALF] > frame["raw_before"][HALF]
    assert view._words["raw", "now"].data["away"][0] < 0 < view._words["raw", "before"].data["away"][0]


def test_both_figures_have_one_scale():
    view, _frame = shown(5.0)
    first, second = (view._figures[kind].y_range for kind in TITLES)
    assert (first.start, first.end) == (second.start, second.end)


@pytest.mark.parametrize("factor", [0.1, 2.0])
def test_the_dots_are_on_the_curves_of_all_factors_and_at_the_slices_of_theirs(factor):
    view, frame = shown(factor)
    at = frame["factors"].tolist().index(factor)
    for name in TITLES:
        assert view._chosen.data[name] == [frame[name][HALF]] == [view._halfway.data[name][at]]


def test_another_direction_may_need_a_longer_axis():
    view, frame = shown(1.0)
    assert view._over.y_range.end == 30
    higher = replace(frame.quantities["raw_halfway"], values=np.full(len(FACTORS), 50.0))
    view.update(Frame({**frame.quantities, "raw_halfway": higher}, frame.results))
    assert view._over.y_range.end > 50
