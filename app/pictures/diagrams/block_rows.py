"""A row of blocks for each of several networks: select one, and the loss in accuracy without it appears on the
right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LinearAxis

from app.pictures.base.figures import empty, hover, ink, named_ticks, paint, plot
from app.pictures.base.questions import is_result, known, ranked_here
from sims.contract.wording import percent

ROW, AROUND = 42, 62
"""Height of a row, and of everything around the rows, in pixels"""

READOUT = 92
"""Pixels right of the rows for the numbers, reserved so that the rows do not move"""

FOOT, HEAD, GAP = 0.12, 0.88, 0.08
"""Start and end of the blocks within a row; and the gap between blocks, in blocks"""


@dataclass(frozen=True)
class Row:
    """A network: its label and color, and the error, 0 to 1, of the whole network and without each block."""

    label: str
    color: str
    whole: float
    without: np.ndarray


class BlockRows:
    """The figure, created once; `show` moves its data. `touched(block)` is called with a block, counted from 1."""

    def __init__(
        self, title: str, x_label: str, colors: Sequence[str], rows: int, touched: Callable[[int], None]
    ) -> None:
        self.figure = plot(title, x_label, "", x_range=(0.5, 1.5), y_range=(0, rows), height=AROUND + ROW * rows)
        self.figure.grid.visible = False
        self._readout = LinearAxis()
        ink(self._readout, major_label_text_color="ink")
        self.figure.add_layout(self._readout, "right")
        for axis in self.figure.yaxis:
            axis.update(axis_line_alpha=0, major_tick_in=0, major_tick_out=0, major_label_standoff=6)
        sides: list[Any] = [self.figure.left, [self._readout]]
        for side in sides:
            named_ticks(side, {})
        self.figure.update(min_border_right=READOUT)
        self._streams, self._boxes = empty("y", "end"), empty("left", "right", "bottom", "top", "what")
        stream = self.figure.segment(0.5, "y", "end", "y", source=self._streams, line_width=2)
        paint(stream, line_color="edge")
        box = self.figure.quad("left", "right", "top", "bottom", source=self._boxes, line_width=1)
        paint(box, fill_color="panel", line_color="edge")
        self._losses = {}
        for color in dict.fromkeys(colors):
            source = self._losses[color] = empty("left", "right", "bottom", "top")
            loss = self.figure.quad("left", "right", "top", "bottom", source=source, line_color=None)
            paint(loss, fill_color=color)
        self._out = empty("left", "right", "bottom", "top", "x", "y")
        out = self.figure.quad(
            "left", "right", "top", "bottom", source=self._out, line_width=2.5, line_dash=[4, 3], fill_alpha=0.4
        )
        paint(out, fill_color="paper", line_color="ink")
        cross = self.figure.scatter("x", "y", source=self._out, marker="x", size=11, line_width=2.5)
        paint(cross, line_color="ink")
        hover(self.figure, [("", "@what")], renderers=[box])
        is_result(self._readout)
        ranked_here(self.figure)
        known(self.figure, self._streams, self._boxes)
        self._blocks = 0

        def clicked(event: Any) -> None:
            if isinstance(event.x, float | int) and 0.5 <= event.x < self._blocks + 0.5:
                touched(int(event.x + 0.5))

        self.figure.on_event(Tap, clicked)

    def show(self, rows: Sequence[Row], out: int, measured: bool) -> None:
        """Move the data; the first row is on top, and block `out` (0: none) of every row is knocked out.

        Until something is `measured`, no numbers are shown.
        """
        blocks = self._blocks = len(rows[0].without)
        self.figure.x_range.update(start=0.5, end=blocks + 0.5)
        feet = [len(rows) - 1 - row for row in range(len(rows))]
        named_ticks(self.figure.left, {foot + 0.5: row.label for foot, row in zip(feet, rows, strict=True)})
        readouts = [self._error_text(row, out) if measured else "not trained yet" for row in rows]
        named_ticks([self._readout], {foot + 0.5: text for foot, text in zip(feet, readouts, strict=True)})
        self._streams.data = {"y": [foot + 0.5 for foot in feet], "end": [blocks + 0.5] * len(rows)}
        places = np.arange(1, blocks + 1)
        left, right = places - 0.5 + GAP, places + 0.5 - GAP
        self._boxes.data = {
            "left": np.tile(left, len(rows)),
            "right": np.tile(right, len(rows)),
            "bottom": np.repeat(np.array(feet) + FOOT, blocks),
            "top": np.repeat(np.array(feet) + HEAD, blocks),
            "what": [
                f"{row.label}, without block {block}: {share(error) if measured else 'not trained yet'}".replace(
                    "\n", " "
                )
                for row in rows
                for block, error in zip(places.tolist(), row.without.tolist(), strict=True)
            ],
        }
        for color, source in self._losses.items():
            mine = [(foot, row) for foot, row in zip(feet, rows, strict=True) if row.color == color and measured]
            tops = [foot + FOOT + np.clip(row.without, 0, 1) * (HEAD - FOOT) for foot, row in mine]
            source.data = {
                "left": np.tile(left, len(mine)),
                "right": np.tile(right, len(mine)),
                "bottom": np.repeat([foot + FOOT for foot, _ in mine], blocks),
                "top": np.concatenate([np.empty(0), *tops]),
            }
        removed = feet if 1 <= out <= blocks else []
        self._out.data = {
            "left": [out - 0.5 + GAP] * len(removed),
            "right": [out + 0.5 - GAP] * len(removed),
            "bottom": [foot + FOOT for foot in removed],
            "top": [foot + HEAD for foot in removed],
            "x": [out] * len(removed),
            "y": [foot + 0.5 for foot in removed],
        }

    @staticmethod
    def _error_text(row: Row, out: int) -> str:
        if not 1 <= out <= len(row.without):
            return f"{share(row.whole)} wrong"
        return f"{share(row.whole)} → {share(float(row.without[out - 1]))}"


def share(error: float) -> str:
    """An error as a percentage; exactly zero is 0%."""
    return percent(error) if error else "0%"
