"""Path lengths counted, weighted by the formula, and measured; in a fold, the sizes of the parts, and the error."""

from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.end_labels import LINE, PATCH, apart
from app.pictures.base.figures import POWERS, STEPS, Curves, empty, hover, paint, plot
from app.pictures.base.questions import guessed_here, known
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.gradients.path_lengths import PathLengths, gain_of_mean

LEAST_LENGTHS = 12
"""Minimum range of the near figure."""

CARRYING = 1e-3
"""The near figure extends to the last share above this."""

SMALLEST = 1e-12
"""Smaller parts are omitted."""

HEIGHT, INSIDE = 390, 310
"""Height in pixels of the main picture, and approximately that of its plot area"""

KINDS = {"share": ("residual", "measured"), "formula": ("third", "by the formula"), "count": ("soft", "counted")}
"""Column → its color and its label"""

ASIDE = 5
"""Pixels from the peak of a hill to its words, which begin beside a line on that peak"""

WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}


class PathLengthsView(View[PathLengths]):
    """All three over one axis; the formula's curve is dragged over the measured bars, which sets the gain."""

    def draw(self) -> list[LayoutDOM]:
        self._all = plot(
            "Paths, and the gradient they carry",
            "branches on the path",
            "share",
            x_range=(-0.7, 1),
            y_range=(0, 1),
            height=HEIGHT,
        )
        self._all.styles = dict(WHOLE_WIDTH)
        self._all.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._bars = empty("x", "count", "formula", "share", "low", "high")
        counted = self._all.vbar("x", 0.86, "count", source=self._bars, fill_alpha=0.5)
        paint(counted, fill_color="zero", line_color="zero")
        measured = self._draw_shares(self._all)
        line = self._all.line("x", "formula", source=self._bars, line_width=2.6)
        paint(line, line_color="third")
        hover(
            self._all,
            [
                ("branches", "@x"),
                ("of the paths", "@count{0.00%}"),
                ("of the gradient, measured", "@share{0.0%}"),
                ("by the formula", "@formula{0.0%}"),
            ],
            renderers=[counted, measured],
        )
        guessed_here(self._all)
        self._words = {}
        for name, (color, _words) in KINDS.items():
            source = self._words[name] = empty("x", "y", "text")
            text = self._all.text(
                *("x", "y", "text"),
                source=source,
                text_font_size="13px",
                text_align="center" if name == "count" else "left",
                text_baseline="bottom",
                x_offset=0 if name == "count" else ASIDE,
                y_offset=-3,
                level="overlay",  # over the line of the true number
                **PATCH,
            )
            paint(text, text_color=color, background_fill_color="panel")
        known(self._all, counted, self._words["count"])
        for event_type in (PanStart, Pan, Tap):
            self._all.on_event(event_type, self._on_pointer)
        return [self._all]

    def measures(self) -> list[LayoutDOM]:
        near = plot(
            "Measured, close up",
            "branches on the path",
            "share of the gradient",
            x_range=(-0.7, 1),
            y_range=(0, 1),
        )
        size = plot(
            "Measured: size of each part",
            "branches on the path",
            "relative to the whole gradient",
            x_range=(0, 1),
            **POWERS,
        )
        error = plot("Held-out error", "training step", "error", y_range=(0, 1), **STEPS)
        self._near = near
        self._draw_shares(near)
        for figure in (near, error):
            figure.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._size = Curves(size, {"size": ("median and range of the seeds", "residual", "solid")})
        self._error = Curves(error, {"error": ("median and range of the seeds", "residual", "solid")})
        return [near, size, error]

    def _draw_shares(self, figure: Any) -> Any:
        """Bars of the measured shares, with the range of the seeds."""
        bars = figure.vbar("x", 0.86, "share", source=self._bars, line_color=None)
        paint(bars, fill_color="residual")
        whisker = figure.segment("x", "low", "x", "high", source=self._bars, line_width=1.6)
        paint(whisker, line_color="ink")
        return bars

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
        self._all.x_range.update(start=-0.7, end=blocks + 0.7)
        self._near.x_range.update(start=-0.7, end=reach + 0.7)
        highest = max(float(high.max()), float(frame["count"].max()), float(frame["formula"].max()))
        _reach_up(self._all.y_range, highest, float(low.min()))
        _reach_up(self._near.y_range, float(high.max()), float(low.min()))
        self._name(frame)
        sizes = [np.where(size > SMALLEST, size, np.nan) for size in read(frame, "size")]
        self._size.show(lengths, max(blocks, 1), {"size": sizes})
        self._error.show(frame["steps"], frame.steps, {"error": read(frame, "error")})

    def _name(self, frame: Frame) -> None:
        """Label the highest place of each curve, with its mean length, without overlaps."""
        axis: Any = self._all.y_range
        span = axis.end - axis.start
        values = {name: read(frame, "share")[2] if name == "share" else frame[name] for name in KINDS}
        peaks = {name: int(np.argmax(value)) for name, value in values.items()}
        heights = apart(
            [float((values[name][at] - axis.start) / span) for name, at in peaks.items()], 1.1 * LINE / INSIDE
        )
        means = {"share": "mean_measured", "formula": "mean_formula", "count": "mean_count"}
        for (name, at), height in zip(peaks.items(), heights, strict=True):
            words = f"{KINDS[name][1]}: {number(float(frame.results[means[name]]), 2)} on average"
            self._words[name].data = {"x": [at], "y": [axis.start + height * span], "text": [words]}

    def _on_pointer(self, event: Any) -> None:
        """Move the formula's peak to the pointer."""
        if isinstance(event.x, float | int):
            lowest, highest = self.simulation.param["gain"].bounds
            gain = gain_of_mean(self.simulation.blocks, max(float(event.x), 0.0))
            self.change("gain", round(min(max(gain, lowest), highest), 2))


def _reach_up(axis: object, highest: float, lowest: float) -> None:
    """Fit a linear axis to all values, in steps of a tenth, so that it does not move when they change a little."""
    end, start = np.ceil(highest * 10 + 0.4) / 10, np.floor(lowest * 10 + 0.2) / 10
    axis.update(start=min(float(start), 0.0), end=float(end))  # type: ignore[attr-defined]
