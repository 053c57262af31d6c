"""Two groups of three bars: the cost of the branches, and the cost of the shortcuts on top."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.figures import empty, named_ticks, paint, plot
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number, percent
from sims.simulations.shortcuts.projection import Projection

ROWS = (2, 1, 0)
"""Heights of the bars, with the first option on top"""

BEYOND = 1.02
"""Length of the axis relative to the longest bar"""

ABOVE = 0.24
"""Rows from the middle of a bar to the words above it"""

LABELS = ("A: zeros", "B: where\nshapes change", "C:\neverywhere")
"""The options, as labels of their bars"""

SCALES = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


class ProjectionView(View[Projection]):
    """Bars that start with the branches in blue and end with the shortcuts in orange."""

    def draw(self) -> list[LayoutDOM]:
        self._bars = {
            quantity: _Bars(title)
            for quantity, title in (("parameters", "Parameters"), ("products", "Multiplications for one image"))
        }
        return [bars.figure for bars in self._bars.values()]

    def update(self, frame: Frame) -> None:
        for quantity, bars in self._bars.items():
            bars.show(frame[f"branch_{quantity}"], frame[f"shortcut_{quantity}"])


class _Bars:
    """One bar for each option."""

    def __init__(self, title: str) -> None:
        chart: figure = plot(title, "", "", height=250, x_range=(0, 1), y_range=(-0.4, 2.7))
        self.figure = chart
        chart.ygrid.visible = False
        chart.xaxis.visible = False
        chart.yaxis.major_tick_line_color = None
        chart.yaxis.axis_line_color = None
        named_ticks(chart.yaxis, dict(zip(ROWS, LABELS, strict=True)))
        self._parts = {}
        for part, color in (("branch", "residual"), ("shortcut", "plain")):
            source = self._parts[part] = empty("y", "left", "right")
            bars = chart.hbar("y", 0.36, "right", "left", source=source, line_color=None)
            paint(bars, fill_color=color)
        self._words = empty("x", "y", "text")
        words = chart.text("x", "y", "text", source=self._words, text_font_size="13px", text_baseline="bottom")
        paint(words, text_color="ink")

    def show(self, branches: np.ndarray, shortcuts: np.ndarray) -> None:
        """Move the bars; both arrays are (options,)."""
        ends = branches + shortcuts
        rows = {"y": list(ROWS)}
        self._parts["branch"].data = rows | {"left": np.zeros(len(ROWS)), "right": branches}
        self._parts["shortcut"].data = rows | {"left": branches, "right": ends}
        words = [
            f"{short(end)}, +{percent(extra / branch)}" if extra else f"{short(end)}"
            for branch, extra, end in zip(branches.tolist(), shortcuts.tolist(), ends.tolist(), strict=True)
        ]
        self._words.data = {"x": [0] * len(ROWS), "y": [row + ABOVE for row in ROWS], "text": words}
        axes: Any = self.figure
        axes.x_range.update(end=BEYOND * float(ends.max()))


def short(value: float) -> str:
    """A large count in words."""
    scale, word = next(((scale, word) for scale, word in SCALES if value >= scale), (1, ""))
    return f"{number(value / scale)} {word}".strip()
