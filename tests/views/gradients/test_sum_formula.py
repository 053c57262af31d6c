"""The two readings of the formula: piles that they count, and labels with how far apart they are."""

import numpy as np
import pytest

from app.views.gradients.sum_formula import COINS, SumFormulaView
from sims.simulations.gradients.sum_formula import SumFormula
from tests.showing import showing


def words(**settings):
    simulation = SumFormula(**settings)
    view = showing(SumFormulaView(simulation), simulation.compute())
    return view, {name: source.data["text"][0] for name, source in view._words.items()}


def test_the_wrong_reading_says_how_far_off_it_is():
    view, texts = words(gain=0.5, blocks=20, formula="wrong")
    assert texts["measured"] == "measured: 3,325"
    assert texts["apart"] == "3,300 times apart"
    assert view._gap.data["low"] < view._gap.data["high"]


@pytest.mark.parametrize(
    ("settings", "measured", "apart"),
    [
        ({"gain": 1.0, "blocks": 40}, "1.1 × 10¹²", "5.5 × 10¹¹ times apart"),
        ({"gain": 1.0, "blocks": 16}, "65,540", "33,000 times apart"),
    ],
)
def test_whole_numbers_are_not_written_to_the_last_digit(settings, measured, apart):
    _view, texts = words(formula="wrong", **settings)
    assert texts["measured"] == f"measured: {measured}"
    assert texts["apart"] == apart


@pytest.mark.parametrize("settings", [{"formula": "right"}, {"blocks": 1}])
def test_where_both_agree_no_difference_is_mentioned_and_the_words_are_stacked(settings):
    view, texts = words(**settings)
    assert texts["apart"] == ""
    assert {source.data["lift"][0] for name, source in view._words.items() if name != "apart"} == {-34, -16}
    assert view._gap.data["low"] == view._gap.data["high"]


def test_a_measured_zero_is_a_word_at_the_foot_and_no_size():
    view, texts = words(gain=-1.0, formula="wrong")
    assert texts["measured"] == "measured: 0"
    assert texts["apart"] == ""
    assert view._words["measured"].data["y"] == [view._figure.y_range.start]


def heights(view, kind):
    """Branches → height of its pile."""
    coins, piles = view._piles.coins[kind].data, {}
    for left, right, bottom, top in zip(*(coins[side] for side in ("left", "right", "bottom", "top")), strict=True):
        branches = round((left + right) / 2)
        piles[branches] = piles.get(branches, 0) + top - bottom
    return piles


def test_the_misread_formula_counts_two_paths_and_leaves_out_the_piles():
    simulation = SumFormula(gain=0.5, blocks=5, formula="wrong")
    view, _texts = words(gain=0.5, blocks=5, formula="wrong")
    counted, left_out = heights(view, "counted"), heights(view, "left out")
    assert counted == pytest.approx({0: 1.0, 5: 0.5**5})
    assert sum(left_out.values()) + sum(counted.values()) == pytest.approx(1.5**5)
    assert view._piles.marks.data["x"] == [0, 5]
    frame = simulation.compute()
    assert sum(counted.values()) == pytest.approx(frame.results["claimed"])
    assert np.sum(frame["piles"]) == pytest.approx(frame.results["measured"])


@pytest.mark.exhaustive
def test_a_low_pile_consists_of_single_coins():
    view, _texts = words(gain=0.5, blocks=5, formula="wrong")
    lefts = view._piles.coins["left out"].data["left"]
    assert [round(left + 0.42) for left in lefts].count(2) == 10
    many, _texts = words(gain=0.5, blocks=20, formula="wrong")
    assert len(many._piles.coins["left out"].data["left"]) <= 19 + 2 * COINS


def test_the_formula_counts_every_path():
    view, _texts = words(gain=0.5, blocks=20, formula="right")
    assert heights(view, "left out") == {}
    assert view._piles.marks.data["x"] == []
    assert view._piles.said["left out"].data["text"] == ["left out: none"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, ["counted: 2 of 2²⁰ paths, sum 1", "left out: all others, sum 3,324", "measured: 3,325"]),
        ({"blocks": 1}, ["counted: all 2 paths, sum 1.5", "left out: none", "measured: 1.5"]),
        ({"gain": 1.0, "blocks": 40, "formula": "right"}, ["counted: all 2⁴⁰ paths, sum 1.1 × 10¹²", "left out: none"]),
    ],
)
def test_the_words_say_how_many_paths_are_counted(settings, said):
    view, _texts = words(**settings)
    assert [source.data["text"][0] for source in view._piles.said.values()][: len(said)] == said


def test_paths_of_odd_length_go_down_where_the_gain_is_negative():
    view, _texts = words(gain=-0.5, blocks=20)
    assert view._piles.figure.y_range.start < 0
    coins = view._piles.coins["left out"].data
    for left, bottom in zip(coins["left"], coins["bottom"], strict=True):
        assert (bottom < 0) == (round(left + 0.42) % 2 == 1)
