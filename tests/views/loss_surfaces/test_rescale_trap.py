"""The two directions: what half way along each is said of the network before and after its rescaling."""

from dataclasses import replace

import numpy as np
import pytest

from app.pictures.base.questions import KNOWN
from app.views.loss_surfaces.rescale_trap import TITLES, RescaleTrapView
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.loss_surfaces.rescale_trap import FACTORS, HALF, RescaleTrap
from tests.showing import showing

MAPS = ("before", "raw", "normalized")


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
    assert texts["normalized", "now"] == f"still {number(frame['normalized'][HALF])}"


def test_words_of_the_higher_line_are_above_it_and_of_the_lower_one_below():
    view, frame = shown(10.0)
    assert frame["raw"][HALF] > frame["raw_before"][HALF]
    assert view._words["raw", "now"].data["away"][0] < 0 < view._words["raw", "before"].data["away"][0]


def test_words_of_a_line_that_has_not_moved_are_below_it():
    for factor in (1.0, 10.0):
        view, _frame = shown(factor)
        assert view._words["normalized", "now"].data["away"][0] > 0


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


def test_each_map_shows_the_answers_of_its_weights_and_the_points_of_both_moons():
    view, frame = shown(10.0)
    for name in MAPS:
        drawn = view._maps[name]
        np.testing.assert_array_equal(drawn.image.data["image"][0], frame[f"{name}_answers"])
        assert [len(source.data["x"]) for source in drawn.points] == [*np.bincount(frame["classes"]), 0, 0]
        assert all(0 < place < 1 for source in drawn.points for way in "xy" for place in source.data[way])
    notes = {name: drawn.note.data["text"] for name, drawn in view._maps.items()}
    assert notes == {"before": ["same for every c"], "raw": ["c = 10"], "normalized": ["same for every c"]}


def test_before_the_prediction_only_the_answers_before_the_move_are_visible():
    view, _frame = shown(10.0)
    for name, drawn in view._maps.items():
        hidden = [mark for mark in drawn.figure.renderers if KNOWN not in mark.tags]
        assert {mark.data_source for mark in hidden} == (set() if name == "before" else {drawn.image, drawn.note})
