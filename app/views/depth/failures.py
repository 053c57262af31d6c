"""The three failures side by side, and further measurements of the chosen one."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, empty, paint, plot, quiet_legend
from app.pictures.charts.diagnoses import Diagnoses, Network
from app.pictures.charts.likenesses import COSINE_RANGE, Likenesses
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.depth.failures import CASES, Failures

OTHER = "Yours"

COSINES: dict[str, Any] = {"x_range": (1, 2), "y_range": COSINE_RANGE}


class FailuresView(View[Failures]):
    """A click on a failure opens it: it sets the controls, and the measures show it."""

    beside = ("stream gradient at start", "likeness at start")

    def draw(self) -> list[LayoutDOM]:
        self._cases = Diagnoses("Gradients before training, error after it", self._open)
        return [self._cases.figure]

    def measures(self) -> list[LayoutDOM]:
        self._alike = Likenesses("How alike different inputs become, before training", tuple(CASES), OTHER)
        stream = plot("Gradient of the stream", "place, from input to output", "norm", **PLACES, **POWERS)
        weights = plot("Gradient of each layer's weights", "layer, from input to output", "norm", **PLACES, **POWERS)
        self._likeness = plot("Likeness of different inputs", "layer, from input to output", "mean cosine", **COSINES)
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        error = plot("Training error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        times = {"at start": ("before training", "idle"), "now": ("now", "accent")}
        self._weights, self._stream = LogBars(weights, times), LogBars(stream, times)
        self._likeness_sources = {name: empty("x", "y") for name in times}
        for name, (label, color) in times.items():
            dash = "dashed" if name == "at start" else "solid"
            source = self._likeness_sources[name]
            line = self._likeness.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=label)
            paint(line, line_color=color)
        quiet_legend(self._likeness)
        curve = {"train": ("median and range of the seeds", "accent", "solid")}
        self._loss, self._error = Curves(loss, curve), Curves(error, curve)
        return [self._alike.figure, stream, weights, error, loss, self._likeness]

    def update(self, frame: Frame) -> None:
        chosen, stored = self.simulation.case(), self.simulation.kept_cases()
        present = Network(frame, self.simulation.skip != "none")
        networks = {name: present if name == chosen else Network(stored.get(name)) for name in CASES}
        if chosen is None:
            networks[OTHER] = present
        for picture in (self._cases, self._alike):
            picture.show(networks, chosen or OTHER)
        for time, source in self._likeness_sources.items():
            cosines = frame[f"likeness {time}"]
            source.data = {"x": np.arange(1, len(cosines) + 1), "y": cosines}
        self._likeness.x_range.update(end=len(frame["likeness now"]))
        for bars, kind in ((self._weights, "weight gradient"), (self._stream, "stream gradient")):
            bars.show({name: frame[f"{kind} {name}"] for name in ("at start", "now")})
        for curves, measure in ((self._loss, "loss"), (self._error, "error")):
            curves.show(frame["steps"], frame.steps, {"train": read(frame, f"train_{measure}")})

    def _open(self, name: str) -> None:
        if name in CASES:
            self.change_all(CASES[name])
