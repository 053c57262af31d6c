"""Final error against depth, for those depths that were run, next to the run of the present depth."""

from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.direct import LOOKS, Bands, Dots, Words
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, empty, paint, plot, ticks_at
from app.pictures.base.questions import drawn_here
from app.views.base import View
from sims.contract.bands import STATISTICS, read, reading
from sims.contract.frame import Frame
from sims.contract.wording import percent
from sims.simulations.depth.convolutions import NETWORKS, Convolutions

HEIGHT = 290
COLORS = {"plain": "plain", "residual": "residual"}
NOT_RUN = COLORS | {"untrained": "idle"}
TICKS = (8, 20, 32, 44, 56)
ROOM, BESIDE = 104, 0.02
"""Pixels right of the axis of steps, for labels; room on it for dots at its ends, in runs"""

LOWEST = -0.11
"""Start of the axis of errors, low enough to make two labels at 0 readable"""

APART = 0.08
"""Smallest distance between two labels, as a share of the axis"""


MARGIN, LEAST = 0.06, 0.1
"""Margin above and below the values inside the networks, as a share of their range, which counts as at least `LEAST`"""


class ConvolutionsView(View[Convolutions]):
    """Plain dashed, residual solid. A click into the left figure chooses the depth."""

    def draw(self) -> list[LayoutDOM]:
        self._over = plot(
            "Training error at the end, by depth", "layers", "", height=HEIGHT, x_range=(4, 76), y_range=(LOWEST, 1.06)
        )
        self._run = plot(
            "While this depth trains", "training step", "", height=HEIGHT, x_range=(0, 1), y_range=(LOWEST, 1.06)
        )
        for figure, places in ((self._over, TICKS), (self._run, [])):
            figure.yaxis.formatter = NumeralTickFormatter(format="0%")
            ticks_at(figure.yaxis, [0, 0.25, 0.5, 0.75, 1])
            ticks_at(figure.xaxis, places)
        self._here, self._depth = empty("x", "y"), empty("x", "y", "text")
        paint(self._over.line("x", "y", source=self._here, line_width=7, line_alpha=0.35), line_color="edge")
        self._ends = Bands(self._over, LOOKS, dots=True)
        self._marks = Dots(self._over, NOT_RUN, 13)
        self._names = Words(self._over, COLORS, APART, level="overlay")
        self._over.min_border_right = 20
        drawn_here(self._over)
        middle: dict[str, Any] = {"text_font_size": "13px", "text_align": "center", "text_baseline": "middle"}
        depth = self._over.text("x", "y", "text", source=self._depth, text_font_style="bold", **middle)
        paint(depth, text_color="ink")
        self._over.on_event(Tap, self._on_tap)
        self._errors, self._tips = Bands(self._run, LOOKS), Dots(self._run, NOT_RUN)
        self._values = EndLabels(self._run, NOT_RUN, ROOM)
        return [self._over, self._run]

    def measures(self) -> list[LayoutDOM]:
        norms = "BatchNorm, from input to output"
        gains = plot("Gain γ of each BatchNorm", norms, "root mean square", y_range=(0, 1), **PLACES)
        shifts = plot("Shift β of each BatchNorm", norms, "mean", y_range=(0, 1), **PLACES)
        lag = plot("Kept ÷ own deviation", norms, "ratio of standard deviations", y_range=(0, 1), **PLACES)
        gradients = plot("Gradient of each layer's weights", "layer, from input to output", "norm", **PLACES, **POWERS)
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        lines = {name: (name, *look) for name, look in LOOKS.items()}
        self._inside = {"gains": gains, "shifts": shifts, "lag": lag}
        self._norms = {key: Curves(figure, lines) for key, figure in self._inside.items()}
        self._gradients = LogBars(gradients, {name: (name, color) for name, color in COLORS.items()})
        self._loss = Curves(loss, lines)
        return [gains, shifts, lag, gradients, loss]

    def update(self, frame: Frame) -> None:
        which = f"{self.simulation.statistics}_error"
        self._show_depths(frame, which)
        self._show_run(frame, {name: read(frame, f"{name}_{which}") for name in NETWORKS})
        for key, curves in self._norms.items():
            count = len(frame[f"plain_{key}"])
            bands = {name: read(frame, f"{name}_{key}") for name in NETWORKS}
            curves.show(np.arange(1, count + 1), count, bands)
            values = np.concatenate([curve for band in bands.values() for curve in band])
            low, high = float(values.min()), float(values.max())
            margin = MARGIN * max(high - low, LEAST)
            self._inside[key].y_range.update(start=low - margin, end=high + margin)
        self._gradients.show({name: frame[f"{name}_gradients"] for name in NETWORKS})
        self._loss.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_loss") for name in NETWORKS})

    def _show_depths(self, frame: Frame, which: str) -> None:
        current = self.simulation.depth
        ends = self.simulation.kept_ends() | ({current: frame} if frame.finished else {})
        depths = sorted(ends)
        bands = {
            name: [np.array([reading(ends[depth], f"{name}_{which}", one) for depth in depths]) for one in STATISTICS]
            for name in NETWORKS
        }
        self._ends.show(depths, bands)
        self._names.show({name: (depths[-1], bands[name][0][-1], name) for name in NETWORKS if depths})
        now = {name: (current, float(frame[f"{name}_{which}"][-1])) for name in NETWORKS}
        self._marks.show(now if frame.step else {"untrained": now["plain"]})
        self._here.data = {"x": [current, current], "y": [0, 0.98]}
        self._depth.data = {"x": [current], "y": [1.02], "text": [str(current)]}

    def _show_run(self, frame: Frame, bands: dict[str, Any]) -> None:
        self._errors.show(frame["steps"], bands)
        now = {name: (float(frame["steps"][-1]), float(middle[-1])) for name, (middle, *_) in bands.items()}
        if not frame.step:
            now = {"untrained": now["plain"]}
        self._tips.show(now)
        end = (1 + BESIDE) * frame.steps
        self._run.x_range.update(start=-BESIDE * frame.steps, end=end)
        self._values.show(end, {name: (error, f"{name} {percent(error)}") for name, (_step, error) in now.items()})
        ticks_at(self._run.xaxis, [0, frame.steps // 3, 2 * frame.steps // 3, frame.steps])

    def _on_tap(self, event: Any) -> None:
        """Choose the nearest depth that was run ahead."""
        if isinstance(event.x, float | int):
            self.change("depth", min(self.simulation.atlas["depth"], key=lambda depth: abs(depth - event.x)))
