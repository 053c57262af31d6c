"""Two groups of three bars: the cost of the branches, and the cost of the shortcuts on top; and a strip of all blocks,
with the parameters of both as areas."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.figures import empty, named_ticks, paint, plot, quiet_legend
from app.pictures.base.questions import guessed_here, known
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number, percent
from sims.simulations.shortcuts.projection import Projection

ROWS = (2, 1, 0)
"""Heights of the bars, with the first option on top"""

BRANCHES, FARTHEST, BEYOND = -100, 155.0, 1.02
"""Percent at which bars begin, so that the shortcuts begin at 0; least end of the axis, which must not tell how far the
bars go; and its end relative to the longest one"""

TICKS: Mapping[float, str] = {0: "0", 50: "+50%", 100: "+100%"}

ABOVE = 0.24
"""Rows from the middle of a bar to the words above it"""

LABELS = ("A: zeros", "B: where\nshapes change", "C:\neverywhere")
"""The options, as labels of their bars"""

AREAS = {
    "branch": ("residual", 1.0, "branch"),
    "changes": ("plain", 1.0, "projection in B and C"),
    "same": ("plain", 0.7, "only in C"),
}
"""Area of the strip → its color, opacity and words in the legend"""

STRIP, HIGHEST = 150, 2.05
"""Height of the strip in pixels, and the end of its axis, in branches: a projection is at most about as large as one"""

SCALES = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


class ProjectionView(View[Projection]):
    """Bars and a strip, with the branches in blue and the shortcuts in orange."""

    def draw(self) -> list[LayoutDOM]:
        self._bars = {
            quantity: _Bars(title)
            for quantity, title in (("parameters", "Parameters"), ("products", "Multiplications for one image"))
        }
        guessed_here(self._bars["parameters"].figure)
        self._strip = _Strip("Every block: area is parameters")
        return [*(bars.figure for bars in self._bars.values()), self._strip.figure]

    def update(self, frame: Frame) -> None:
        self._strip.show(frame["block_branch"], frame["block_shortcut"], frame["block_changes"] > 0)
        for quantity, bars in self._bars.items():
            bars.show(frame[f"branch_{quantity}"], frame[f"shortcut_{quantity}"])


class _Bars:
    """One bar for each option."""

    def __init__(self, title: str) -> None:
        chart: figure = plot(
            title, "on top of the branches", "", height=280, x_range=(BRANCHES, FARTHEST), y_range=(-0.4, 2.7)
        )
        self.figure = chart
        chart.ygrid.visible = False
        named_ticks(chart.xaxis, TICKS)
        chart.yaxis.major_tick_line_color = None
        chart.yaxis.axis_line_color = None
        named_ticks(chart.yaxis, dict(zip(ROWS, LABELS, strict=True)))
        self._parts = {}
        for part, color in (("branch", "residual"), ("shortcut", "plain")):
            source = self._parts[part] = empty("y", "left", "right")
            bars = chart.hbar("y", 0.36, "right", "left", source=source, line_color=None)
            paint(bars, fill_color=color)
        self._base, self._words = empty("x", "y", "text"), empty("x", "y", "text")
        for source in (self._base, self._words):
            words = chart.text("x", "y", "text", source=source, text_font_size="13px", text_baseline="bottom")
            paint(words, text_color="ink")
        known(chart, self._parts["branch"], self._base)

    def show(self, branches: np.ndarray, shortcuts: np.ndarray) -> None:
        """Move the bars; both arrays are (options,)."""
        ends, zeros, added = branches + shortcuts, np.zeros(len(ROWS)), 100 * shortcuts / branches
        rows = {"y": list(ROWS)}
        self._parts["branch"].data = rows | {"left": zeros + BRANCHES, "right": zeros}
        self._parts["shortcut"].data = rows | {"left": zeros, "right": added}
        words = [
            f"{short(end)}, +{percent(extra / branch)}" if extra else f"{short(end)}"
            for branch, extra, end in zip(branches.tolist(), shortcuts.tolist(), ends.tolist(), strict=True)
        ]
        labels = list(zip(ROWS, words, strict=True))
        for source, rows_of in ((self._base, labels[:1]), (self._words, labels[1:])):
            source.data = {
                "x": [BRANCHES] * len(rows_of),
                "y": [row + ABOVE for row, _text in rows_of],
                "text": [text for _row, text in rows_of],
            }
        axes: Any = self.figure
        axes.x_range.update(end=max(FARTHEST, BEYOND * float(added.max())))


class _Strip:
    """A column for each block: its branch below, and above it a projection, full where the shape changes."""

    def __init__(self, title: str) -> None:
        self.figure = plot(
            title, "blocks, from input to output", "", height=STRIP, x_range=(0, 1), y_range=(0, HIGHEST)
        )
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.update(frame_align=False)
        self.figure.grid.visible = False
        self.figure.yaxis.visible = False
        named_ticks(self.figure.xaxis, {})
        self._areas = {}
        for part, (color, strength, label) in AREAS.items():
            source = self._areas[part] = empty("left", "right", "bottom", "top")
            areas = self.figure.quad(
                "left",
                "right",
                "bottom",
                "top",
                source=source,
                fill_alpha=strength,
                line_width=0.5,
                legend_label=label,
            )
            paint(areas, fill_color=color, line_color="panel")
        quiet_legend(self.figure, len(AREAS))
        known(self.figure, self._areas["branch"])

    def show(self, branches: np.ndarray, shortcuts: np.ndarray, changes: np.ndarray) -> None:
        """Move the data, all of it (blocks,): parameters of the branches and of the shortcuts, and whether a block
        changes the shape."""
        rights = np.cumsum(branches)
        lefts, tops = rights - branches, 1 + shortcuts / branches
        for part, mask in (("branch", branches > 0), ("changes", changes), ("same", ~changes)):
            self._areas[part].data = {
                "left": lefts[mask],
                "right": rights[mask],
                "bottom": np.full(mask.sum(), 0.0 if part == "branch" else 1.0),
                "top": np.ones(mask.sum()) if part == "branch" else tops[mask],
            }
        axis: Any = self.figure.x_range
        axis.update(end=int(rights[-1]))


def short(value: float) -> str:
    """A large count in words."""
    scale, word = next(((scale, word) for scale, word in SCALES if value >= scale), (1, ""))
    return f"{number(value / scale)} {word}".strip()
