"""Bars per layer for both gradients, the loss, and the rule that names the failure."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.failures import Failures


class FailuresView(View[Failures]):
    """Gradients before training and now, layer by layer; error and loss against steps."""

    def draw(self) -> list[LayoutDOM]:
        weights = plot("Gradient of each layer's weights", "layer, from input to output", "norm", **PLACES, **POWERS)
        stream = plot("Gradient that reaches the stream", "place, from input to output", "norm", **PLACES, **POWERS)
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        error = plot("Training error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        times = {"at start": ("before training", "idle"), "now": ("now", "accent")}
        self._weights, self._stream = LogBars(weights, times), LogBars(stream, times)
        curve = {"train": ("median and range of the seeds", "accent", "solid")}
        self._loss, self._error = Curves(loss, curve), Curves(error, curve)
        return [weights, stream, loss, error]

    def update(self, frame: Frame) -> None:
        for bars, kind in ((self._weights, "weight gradient"), (self._stream, "stream gradient")):
            bars.show({name: frame[f"{kind} {name}"] for name in ("at start", "now")})
        for curves, measure in ((self._loss, "loss"), (self._error, "error")):
            curves.show(frame["steps"], frame.steps, {"train": read(frame, f"train_{measure}")})
