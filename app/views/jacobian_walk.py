"""The norm of a vector through many matrices, between the lines that three properties of a matrix predict."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.figures import POWERS, empty, fit, paint, plot, quiet_legend
from app.pictures.lanes import Lanes
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.jacobian_walk import JacobianWalk

LINES = {
    "spectral": ("spectral norm", "plain", "dotted"),
    "rms": ("rms singular value", "fifth", "dashed"),
    "eigenvalue": ("largest eigenvalue", "fourth", "dashdot"),
}
SMALLEST = 1e-120
"""Norms below it are left out."""

WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}


class JacobianWalkView(View[JacobianWalk]):
    """A figure with the walk, and lanes that compare what was predicted per layer with what happened."""

    def draw(self) -> list[LayoutDOM]:
        walk = plot(
            "Norm of a vector on its way",
            "layer",
            "norm (relative)",
            height=320,
            x_range=(0, 1),
            **POWERS,
        )
        self._walk = walk
        self._source = empty("x", "low", "high", "median", *LINES)
        band = walk.varea("x", "low", "high", source=self._source, fill_alpha=0.2)
        paint(band, fill_color="accent")
        for name, (label, color, dash) in LINES.items():
            line = walk.line("x", name, source=self._source, line_width=2, line_dash=dash, legend_label=label)
            paint(line, line_color=color)
        line = walk.line("x", "median", source=self._source, line_width=3, legend_label="measured")
        paint(line, line_color="accent")
        quiet_legend(walk)
        kinds = {name: color for name, (_, color, _) in LINES.items()} | {"factor": "accent"}
        self._factors = Lanes("Factor per layer", "factor", kinds, room=0.2)
        figures: list[LayoutDOM] = [walk, self._factors.figure]
        for each in figures:
            each.styles = dict(WHOLE_WIDTH)
        return figures

    def update(self, frame: Frame) -> None:
        median, low, high = (np.where(each > SMALLEST, each, np.nan) for each in read(frame, "norm"))
        lines = {name: np.where(frame[name] > SMALLEST, frame[name], np.nan) for name in LINES}
        fit(self._walk, [low, high, *lines.values()])
        self._walk.x_range.update(start=0, end=len(median) - 1)
        self._source.data = {"x": np.arange(len(median)), "low": low, "high": high, "median": median, **lines}
        names = {name: label for name, (label, _, _) in LINES.items()} | {"factor": "measured"}
        values = np.array([float(frame.results[name]) for name in names])
        texts = [number(float(value)) for value in values]
        self._factors.show(list(names.values()), values, texts, list(names), longest=3.0)
