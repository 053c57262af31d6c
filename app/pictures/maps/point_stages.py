"""Points after every block of a network, one small picture each: a press chooses one, and a frame marks it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, paint, plot, words
from app.pictures.base.screens import NARROW, WIDE, only_on
from app.pictures.base.timed import Timed
from app.pictures.maps.network_maps import MARKS

COLUMNS = {WIDE: 9, NARROW: 5}
"""Screen → small pictures in a row"""

ROW = {WIDE: 142, NARROW: 92}
"""Screen → height of a row in pixels"""

DOTS = {WIDE: (4.0, 5.0), NARROW: (3.2, 4.0)}
"""Screen → diameters in pixels of a circle and of a triangle, which look equally large"""

GAP, LABEL = 0.05, 0.2
"""Margin around a small picture, and room for its name below it, in widths and heights of its place"""

ABOVE = 34
"""Pixels for the title"""


class PointStages:
    """The same row of small pictures for both kinds of screens, where a phone has two rows. Created once."""

    def __init__(self, title: str, first: str, count: int, choose: Callable[[int], None]) -> None:
        """`first` names the first of `count` pictures; the others have numbers. `choose` gets the one pressed."""
        self._names = [first, *map(str, range(1, count))]
        self._choose = choose
        self.frames = {screen: Timed("left", "right", "bottom", "top") for screen in COLUMNS}
        """Screen → the frame around the picture of the present moment, which a player may move"""
        self.points: dict[str, Sequence[Any]] = {screen: [empty("x", "y") for _mark in MARKS[:2]] for screen in COLUMNS}
        """Screen → the points of both classes"""
        self.figures: list[LayoutDOM] = [self._row(screen, title) for screen in COLUMNS]

    def _row(self, screen: str, title: str) -> LayoutDOM:
        columns, count = COLUMNS[screen], len(self._names)
        rows = -(-count // columns)
        chart = plot(
            title, "", "", height=ABOVE + rows * ROW[screen], x_range=(0, columns), y_range=(-rows, 0), min_border=0
        )
        chart.axis.visible = False
        chart.grid.visible = False
        chart.styles = {"grid-column": "1 / -1"}
        boxes = [_box(at, columns) for at in range(count)]
        left, right, bottom, top = (list(sides) for sides in zip(*boxes, strict=True))
        ground = chart.quad(left, right, bottom, top, line_width=1)
        paint(ground, fill_color="wash", line_color="rule")
        middle = [(one + other) / 2 for one, other in zip(left, right, strict=True)]
        paint(chart.segment(middle, bottom, middle, top, line_width=1), line_color="edge")
        for (marker, color), size, source in zip(MARKS[:2], DOTS[screen], self.points[screen], strict=True):
            dots = chart.scatter("x", "y", source=source, size=size, marker=marker, line_color=None)
            paint(dots, fill_color=color)
        names = empty("x", "y", "text")
        names.data = {"x": middle, "y": [foot - LABEL / 2 for foot in bottom], "text": self._names}
        words(chart, names, "soft")
        frame = chart.quad(
            *("left", "right", "bottom", "top"),
            source=self.frames[screen].source,
            fill_color=None,
            line_width=2.5,
            line_alpha="alpha",
        )
        paint(frame, line_color="ink")
        chart.on_event(Tap, lambda event: self._on_press(event, columns))
        only_on(screen, chart)
        return chart

    def show(self, across: np.ndarray, upward: np.ndarray, classes: np.ndarray, chosen: int) -> None:
        """Show places from -1 to 1, (stages, points) each, of points of two `classes` (points,); frame one stage."""
        for screen, columns in COLUMNS.items():
            boxes = [_box(at, columns) for at in range(len(across))]
            self.frames[screen].show([(box, at, at) for at, box in enumerate(boxes)], chosen)
            left, right, bottom, top = np.array(boxes).T[:, :, None]
            x = (left + right) / 2 + 0.47 * (right - left) * across
            y = (bottom + top) / 2 + 0.46 * (top - bottom) * upward
            for name, source in enumerate(self.points[screen]):
                source.data = {
                    "x": np.round(x[:, classes == name].ravel(), 3),
                    "y": np.round(y[:, classes == name].ravel(), 3),
                }

    def _on_press(self, event: Any, columns: int) -> None:
        if isinstance(event.x, float | int) and isinstance(event.y, float | int):
            at = int(-event.y // 1) * columns + int(event.x // 1)
            if 0 <= event.x < columns and 0 <= at < len(self._names):
                self._choose(at)


def _box(at: int, columns: int) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of a small picture; its place is 1 wide and 1 high."""
    row, column = divmod(at, columns)
    return column + GAP, column + 1 - GAP, -row - 1 + LABEL, float(-row)
