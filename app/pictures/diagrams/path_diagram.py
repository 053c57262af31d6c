"""A picture of all paths through the blocks of a residual network: a row per length, a line for every prefix of a
path."""

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import Range1d

from app.pictures.base.dragging import snap
from app.pictures.base.figures import empty, hover, named_ticks, paint, plot
from app.pictures.base.questions import known
from sims.contract.frame import Frame
from sims.contract.wording import number

SUMS = 0.8
"""Width of the part with the sums, relative to the part with the paths."""

REACH = 0.5
"""Share of that part that the bars may fill; the rest is for the numbers at their ends."""

BUNDLE, APART = 0.74, 0.13
"""Maximum height of a row's bundle of lines, and maximum distance between two lines, in rows."""

THICKEST, THINNEST = 9.0, 0.5
"""Width in pixels of the line with the largest weight, and of one with almost none."""

FAINTEST = 0.16
"""Opacity of the lightest line."""

KINDS: dict[str, tuple[str, str | list[int]]] = {
    "positive": ("residual", "solid"),
    "negative": ("fourth", [5, 3]),
    "none": ("zero", [1, 4]),
}
"""Sign of a weight → color and dash of its lines."""

GAINS, PATHS = 140, 282
"""Heights of the two figures in pixels, for any number of rows"""

SIDES: dict[str, Any] = {"min_border_left": 72, "min_border_right": 4}
"""The same for both figures, so that the gains are above their blocks"""

COLUMNS = ("x0", "y0", "x1", "y1", "c0", "c1")


class Routes(NamedTuple):
    """The positions of the lines for all prefixes of paths, in the order of `path_sums.path_weights`."""

    x0: np.ndarray
    y0: np.ndarray
    x1: np.ndarray
    y1: np.ndarray
    blocks: np.ndarray
    """number of blocks in each prefix"""
    branches: np.ndarray
    """number of branches in each prefix"""


@cache
def routes(blocks: int) -> Routes:
    """A prefix with k branches is in row k; within a row, the one that came down last is lowest."""
    heights, lengths = [np.zeros(1)], [np.zeros(1, int)]
    orders = [np.zeros(1, int)]
    largest = dict.fromkeys(range(blocks + 1), 1)
    for _ in range(blocks):
        length = np.repeat(lengths[-1], 2) + np.tile([0, 1], len(lengths[-1]))
        before, came = np.repeat(orders[-1], 2), np.tile([0, 1], len(lengths[-1]))
        order = np.empty(len(length), int)
        for row in range(length.max() + 1):
            members = np.flatnonzero(length == row)
            order[members[np.lexsort((before[members], came[members]))]] = np.arange(len(members))
            largest[row] = max(largest[row], len(members))
        lengths.append(length)
        orders.append(order)
    for length, order in zip(lengths[1:], orders[1:], strict=True):
        sizes = np.bincount(length)
        step = np.array([min(APART, BUNDLE / largest[row]) for row in length])
        heights.append(length + (order - (sizes[length] - 1) / 2) * step)
    return Routes(
        x0=np.concatenate([np.full(2 ** (at + 1), float(at)) for at in range(blocks)]),
        y0=np.concatenate([np.repeat(height, 2) for height in heights[:-1]]),
        x1=np.concatenate([np.full(2 ** (at + 1), at + 1.0) for at in range(blocks)]),
        y1=np.concatenate(heights[1:]),
        blocks=np.concatenate([np.full(2 ** (at + 1), at + 1) for at in range(blocks)]),
        branches=np.concatenate(lengths[1:]),
    )


class PathDiagram:
    """Two figures: the gains, which can be dragged, and below them the paths with the sums of their rows."""

    def __init__(self, lowest: float, highest: float, dragged: Callable[[int, float], None]) -> None:
        """`dragged(block, gain)` is called with the block (from 0) and the gain at the reader's pointer."""
        self._x = Range1d(start=0, end=1)
        self.gains = plot(
            "Gain of each branch: drag it",
            "",
            "gain",
            height=GAINS,
            x_range=self._x,
            y_range=(lowest - 0.15, highest + 0.15),
            **SIDES,
        )
        self.paths = plot(
            "All paths, a row for each length",
            "block",
            "branches (paths)",
            height=PATHS,
            x_range=self._x,
            y_range=(1, 0),
            **SIDES,
        )
        for axis in (self.paths.xaxis, self.paths.yaxis, self.gains.xaxis):
            named_ticks(axis, {})
        self._draw_gains(lowest, highest, dragged)
        self._draw_paths()
        self._blocks = 0

    def _draw_gains(self, lowest: float, highest: float, dragged: Callable[[int, float], None]) -> None:
        figure = self.gains
        self._levels = empty("end")
        for level, dash in ((0.0, "solid"), (-1.0, [4, 4]), (-2.0, [1, 4])):
            line = figure.segment(0, level, "end", level, source=self._levels, line_width=1, line_dash=dash)
            paint(line, line_color="edge")
        self._stems = empty("x", "y", "block", "gain")
        stem = figure.segment("x", 0, "x", "y", source=self._stems, line_width=3)
        dot = figure.scatter("x", "y", source=self._stems, size=15, line_width=2)
        paint(stem, line_color="residual")
        paint(dot, fill_color="residual", line_color="paper")
        self._readings = empty("x", "y", "text")
        reading = figure.text(
            "x", "y", "text", source=self._readings, text_font_size="13px", text_baseline="middle", x_offset=2
        )
        paint(reading, text_color="ink")
        known(figure, self._levels, self._stems)
        named_ticks(figure.yaxis, {1: "1", 0: "0", -1: "−1", -2: "−2"})
        figure.ygrid.visible = False
        self._held: int | None = None

        def pressed(event: Any) -> None:
            self._held = self._block_at(event.x)
            moved(event)

        def moved(event: Any) -> None:
            if self._held is not None and isinstance(event.y, float | int) and math.isfinite(event.y):
                dragged(self._held, snap(event.y, lowest, highest))

        for event_type, callback in ((PanStart, pressed), (Tap, pressed), (Pan, moved)):
            figure.on_event(event_type, callback)

    def _block_at(self, x: float | None) -> int | None:
        """The block whose gain a pointer is over; None if there is none."""
        return int(x) if isinstance(x, float | int) and 0 <= x < self._blocks else None

    def _draw_paths(self) -> None:
        figure = self.paths
        figure.ygrid.visible = False
        self._lines = {kind: empty(*COLUMNS, "width", "alpha") for kind in KINDS}
        for kind, (color, dash) in KINDS.items():
            line = figure.bezier(
                x0="x0",
                y0="y0",
                x1="x1",
                y1="y1",
                cx0="c0",
                cy0="y0",
                cx1="c1",
                cy1="y1",
                source=self._lines[kind],
                line_width="width",
                line_alpha="alpha",
                line_dash=dash,
                line_cap="butt",
            )
            paint(line, line_color=color)
        self._ends = empty("x", "y", "text")
        self._bars = {kind: empty("y", "left", "right", "count", "sum") for kind in ("positive", "negative")}
        bars = []
        for kind, source in self._bars.items():
            bar = figure.hbar("y", height=0.56, left="left", right="right", source=source, line_color=None)
            paint(bar, fill_color=KINDS[kind][0])
            bars.append(bar)
        hover(figure, [("paths", "@count"), ("their sum", "@sum")], renderers=bars)
        self._zero = empty("x", "y")
        foot = figure.line("x", "y", source=self._zero, line_width=1)
        paint(foot, line_color="edge")
        text = figure.text(
            "x", "y", "text", source=self._ends, text_font_size="13px", text_baseline="middle", x_offset=5
        )
        paint(text, text_color="ink")
        known(figure, self._zero, *self._lines.values())

    def show(self, frame: Frame, readings: list[str]) -> None:
        """Move the data. `readings` are texts next to the gains, from the top."""
        gains, sums, counts = frame["gains"], frame["sums"], frame["counts"]
        blocks = len(gains)
        if blocks != self._blocks:
            self._resize(blocks)
        self._show_lines(frame["beginnings"])
        self._stems.data = {
            "x": np.arange(blocks) + 0.5,
            "y": gains,
            "block": np.arange(blocks) + 1,
            "gain": gains,
        }
        left = blocks * (1 + SUMS * 0.04)
        self._readings.data = {
            "x": [left] * len(readings),
            "y": np.linspace(1.1, -2.1, len(readings)),
            "text": readings,
        }
        self._show_sums(sums, counts)

    def _resize(self, blocks: int) -> None:
        self._blocks = blocks
        self._x.update(start=-0.12, end=blocks * (1 + SUMS))
        self.paths.y_range.update(start=blocks + 0.75, end=-0.75)
        named_ticks(self.paths.xaxis, {at + 0.5: str(at + 1) for at in range(blocks)})
        named_ticks(
            self.paths.yaxis, {0: "direct", **{k: f"{k} ({math.comb(blocks, k)})" for k in range(1, blocks + 1)}}
        )
        named_ticks(self.gains.xaxis, {at + 0.5: str(at + 1) for at in range(blocks)})
        self._levels.data = {"end": [blocks]}
        way = routes(blocks)
        fixed = {
            "x0": way.x0,
            "y0": way.y0,
            "x1": way.x1,
            "y1": way.y1,
            "c0": way.x0 + 0.55,
            "c1": way.x1 - 0.55,
        }
        nothing = np.zeros(len(way.x0), np.float32)
        self._visible: set[str] = set()
        for source in self._lines.values():
            source.data = {**fixed, "width": nothing, "alpha": nothing}

    def _show_lines(self, weights: np.ndarray) -> None:
        size = np.abs(weights)
        share = size / max(1.0, float(size.max()))
        width = THINNEST + (THICKEST - THINNEST) * share
        alpha = FAINTEST + (1 - FAINTEST) * np.sqrt(share)
        chosen = {"positive": weights > 0, "negative": weights < 0, "none": weights == 0}
        for kind, source in self._lines.items():
            if not chosen[kind].any() and kind not in self._visible:
                continue
            # Send only the two columns that change to the browser.
            width_of, alpha_of = (np.where(chosen[kind], values, 0).astype(np.float32) for values in (width, alpha))
            source.data.update(width=width_of, alpha=alpha_of)
        self._visible = {kind for kind, which in chosen.items() if which.any()}

    def _show_sums(self, sums: np.ndarray, counts: np.ndarray) -> None:
        blocks = self._blocks
        low, high = min(0.0, float(sums.min())), max(1.0, float(sums.max()))
        room = blocks * SUMS
        foot = blocks + room * (0.06 + REACH * -low / (high - low))
        scale = room * REACH / (high - low)
        for kind, source in self._bars.items():
            rows = np.flatnonzero(sums > 0 if kind == "positive" else sums < 0)
            ends = foot + scale * sums[rows]
            source.data = {
                "y": rows,
                "left": np.minimum(ends, foot),
                "right": np.maximum(ends, foot),
                "count": [number(counts[row]) for row in rows],
                "sum": [number(float(sums[row]), 6) for row in rows],
            }
        self._zero.data = {"x": [foot, foot], "y": [-0.5, blocks + 0.5]}
        self._ends.data = {
            "x": np.maximum(foot + scale * sums, foot),
            "y": np.arange(len(sums)),
            "text": [number(float(value)) for value in sums],
        }
