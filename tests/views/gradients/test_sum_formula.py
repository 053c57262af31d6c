"""The two readings of the formula: named beside their signs, with how far apart they are."""

import pytest

from app.views.gradients.sum_formula import SumFormulaView
from sims.simulations.gradients.sum_formula import SumFormula


def words(**settings):
    simulation = SumFormula(**settings)
    view = SumFormulaView(simulation)
    view.figures()
    view.update(simulation.compute())
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
def test_where_both_agree_nothing_is_said_to_be_apart_and_the_words_stand_one_above_the_other(settings):
    view, texts = words(**settings)
    assert texts["apart"] == ""
    assert {source.data["lift"][0] for name, source in view._words.items() if name != "apart"} == {-34, -16}
    assert view._gap.data["low"] == view._gap.data["high"]


def test_a_measured_zero_is_a_word_at_the_foot_and_no_size():
    view, texts = words(gain=-1.0, formula="wrong")
    assert texts["measured"] == "measured: 0"
    assert texts["apart"] == ""
    assert view._words["measured"].data["y"] == [view._figure.y_range.start]
