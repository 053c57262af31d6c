"""Earlier outputs as arrows, a query to drag, and the resulting weights."""

from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.dragging import Throttle
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import empty, paint, plot, quiet_legend, ticks_at, words
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number, percent
from sims.instruments.stacks.depth_lookback import MOST_OUTPUTS
from sims.simulations.wiring.depth_attention import FAR, DepthAttention

RESULTS = {
    "sum": ("sum", "residual", "solid"),
    "mean": ("mean", "fourth", "solid"),
    "attended": ("weighted mean", "accent", "dashed"),
}
"""The possible inputs of the next block → name, color and dash"""

LINES = {"sum": (3.2, 1.0), "mean": (8.0, 0.8), "attended": (3.2, 1.0)}
"""Result → width and opacity of its line: the weighted mean, drawn last, is visible on top of the mean where they
coincide"""

TIPS = {"sum": 10, "mean": 17, "attended": 9}
"""Result → side of the square at its end in pixels"""

SQUARE = 0.87
"""Width of the plane over its height, title and legend included, which makes the plane itself a square"""

LOW, TALLEST = 222, 500
"""Height in pixels of the bars on a phone, where they are below the plane, and the largest on a wide window, which is
about that of the plane"""

THIN, THICK = 2.0, 9.0
"""Width in pixels of an arrow without weight, and what a weight of 1 adds"""

NAMED = 0.4
"""Longest query without a name: where all arrows start there is no room for one"""
ROOM = 0.53
"""Half of the plane's side, in lengths of the longer side of what it holds"""


class DepthAttentionView(View[DepthAttention]):
    """The plane and the weights are the main picture; lengths against the number of outputs are a measure."""

    def draw(self) -> list[LayoutDOM]:
        plane = plot("Earlier outputs: drag the query", "", "", x_range=(-FAR, FAR), y_range=(-FAR, FAR))
        plane.update(aspect_ratio=SQUARE, frame_align=False)
        plane.styles = {"max-width": "clamp(300px, 32vw, 410px)"}
        plane.axis.visible = False
        ticks_at(plane.xaxis, [])
        ticks_at(plane.yaxis, [])
        plane.ygrid.visible = False
        self._throttle = Throttle()
        for event in (PanStart, Pan, Tap):
            plane.on_event(event, self._on_pointer)
        self._outputs, self._numbers = empty("x0", "y0", "x", "y", "strength", "wide"), empty("x", "y", "text")
        arrows = plane.segment("x0", "y0", "x", "y", source=self._outputs, line_width="wide", line_alpha="strength")
        tips = plane.scatter("x", "y", source=self._outputs, size=9, fill_alpha="strength", line_color=None)
        paint(arrows, line_color="ink")
        paint(tips, fill_color="ink")
        words(plane, self._numbers, "soft", text_font_size="15px")
        self._results = {}
        for name, (label, color, dash) in RESULTS.items():
            source = self._results[name] = empty("x0", "y0", "x", "y")
            wide, alpha = LINES[name]
            looks: dict[str, Any] = {"line_width": wide, "line_alpha": alpha, "line_dash": dash}
            line = plane.segment("x0", "y0", "x", "y", source=source, legend_label=label, **looks)
            tip = plane.scatter("x", "y", source=source, size=TIPS[name], marker="square", line_color=None)
            paint(line, line_color=color)
            paint(tip, fill_color=color)
        self._query, self._asks = empty("x0", "y0", "x", "y"), empty("x", "y", "text")
        thread = plane.segment("x0", "y0", "x", "y", source=self._query, line_width=1.5, line_dash="dotted")
        handle = plane.scatter("x", "y", source=self._query, size=18, line_width=3, fill_alpha=0.25)
        paint(thread, line_color="edge")
        paint(handle, line_color="edge", fill_color="edge")
        words(plane, self._asks, "ink", text_baseline="bottom", y_offset=-10, text_font_size="15px")
        quiet_legend(plane, columns=3)
        known(plane, self._outputs, self._numbers, self._query, self._asks)
        self._plane = plane
        bars = plot("Weights over depth", "output (0: the stem's)", "", height=LOW, x_range=(-1, 1), y_range=(0, 1.12))
        bars.styles = {"height": f"clamp({LOW}px, 35vw, {TALLEST}px)"}
        bars.yaxis.formatter = NumeralTickFormatter(format="0%")
        ticks_at(bars.yaxis, [0, 0.25, 0.5, 0.75, 1])
        ticks_at(bars.xaxis, [])
        self._weights, self._shares = empty("x", "weight"), empty("x", "y", "text")
        paint(bars.vbar("x", 0.78, "weight", source=self._weights, line_color=None), fill_color="accent")
        words(bars, self._shares, "ink", text_baseline="bottom", y_offset=-2, text_font_size="15px")
        known(bars)
        self._bars = bars
        return [plane, bars]

    def measures(self) -> list[LayoutDOM]:
        self._lengths = plot(
            "Length of what a block gets", "earlier outputs", "", x_range=(1, MOST_OUTPUTS), y_range=(0, 1)
        )
        self._lines = empty("x", *RESULTS)
        for name, (_label, color, dash) in RESULTS.items():
            line = self._lengths.line("x", name, source=self._lines, line_width=2.8, line_dash=dash)
            paint(line, line_color=color)
        self._ends = EndLabels(self._lengths, {name: color for name, (_label, color, _dash) in RESULTS.items()}, 110)
        return [self._lengths]

    def _enclose(self, ends: np.ndarray) -> float:
        """Make the plane a square around these ends of arrows (n, 2) and all places of the query; return its side."""
        low, high = np.minimum(ends.min(axis=0), -FAR), np.maximum(ends.max(axis=0), FAR)
        middle, half = (low + high) / 2, ROOM * float((high - low).max())
        for axis, at in zip((self._plane.x_range, self._plane.y_range), middle.tolist(), strict=True):
            axis.update(start=at - half, end=at + half)
        return 2 * half

    def _on_pointer(self, event: Any) -> None:
        if event.x is not None and event.y is not None and self._throttle.allows():
            self.drag(across=event.x, up=event.y)

    def update(self, frame: Frame) -> None:
        outputs, weights = frame["outputs"], frame["weights"]
        count = len(outputs)
        zeros = np.zeros(count)
        side = self._enclose(np.stack([frame["sum_arrow"], *outputs]))
        self._outputs.data = {
            "x0": zeros,
            "y0": zeros,
            "x": outputs[:, 0],
            "y": outputs[:, 1],
            "strength": 0.25 + 0.75 * weights / weights.max(),
            "wide": THIN + THICK * weights,
        }
        outside = outputs * (1 + 0.04 * side / np.linalg.norm(outputs, axis=1, keepdims=True))
        names = [str(at) for at in range(count)]
        self._numbers.data = {"x": outside[:, 0], "y": outside[:, 1], "text": names}
        for name in RESULTS:
            x, y = frame[f"{name}_arrow"].tolist()
            self._results[name].data = {"x0": [0], "y0": [0], "x": [x], "y": [y]}
        across, up = self.simulation.across, self.simulation.up
        self._query.data = {"x0": [0], "y0": [0], "x": [across], "y": [up]}
        self._asks.data = {"x": [across], "y": [up], "text": ["query" if np.hypot(across, up) > NAMED else ""]}
        self._bars.x_range.update(start=-0.7, end=count - 0.3)
        ticks_at(self._bars.xaxis, list(range(0, count, 1 if count <= 8 else 3)))
        self._weights.data = {"x": np.arange(count), "weight": weights}
        largest = int(weights.argmax())
        most = float(weights[largest])
        self._shares.data = {"x": [largest], "y": [most], "text": [percent(most)]}
        lengths = {name: frame[f"{name}_length"] for name in RESULTS}
        self._lengths.y_range.update(end=1.1 * max(float(length.max()) for length in lengths.values()))
        self._lines.data = {"x": frame["counts"], **lengths}
        last = {name: float(length[-1]) for name, length in lengths.items()}
        self._ends.show(
            MOST_OUTPUTS, {name: (end, f"{RESULTS[name][0]} {number(end, 2)}") for name, end in last.items()}
        )
