"""A line's code, and its tensors as heat maps in rows."""

import numpy as np

from app.pictures.base.questions import KNOWN, UNANSWERED
from app.pictures.maps.line_tensors import CHECK, LEFT, LONGEST, LineCode, LineTensors, Map, verdict

ONES = np.ones((4, 8))
ROWS = {
    1: [("reads", [Map("x", ONES)]), ("writes", [Map("y", -ONES / 2, right=False)])],
    2: [("adds", [Map("x", ONES), Map("y", ONES, "+")]), ("check", [Map("z", ONES, under=1)])],
}


def drawn(moment):
    figure = LineTensors("A line")
    figure.show(moment, ROWS)
    return figure


def early(figure):
    """The rows that are visible before the prediction."""
    shown = {id(mark.data_source) for mark in figure.figure.renderers if {KNOWN, UNANSWERED} & {*mark.tags}}
    return [rows for rows in figure.timed if id(rows.source) in shown]


def test_only_the_present_moment_is_seen():
    figure = drawn(2)
    assert figure._heads.seen("text") == ["adds", "check"]
    assert figure._words.seen("text") == ["x", "+", "y"]
    assert figure._verdicts.seen("text") == ["z"]
    assert drawn(1)._frames[False].seen("l") == [LEFT]
    assert [float(image[0, 0]) for image in drawn(1)._images.seen("image")] == [1.0, -0.5]


def test_before_the_prediction_there_are_no_checks_and_no_word_of_what_a_line_does():
    figure = drawn(2)
    assert early(figure) == [figure._frames[None], figure._words, figure._early_heads]
    assert figure._frames[None].seen("l") == figure._images.seen("x")[:-1]
    assert figure._frames[CHECK].seen("l") == figure._images.seen("x")[-1:]
    assert figure._early_heads.seen("text") == ["writes"]


def test_the_code_is_broken_for_phones_and_hidden_before_the_prediction():
    figure = LineCode("A line")
    figure.show(2, {1: ("line 1", "copies", []), 2: ("line 2", "adds", ["one, " * 9 + "two"])})
    parts = figure._code.seen("text")
    assert len(parts) == 2
    assert max(map(len, parts)) <= LONGEST
    assert figure._heads.seen("text") == ["adds"]
    assert early(figure) == [figure._early_heads]
    assert figure._early_heads.seen("text") == ["line 2"]


def test_a_check_is_below_what_it_checks():
    _first, second, check = drawn(2)._images.seen("x")
    assert check == second


def test_a_verdict_has_a_sign_and_a_number():
    assert verdict(3e-11, 1e-6) == "● <10⁻¹⁰"
    assert verdict(0.83, 1e-6) == "▲ 0.8"
    assert verdict(0.0, 1e-6) == "● 0"
