"""Amounts in several lanes, block by block: the opacity of a cell shows the amount in its lane."""

from typing import Any

import numpy as np

from app.pictures.base.end_labels import END
from app.pictures.base.figures import empty, named_ticks, paint, plot, quiet_legend, words
from app.pictures.base.questions import known
from sims.contract.wording import number

LEAST = 0.04
"""Opacity of the fill of an empty cell"""

HIGH = 0.86
"""Height of a cell, in lanes"""

BEFORE = 1.5
"""Blocks of free space before the cells, for the sign of the drop"""

ROUNDING = 1e-9

KINDS = {
    "share": ("", "residual", " "),
    "negative": ("negative", "fourth", "/"),
    "beyond": ("past ±1", "failing", "x"),
}
"""Kind of an amount → its label in the legend, if it has one, its color and its hatching"""


class LaneTable:
    """One figure: a row per lane, the first on top, a column per block, and a number at the end of every row."""

    def __init__(self, title: str, x_label: str, height: int, room: int) -> None:
        """`room`: pixels right of the cells, for the numbers."""
        self.figure = plot(title, x_label, "", height=height, x_range=(0, 1), y_range=(0, 1))
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.min_border_right = room
        self.figure.grid.visible = False
        self.figure.yaxis.major_tick_line_color = None
        self.figure.yaxis.axis_line_color = None
        for axis in (self.figure.xaxis, self.figure.yaxis):
            named_ticks(axis, {})
        self._tracks = empty("x", "y", "width")
        tracks = self.figure.rect("x", "y", "width", HIGH, source=self._tracks, fill_alpha=0)
        paint(tracks, line_color="rule")
        self._cells = {}
        for kind, (label, color, hatch) in KINDS.items():
            source = self._cells[kind] = empty("x", "y", "strength")
            named: dict[str, Any] = {"legend_label": label} if label else {}
            cells = self.figure.rect(
                "x",
                "y",
                1.0,
                HIGH,
                source=source,
                fill_alpha="strength",
                line_color=None,
                hatch_pattern=hatch,
                hatch_alpha=0.0 if kind == "share" else 0.5,
                hatch_scale=6,
                **named,
            )
            paint(cells, fill_color=color, hatch_color="panel")
        quiet_legend(self.figure, columns=3)
        self._start, self._ends = empty("x", "y"), empty("x", "y", "text")
        start = self.figure.scatter("x", "y", source=self._start, marker="triangle", size=12, angle=-np.pi / 2)
        paint(start, fill_color="ink", line_color="panel")
        numbers = words(self.figure, self._ends, "ink", text_align="left", x_offset=7, level="overlay")
        numbers.tags = [END]
        known(self.figure, self._tracks, self._start)

    def show(self, amounts: np.ndarray, lane: int | None, full: float = 1.0) -> None:
        """Move the data: amounts (blocks + 1, lanes), all of which started in `lane`, or in no single one. The amount
        `full` fills a cell."""
        last, lanes = len(amounts) - 1, amounts.shape[1]
        self.figure.x_range.update(start=-BEFORE, end=last + 0.5)
        self.figure.y_range.update(start=0.4, end=lanes + 0.6)
        named_ticks(self.figure.xaxis, {float(at): str(at) for at in range(0, last + 1, max(last // 4, 1))})
        named_ticks(self.figure.yaxis, {float(lanes - at): f"lane {at + 1}" for at in range(lanes)})
        self._tracks.data = {"x": [last / 2] * lanes, "y": list(range(1, lanes + 1)), "width": [last + 1] * lanes}
        # The fullest cell comes first, because a legend looks like the first cell of its kind.
        places, rows = np.unravel_index(np.argsort(-np.abs(amounts), axis=None, kind="stable"), amounts.shape)
        values = amounts[places, rows]
        # Rounding can push a share slightly over 1 or below 0: only values beyond rounding count as outside.
        beyond, negative = np.abs(values) > full + ROUNDING, values < -ROUNDING
        kinds = {"share": ~beyond & ~negative, "negative": ~beyond & negative, "beyond": beyond}
        items: Any = self.figure.legend[0].items
        for item, kind in zip(items, ("negative", "beyond"), strict=True):
            item.visible = bool(kinds[kind].any())
        for kind, mask in kinds.items():
            self._cells[kind].data = {
                "x": places[mask],
                "y": lanes - rows[mask],
                "strength": np.clip(np.abs(values[mask]) / full, LEAST, 1),
            }
        at_start = [] if lane is None else [lane]
        self._start.data = {"x": [-1.0] * len(at_start), "y": [lanes - at for at in at_start]}
        self._ends.data = {
            "x": [last + 0.5] * lanes,
            "y": [lanes - at for at in range(lanes)],
            "text": [number(float(amount), 2) if abs(amount) > ROUNDING else "0" for amount in amounts[-1]],
        }
