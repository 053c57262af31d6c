"""What is seen at a moment is seen in Python and in the page alike; every moment lies in the data."""

import pytest
from bokeh.plotting import figure

from app.pictures.base.timed import Journey, Timed, Travelers, playable, straight


def test_a_row_is_seen_from_its_first_moment_to_its_last() -> None:
    rows = Timed("x", "text")
    for moment, expected in (
        (0, ["always"]),
        (2, ["always", "sometimes"]),
        (4, ["always", "sometimes"]),
        (5, ["always"]),
    ):
        rows.show([((1, "always"), 0, 7), ((2, "sometimes"), 2, 4)], moment, faint=0.2)
        assert rows.seen("text") == expected
    assert rows.source.data["alpha"] == [1.0, 0.2]


def test_a_row_may_have_an_opacity_of_its_own() -> None:
    rows = Timed("x", "bright")
    rows.show([((1, 0.3), 0, 7), ((2, 0.6), 2, 4)], 5, faint=0.1)
    assert rows.source.data["alpha"] == pytest.approx([0.3, 0.06])


def test_a_traveler_is_not_seen_before_somebody_plays() -> None:
    dots = Travelers()
    dots.show([Journey(straight(0, 0, 3, 6), 2, 0.1, 0.9, 9.0)])
    assert dots.source.data["alpha"] == [0.0]
    assert (dots.source.data["moment"], dots.source.data["begin"], dots.source.data["end"]) == ([2], [0.1], [0.9])


def test_equal_shares_of_a_straight_way_are_equally_long() -> None:
    x0, y0, x1, y1, *pulls = straight(0, 0, 3, 6)
    assert (x0, y0, x1, y1) == (0, 0, 3, 6)
    assert pulls == pytest.approx([1, 2, 2, 4])


def test_a_playable_figure_says_which_control_is_its_moment() -> None:
    picture, rows, dots = figure(), Timed("x"), Travelers()
    now = playable(picture, "moment", 7, [rows], [], [dots], "Play: once")
    (about,) = (tag["play"] for tag in picture.tags)
    assert about == {
        "parameter": "moment",
        "last": 7,
        "now": now,
        "timed": [rows.source],
        "arriving": [],
        "travelers": [dots.source],
        "words": "Play: once",
        "beat": 1300,
        "again": False,
    }
