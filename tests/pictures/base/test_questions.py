"""What stays in a picture before its prediction, and the line for the reader's curve."""

from typing import Literal

import pytest

from app.pictures.base.figures import empty, plot
from app.pictures.base.questions import (
    HEIGHT,
    WIDTH,
    chosen_here,
    drawn_here,
    guessed_here,
    is_result,
    known,
    ranked_here,
    until_answered,
)


def test_known_marks_are_tagged_by_source_by_mark_or_all() -> None:
    chart = plot("", "", "")
    shared, other = empty("x", "y"), empty("x", "y")
    first, second = (chart.line("x", "y", source=shared) for _ in range(2))
    third = chart.line("x", "y", source=other)
    known(chart, other)
    assert ["known" in mark.tags for mark in (first, second, third)] == [False, False, True]
    known(chart, first)
    assert ["known" in mark.tags for mark in (first, second, third)] == [True, False, True]
    known(chart)
    assert all("known" in mark.tags for mark in chart.renderers)


def test_what_waits_for_an_answer_is_hidden_until_the_page_shows_it() -> None:
    chart = plot("", "", "")
    waiting, other = empty("x", "y"), empty("x", "y")
    marks = [chart.line("x", "y", source=source) for source in (waiting, other)]
    until_answered(chart, waiting)
    assert [(mark.tags, mark.visible) for mark in marks] == [(["unanswered"], False), ([], True)]


def test_an_axis_of_results_is_tagged() -> None:
    chart = plot("", "", "")
    is_result(chart.yaxis[0])
    assert chart.yaxis[0].tags == ["result"]
    assert not chart.xaxis[0].tags


def test_a_drawn_curve_has_an_empty_line_that_is_no_result() -> None:
    chart = plot("", "", "")
    drawn_here(chart)
    (tag,) = chart.tags
    assert tag["drawn"]["line"] is chart.renderers[0].data_source
    assert tag["drawn"]["line"].data == {"x": [], "y": []}
    assert tag["drawn"]["name"].data == {"x": [], "y": [], "text": []}
    assert all("known" in mark.tags for mark in chart.renderers)


@pytest.mark.parametrize(("axis", "others", "name"), [("x", "extra_y_ranges", HEIGHT), ("y", "extra_x_ranges", WIDTH)])
def test_a_number_has_lines_across_its_axis_that_are_no_results(
    axis: Literal["x", "y"], others: str, name: str
) -> None:
    chart = plot("", "", "")
    guessed_here(chart, axis)
    (tag,) = chart.tags
    assert tag["axis"] == axis
    assert set(tag["guessed"]) == {"guess", "truth"}
    assert list(getattr(chart, others)) == [name]
    assert all("known" in mark.tags for mark in chart.renderers)


def test_rows_that_are_put_in_order_add_nothing_to_the_picture() -> None:
    chart = plot("", "", "")
    ranked_here(chart)
    assert chart.tags == [{"ranked": True}]
    assert not chart.renderers


def test_a_row_that_is_chosen_has_an_empty_outline_that_is_no_result() -> None:
    chart = plot("", "", "")
    chosen_here(chart)
    (tag,) = chart.tags
    assert all(mark.data_source is tag["chosen"] and "known" in mark.tags for mark in chart.renderers)
    assert set(map(len, tag["chosen"].data.values())) == {0}
