"""The norm of a vector through many matrices, between the lines predicted from three properties of a matrix."""

import math
from typing import Any

import numpy as np
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, empty, fit, paint, plot
from app.pictures.base.questions import drawn_here, known, until_answered
from app.pictures.charts.lanes import Lanes
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number, power_of_ten
from sims.simulations.gradients.jacobian_walk import JacobianWalk

LINES = {
    "spectral": ("spectral norm", "ink", "dotted"),
    "rms": ("rms singular value", "fifth", "dashed"),
    "eigenvalue": ("largest eigenvalue", "fourth", "dashdot"),
}
NAMED_EARLIER = ("spectral", "eigenvalue")
"""Lines of properties that the text has before the figure: they are there before the prediction."""

SMALLEST = 1e-120
"""Smaller norms are omitted."""

LATE = 0.85
"""Share of the layers after which a line that leaves the axis is labeled at the border like those that stay."""

WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}


class JacobianWalkView(View[JacobianWalk]):
    """A figure with the walk; lanes compare the predictions per layer with the measurement.

    The spectral norm is an upper bound far from the others, so the axis is not fitted to it.
    """

    def draw(self) -> list[LayoutDOM]:
        walk = plot(
            "Length of a vector, layer by layer",
            "layer",
            "length, relative to the start",
            height=390,
            x_range=(0, 1),
            **POWERS,
        )
        walk.styles = dict(WHOLE_WIDTH)
        self._walk = walk
        self._source = empty("x", "low", "high", "median", *LINES)
        band = walk.varea("x", "low", "high", source=self._source, fill_alpha=0.2)
        paint(band, fill_color="accent")
        for name, (_label, color, dash) in LINES.items():
            line = walk.line("x", name, source=self._source, line_width=2.2, line_dash=dash)
            paint(line, line_color=color)
            if name in NAMED_EARLIER:
                known(walk, line)
        line = walk.line("x", "median", source=self._source, line_width=3.4)
        paint(line, line_color="accent")
        colors = {name: color for name, (_, color, _) in LINES.items()} | {"median": "accent"}
        self._ends = EndLabels(walk, colors, 110)
        self._leaving = empty("x", "y", "text")
        text = walk.text(
            "x",
            "y",
            "text",
            source=self._leaving,
            text_font_size="13px",
            text_baseline="top",
            x_offset=8,
            y_offset=3,
        )
        paint(text, text_color="ink")
        known(walk, text, *self._ends.of(*NAMED_EARLIER))
        self._start_line(walk)
        drawn_here(walk)
        return [walk]

    def _start_line(self, walk: figure) -> None:
        """The length at the start, as long as nothing else shows it."""
        self._start = empty("x", "y")
        line = walk.line("x", "y", source=self._start, line_width=1.4, line_dash="dotted")
        dot = walk.scatter([0], [1], size=11, level="annotation")
        text = walk.text(
            [0], [1], ["length at the start"], text_font_size="13px", text_baseline="top", x_offset=12, y_offset=7
        )
        paint(line, line_color="accent")
        paint(dot, fill_color="accent", line_color="accent")
        paint(text, text_color="accent")
        until_answered(walk, line, dot, text)

    def measures(self) -> list[LayoutDOM]:
        kinds = {name: color for name, (_, color, _) in LINES.items()} | {"factor": "accent"}
        self._factors = Lanes("Factor per layer", "factor", kinds, room=0.2)
        self._factors.figure.styles = dict(WHOLE_WIDTH)
        return [self._factors.figure]

    def update(self, frame: Frame) -> None:
        median, low, high = (np.where(norms > SMALLEST, norms, np.nan) for norms in read(frame, "norm"))
        lines = {name: np.where(frame[name] > SMALLEST, frame[name], np.nan) for name in LINES}
        layers = len(median) - 1
        fit(self._walk, [low, high, lines["rms"], lines["eigenvalue"]])
        self._walk.x_range.update(start=0, end=layers)
        self._source.data = {"x": np.arange(layers + 1), "low": low, "high": high, "median": median, **lines}
        self._start.data = {"x": [0, layers], "y": [1, 1]}
        self._name_lines(frame, layers)
        names = {name: label for name, (label, _, _) in LINES.items()} | {"factor": "measured"}
        values = np.array([float(frame.results[name]) for name in names])
        texts = [number(float(value)) for value in values]
        self._factors.show(list(names.values()), values, texts, list(names), longest=3.0)

    def _name_lines(self, frame: Frame, layers: int) -> None:
        """Label the ends of the lines; the bound is labeled where it leaves the axis."""
        ends = {name: (float(frame[name][-1]), label) for name, (label, _, _) in LINES.items()}
        ends["median"] = (float(frame.results["end"]), "measured")
        if not frame.results["eigenvalue"]:
            ends["eigenvalue"] = (0.0, "eigenvalues: all 0")
        axis: Any = self._walk.y_range
        top, bound = float(axis.end), frame["spectral"]
        outside = np.flatnonzero(bound > top)
        leaving: list[tuple[int, float, str]] = []
        if len(outside) and outside[0] < LATE * layers:
            del ends["spectral"]
            goal = power_of_ten(round(math.log10(bound[-1])))
            leaving = [(int(outside[0]), top, f"↗ spectral norm,\nup to {goal}")]
        self._ends.show(layers, ends)
        self._leaving.data = {key: [row[at] for row in leaving] for at, key in enumerate(("x", "y", "text"))}
