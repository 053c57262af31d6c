"""Curves of what a signal and its gradient meet in a network, block by block: sizes and likeness."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from app.pictures.base.figures import POWERS, empty, fit, paint, plot, quiet_legend
from app.pictures.charts.likenesses import COSINE_RANGE

SIGNALS = {
    "stream": ("Size of the stream", "relative to the stem's output"),
    "gradient": ("Gradient of the stream", "relative to the last block"),
    "likeness": ("Likeness of different images", "mean cosine"),
}

TIMES = {"at start": ("before training", "idle", "dashed"), "now": ("now", "accent", "solid")}


class SignalLines:
    """A figure for each of `SIGNALS`, with a line for each of some `TIMES`; a single one needs no legend.

    `signals` has other words than `SIGNALS`, and `across` is what a place is the end of.
    """

    def __init__(
        self,
        times: tuple[str, ...] = ("now",),
        signals: Mapping[str, tuple[str, str]] = SIGNALS,
        across: str = "block",
    ) -> None:
        self._charts, self._lines = {}, {}
        for name, (title, unit) in signals.items():
            scale = {"y_range": COSINE_RANGE} if name == "likeness" else POWERS
            chart = self._charts[name] = plot(title, across, unit, x_range=(0, 1), **scale)
            for time in times:
                label, color, dash = TIMES[time]
                source = self._lines[name, time] = empty("x", "y")
                legend: dict[str, Any] = {"legend_label": label} if len(times) > 1 else {}
                line = chart.line("x", "y", source=source, line_width=2.4, line_dash=dash, **legend)
                paint(line, line_color=color)
            if len(times) > 1:
                quiet_legend(chart)
        self.figures = list(self._charts.values())

    def show(self, values: Mapping[tuple[str, str], np.ndarray]) -> None:
        """Show a value per place from the stem to the last block for every name and time."""
        for name, chart in self._charts.items():
            curves = {time: curve for (signal, time), curve in values.items() if signal == name}
            for time, curve in curves.items():
                shown = curve if name == "likeness" else np.where(curve > 0, curve, np.nan)
                chart.x_range.update(end=len(curve) - 1)
                self._lines[name, time].data = {"x": np.arange(len(curve)), "y": shown}
            if name != "likeness":
                fit(chart, list(curves.values()))
