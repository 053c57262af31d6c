"""Plots on paper: axes to draw into, and the actual curve."""

import re

import pytest

from app.pages.document.drawn_curve import YAxis, board
from app.pages.output.paper_plot import plot, ticks

DATA = {
    "across": {"label": "depth", "values": [2, 8, 56]},
    "up": {"label": "error", "from": 0, "to": 1, "format": "%"},
}


@pytest.mark.parametrize(
    ("up", "expected"),
    [
        (YAxis("e", 0, 1, "%", "", False), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (YAxis("e", -3, 4, "", "", False), [-2, 0, 2, 4]),
        (YAxis("e", 1e-3, 1e3, ".1e", "", True), [1e-3, 1e-1, 1e1, 1e3]),
        (YAxis("e", 2, 500, "", "", True), [10, 100]),
    ],
)
def test_lines_are_at_round_values(up: YAxis, expected: list[float]) -> None:
    assert ticks(up) == pytest.approx(expected)


def test_empty_axes_hold_no_answer() -> None:
    svg = plot(board(DATA, [0.5, 0.0, 0.9]), solved=False)
    assert "<path" not in svg
    assert "<circle" not in svg
    assert ">80%</text>" in svg
    assert ">56</text>" in svg


def test_the_solved_plot_has_every_measured_point_where_it_belongs() -> None:
    svg = plot(board(DATA, [1.0, None, 0.0]), solved=True)
    points = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)]
    ends = [float(end) for end in re.findall(r'class="up" x1="([\d.]+)"', svg)]
    lines = [float(height) for height in re.findall(r'class="across"[^>]* y1="([\d.]+)"', svg)]
    assert points == [(ends[0], lines[-1]), (ends[-1], lines[0])]


def test_a_plot_without_any_answer_yet_is_empty() -> None:
    assert "<path" not in plot(board(DATA, [None, None, None]), solved=True)
