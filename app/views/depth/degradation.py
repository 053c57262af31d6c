"""The bet: final error against depth, with the present depth marked, next to the run of the present depth."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.direct import LOOKS, Bands, Dots, Words
from app.pictures.base.dragging import Throttle
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, empty, paint, plot, ticks_at
from app.pictures.base.questions import drawn_here
from app.views.base import View
from sims.contract.bands import STATISTICS, read, reading
from sims.contract.frame import Frame
from sims.contract.wording import percent
from sims.simulations.depth.degradation import DEFAULT, Degradation

HEIGHT = 258
COLORS = {"plain": "plain", "residual": "residual"}
NOT_RUN = COLORS | {"untrained": "idle"}
TICKS = (2, 8, 20, 32, 44, 56, 64)
ROOM, BESIDE = 104, 0.02
"""Pixels right of the axis of steps, for labels; room on it for dots at its ends, in runs"""

LOWEST = -0.11
"""Start of the axis of errors, low enough to make two labels at 0 readable"""

PALE = 0.35
"""Opacity of the curves of other settings"""

APART = 0.08
"""Smallest distance between two labels, as a share of the axis"""


class DegradationView(View[Degradation]):
    """Plain dashed, residual solid. The line at the present depth can be dragged."""

    def draw(self) -> list[LayoutDOM]:
        lowest, highest = self.simulation.param.depth.bounds
        self._over = plot(
            "Error at the end, by depth: drag",
            "layers",
            "",
            height=HEIGHT,
            x_range=(lowest - 2, highest + 19),
            y_range=(LOWEST, 1.06),
        )
        ticks_at(self._over.xaxis, TICKS)
        self._here, self._depth, self._note = empty("x", "y"), empty("x", "y", "text"), empty("x", "y", "text")
        paint(self._over.line("x", "y", source=self._here, line_width=7, line_alpha=0.35), line_color="edge")
        self._default = Bands(self._over, LOOKS, strength=0.08)
        for _area, line in self._default.marks.values():
            line.glyph.line_alpha = PALE
        self._ends = Bands(self._over, LOOKS, dots=True)
        self._marks = Dots(self._over, NOT_RUN, 13)
        self._names = Words(self._over, COLORS, APART, level="overlay")
        self._over.min_border_right = 20
        drawn_here(self._over)
        middle: dict[str, Any] = {"text_font_size": "13px", "text_align": "center", "text_baseline": "middle"}
        depth = self._over.text("x", "y", "text", source=self._depth, text_font_style="bold", **middle)
        note = self._over.text("x", "y", "text", source=self._note, **middle)
        paint(depth, text_color="ink")
        paint(note, text_color="soft")
        self._throttle = Throttle()
        for event_type in (PanStart, Pan, Tap):
            self._over.on_event(event_type, self._on_pointer)
        self._run = plot(
            "Error while this depth trains",
            "training step",
            "",
            height=HEIGHT,
            x_range=(0, 1),
            y_range=(LOWEST, 1.06),
        )
        ticks_at(self._run.xaxis, [])
        self._errors, self._tips = Bands(self._run, LOOKS), Dots(self._run, NOT_RUN)
        self._values = EndLabels(self._run, NOT_RUN, ROOM)
        for figure in (self._over, self._run):
            figure.yaxis.formatter = NumeralTickFormatter(format="0%")
            ticks_at(figure.yaxis, [0, 0.25, 0.5, 0.75, 1])
        return [self._over, self._run]

    def measures(self) -> list[LayoutDOM]:
        loss = plot("Loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        gradients = plot(
            "Gradient of each layer's weights",
            "layer, from input to output",
            "size of the gradient",
            **PLACES,
            **POWERS,
        )
        self._loss = Curves(loss, {name: (name, *look) for name, look in LOOKS.items()})
        self._gradients = LogBars(gradients, {name: (name, color) for name, color in COLORS.items()})
        return [loss, gradients]

    def update(self, frame: Frame) -> None:
        part = self.simulation.measure
        trained = [name for name in LOOKS if f"{name}_gradients" in frame.quantities]
        self._show_depths(frame, trained, f"{part}_error")
        self._show_run(frame, {name: read(frame, f"{name}_{part}_error") for name in trained})
        losses = {name: read(frame, f"{name}_{part}_loss") for name in trained}
        self._loss.show(frame["steps"], frame.steps, losses)
        self._gradients.show({name: frame[f"{name}_gradients"] for name in trained})

    def _show_depths(self, frame: Frame, trained: list[str], measure: str) -> None:
        current = self.simulation.depth
        kept = self.simulation.kept_ends()
        ends = {depth: kept[str(depth)] for depth in self.simulation.atlas["depth"] if str(depth) in kept}
        if frame.finished:
            ends[current] = frame
        own = _over_depths(ends, trained, measure)
        # Where no other depth has been run with these settings, a pale curve shows what to expect.
        default = {}
        if not set(ends) - {current}:
            default = {int(name.removeprefix(DEFAULT)): kept[name] for name in kept if name.startswith(DEFAULT)}
        pale = _over_depths(default, trained, measure)
        self._ends.show(sorted(ends), own)
        self._default.show(sorted(default), pale)
        named = (default, pale) if default else (ends, own)
        self._names.show({name: (max(named[0]), bands[0][-1], name) for name, bands in named[1].items() if named[0]})
        now = {name: (current, float(frame[f"{name}_{measure}"][-1])) for name in trained}
        self._marks.show(now if frame.step else {"untrained": next(iter(now.values()))})
        self._here.data = {"x": [current, current], "y": [0, 0.98]}
        self._depth.data = {"x": [current], "y": [1.02], "text": [f"◂ {current} ▸"]}
        note = [(18 if current > 33 else 50, 0.82, "pale: default\nsettings")] if default else []
        self._note.data = {name: [row[at] for row in note] for at, name in enumerate(("x", "y", "text"))}

    def _show_run(self, frame: Frame, bands: dict[str, Any]) -> None:
        self._errors.show(frame["steps"], bands)
        now = {name: (float(frame["steps"][-1]), float(middle[-1])) for name, (middle, *_) in bands.items()}
        if not frame.step:
            now = {"untrained": next(iter(now.values()))}
        self._tips.show(now)
        end = (1 + BESIDE) * frame.steps
        self._run.x_range.update(start=-BESIDE * frame.steps, end=end)
        self._values.show(end, {name: (error, f"{name} {percent(error)}") for name, (_step, error) in now.items()})
        ticks_at(self._run.xaxis, [0, frame.steps // 3, 2 * frame.steps // 3, frame.steps])

    def _on_pointer(self, event: Any) -> None:
        """Set the present depth from the pointer, in steps of two layers."""
        if isinstance(event.x, float | int) and self._throttle.allows():
            lowest, highest = self.simulation.param.depth.bounds
            self.change("depth", int(min(max(2 * round(event.x / 2), lowest), highest)))


def _over_depths(ends: Mapping[int, Frame], trained: Sequence[str], measure: str) -> dict[str, list[np.ndarray]]:
    """The median, lowest and highest error at the end of runs, over their depths, for each network."""
    return {
        name: [
            np.array([reading(ends[depth], f"{name}_{measure}", statistic) for depth in sorted(ends)])
            for statistic in STATISTICS
        ]
        for name in trained
    }
