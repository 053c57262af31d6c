"""Path lengths counted, weighed by the formula, and measured; then the sizes of the parts, and the network's error."""

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import POWERS, STEPS, Curves, empty, hover, paint, plot, quiet_legend
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.path_lengths import PathLengths

LEAST_LENGTHS = 12
"""The measured figure reaches at least so far."""

CARRYING = 1e-3
"""The measured figure reaches as far as shares above it do."""

SMALLEST = 1e-12
"""Parts below this size are left out."""


class PathLengthsView(View[PathLengths]):
    """Four figures; the formula's curve stands in the second one too, to be laid over the measured bars."""

    def draw(self) -> list[LayoutDOM]:
        toy = plot(
            "By the formula",
            "branches on the path",
            "share",
            x_range=(-0.7, 1),
            y_range=(0, 1),
            height=290,
        )
        real = plot(
            "Measured: share of the gradient",
            "branches on the path",
            "share of the gradient",
            x_range=(-0.7, 1),
            y_range=(0, 1),
            height=290,
        )
        size = plot(
            "Measured: size of each part",
            "branches on the path",
            "relative to the whole gradient",
            x_range=(0, 1),
            **POWERS,
        )
        error = plot("Held-out error", "training step", "error", y_range=(0, 1), **STEPS)
        self._toy, self._real = toy, real
        for figure in (toy, real, error):
            figure.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._bars = empty("x", "count", "formula", "share", "low", "high")
        counted = toy.vbar("x", 0.86, "count", source=self._bars, line_color=None, legend_label="paths, counted")
        paint(counted, fill_color="idle")
        counted.glyph.fill_alpha = 0.55
        measured = real.vbar("x", 0.86, "share", source=self._bars, line_color=None, legend_label="measured")
        paint(measured, fill_color="residual")
        whisker = real.segment("x", "low", "x", "high", source=self._bars, line_width=1.6)
        paint(whisker, line_color="ink")
        for figure in (toy, real):
            line = figure.line(
                "x", "formula", source=self._bars, line_width=2.2, legend_label="gradient by the formula"
            )
            dots = figure.scatter("x", "formula", source=self._bars, size=5)
            paint(line, line_color="third")
            paint(dots, fill_color="third", line_color="third")
            quiet_legend(figure)
        hover(
            toy,
            [("branches", "@x"), ("of the paths", "@count{0.00%}"), ("of the gradient", "@formula{0.00%}")],
            renderers=[counted],
        )
        hover(real, [("branches", "@x"), ("of the gradient", "@share{0.0%}")], renderers=[measured])
        self._size = Curves(size, {"size": ("median and range of the seeds", "residual", "solid")})
        self._error = Curves(error, {"error": ("median and range of the seeds", "residual", "solid")})
        # The axis of sizes keeps its range: parts too small for it are left out.
        self._sizes = size
        return [toy, real, size, error]

    def update(self, frame: Frame) -> None:
        share, low, high = read(frame, "share")
        lengths = np.arange(len(share))
        self._bars.data = {
            "x": lengths,
            "count": frame["count"],
            "formula": frame["formula"],
            "share": share,
            "low": low,
            "high": high,
        }
        blocks = len(share) - 1
        reach = min(blocks, max(LEAST_LENGTHS, int(np.flatnonzero(np.abs(high) > CARRYING).max(initial=0)) + 2))
        self._toy.x_range.update(start=-0.7, end=blocks + 0.7)
        self._real.x_range.update(start=-0.7, end=reach + 0.7)
        _reach_up(self._toy.y_range, max(frame["count"].max(), frame["formula"].max()), 0)
        _reach_up(self._real.y_range, float(high.max()), float(low.min()))
        sizes = [np.where(each > SMALLEST, each, np.nan) for each in read(frame, "size")]
        self._size.show(lengths, max(blocks, 1), {"size": sizes})
        self._error.show(frame["steps"], frame.steps, {"error": read(frame, "error")})


def _reach_up(axis: object, highest: float, lowest: float) -> None:
    """Let a linear axis hold all values, in steps of a tenth, so that it stands still while they move a little."""
    end, start = np.ceil(highest * 10 + 0.2) / 10, np.floor(lowest * 10 + 0.2) / 10
    axis.update(start=min(float(start), 0.0), end=float(end))  # type: ignore[attr-defined]
