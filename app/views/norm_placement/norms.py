"""Seven placements of norms as lines over the blocks: the growth of the stream, and the size of each update."""

from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, STEPS, Curves, empty, fit, paint, plot, ticks_at
from app.pictures.base.pairs import pair
from app.pictures.base.questions import until_answered
from app.views.base import View
from sims.comparisons.placings import PLACINGS
from sims.contract.bands import ENDINGS
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.norm_placement.norms import Norms

LOOKS = {
    "pre": ("residual", "solid"),
    "scaled": ("fourth", "solid"),
    "peri": ("accent", "solid"),
    "output": ("idle", "dashed"),
    "post": ("failing", "dashed"),
    "deep": ("fifth", "dashdot"),
    "sphere": ("ink", "dashed"),
}
"""Placement → color and dash"""

ROOM = 128
"""Pixels for the names at the ends of the lines"""

NEVER_ABOVE = np.array([0.01, 10.0])
"""Sizes that the axis of updates always includes"""

BEFORE_AND_NOW = {"law": ("law", "fifth", "dotted"), "start": ("at the start", "fourth", "dashed")} | {
    "now": ("now", "residual", "solid")
}


class Lines:
    """A line for each placement, with the chosen one thick, and a dotted one for comparison.

    Before the prediction, all dotted ones are there instead, with their names.
    """

    def __init__(self, chart: figure) -> None:
        self.figure = chart
        self._source, self._thick = empty("x", *LOOKS), empty("x", *LOOKS)
        self._dotted = empty("x", "y")
        for name, (color, dash) in LOOKS.items():
            thin = chart.line("x", name, source=self._source, line_width=1.8, line_dash=dash)
            thick = chart.line("x", name, source=self._thick, line_width=4.6, line_dash=dash)
            for line in (thin, thick):
                paint(line, line_color=color)
        dotted = chart.line("x", "y", source=self._dotted, line_width=2, line_dash="dotted", level="overlay")
        paint(dotted, line_color="ink")
        colors = {name: color for name, (color, _dash) in LOOKS.items()}
        self._ends = EndLabels(chart, colors, ROOM)
        self._before, self._before_ends = empty("x", *LOOKS), EndLabels(chart, colors, ROOM)
        for name, color in colors.items():
            line = chart.line("x", name, source=self._before, line_width=2, line_dash="dotted")
            paint(line, line_color=color)
        until_answered(chart, self._before, *self._before_ends.of())

    def show(self, x: np.ndarray, values: np.ndarray, chosen: str, before: np.ndarray, also: np.ndarray) -> None:
        """`values` and those of `before` training are (placings, places); the axis always extends to `also`."""
        lines, dotted = (
            {name: _drawable(value) for name, value in zip(PLACINGS, of_state, strict=True)}
            for of_state in (values, before)
        )
        # A norm's ε makes a 1 slightly smaller; rounding keeps that from adding a decade to the axis.
        fit(self.figure, [np.round(line, 4) for line in (*lines.values(), dotted[chosen], also)])
        self.figure.x_range.update(start=float(x[0]), end=float(x[-1]))
        self._source.data = {"x": x, **lines}
        nothing = np.full(len(x), np.nan)
        self._thick.data = {"x": x, **{name: line if name == chosen else nothing for name, line in lines.items()}}
        self._dotted.data = {"x": x, "y": dotted[chosen]}
        self._before.data = {"x": x, **dotted}
        for ends, named in ((self._ends, lines), (self._before_ends, dotted)):
            labels = {
                name: (float(line[-1]), f"{PLACINGS[name].label} {number(float(line[-1]), 2)}")
                for name, line in named.items()
                if np.isfinite(line[-1])
            }
            ends.show(float(x[-1]), labels)

    def nearest(self, x: float, y: float) -> str | None:
        """The placement whose line is nearest to a point; None if no line has a value there."""
        places, lines = np.array(self._source.data["x"]), {name: self._source.data[name] for name in LOOKS}
        if y <= 0 or not len(places):
            return None
        at = int(np.argmin(np.abs(places - x)))
        away = {name: abs(np.log(line[at] / y)) for name, line in lines.items() if np.isfinite(line[at])}
        return min(away, key=lambda name: away[name]) if away else None


class NormsView(View[Norms]):
    """The lines; a click on one shows it in detail."""

    def draw(self) -> list[LayoutDOM]:
        stream = plot("Mean square of the stream (dotted: law)", "blocks passed", "", x_range=(0, 1), **POWERS)
        update = plot("Branch ÷ what it joins (dotted: start)", "block", "", x_range=(0, 1), **POWERS)
        pair((stream, update))
        self._stream, self._update = Lines(stream), Lines(update)
        for lines in (self._stream, self._update):
            lines.figure.on_event(Tap, self._on_tap(lines))
        return [stream, update]

    def measures(self) -> list[LayoutDOM]:
        closer = plot("The chosen stream, all seeds", "blocks passed", "mean square", height=300, **STEPS, **POWERS)
        self._closer = Curves(closer, BEFORE_AND_NOW)
        loss = self._loss = plot(
            "Training loss",
            "training step",
            "nats",
            height=300,
            x_range=(0, 1),
            y_range=(0.01, 10.0),
            y_axis_type="log",
        )
        ticks_at(loss.xaxis, [])
        self._losses = empty("x", *LOOKS)
        for name, (color, dash) in LOOKS.items():
            paint(loss.line("x", name, source=self._losses, line_width=2, line_dash=dash), line_color=color)
        self._loss_ends = EndLabels(loss, {name: color for name, (color, _dash) in LOOKS.items()}, ROOM)
        return [closer, loss]

    def update(self, frame: Frame) -> None:
        chosen, depth = self.simulation.placing, self.simulation.depth
        at, places = list(PLACINGS).index(chosen), np.arange(depth + 1)
        one = np.ones(1)
        self._stream.show(places, frame["stream_now"], chosen, frame["law"], one)
        self._update.show(places[1:], frame["update_now"], chosen, frame["update_start"], NEVER_ABOVE)
        bands = {
            when: [_drawable(frame[f"stream_{when}{ending}"][at]) for ending in ENDINGS.values()]
            for when in ("start", "now")
        }
        self._closer.show(places, depth, {"law": [frame["law"][at]] * 3} | bands)
        losses = {name: _drawable(loss) for name, loss in zip(PLACINGS, frame["loss"], strict=True)}
        steps = frame["steps"]
        self._losses.data = {"x": steps, **losses}
        self._loss.x_range.update(start=0, end=frame.steps)
        ticks_at(self._loss.xaxis, [0, frame.steps // 2, frame.steps])
        ends = {
            name: (float(loss[-1]), f"{PLACINGS[name].label} {number(float(loss[-1]), 2)}")
            for name, loss in losses.items()
            if np.isfinite(loss[-1])
        }
        self._loss_ends.show(float(steps[-1]), ends)

    def _on_tap(self, lines: Lines) -> Any:
        def tapped(event: Any) -> None:
            if isinstance(event.x, float | int) and isinstance(event.y, float | int):
                name = lines.nearest(float(event.x), float(event.y))
                if name:
                    self.change("placing", name)

        return tapped


def _drawable(values: np.ndarray) -> np.ndarray:
    """The values that a logarithmic axis can show."""
    drawable: np.ndarray = np.where(np.isfinite(values) & (values > 0), values, np.nan)
    return drawable
