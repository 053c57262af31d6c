"""The three failures side by side, and further measurements of the chosen one."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.pictures.charts.diagnoses import Diagnoses, Network
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.depth.failures import CASES, Failures

OTHER = "Yours"


class FailuresView(View[Failures]):
    """A click on a failure opens it: it sets the controls, and the measures show it."""

    def draw(self) -> list[LayoutDOM]:
        self._cases = Diagnoses("Gradients before training, error after it", self._open)
        return [self._cases.figure]

    def measures(self) -> list[LayoutDOM]:
        weights = plot("Gradient of each layer's weights", "layer, from input to output", "norm", **PLACES, **POWERS)
        stream = plot("Gradient that reaches the stream", "place, from input to output", "norm", **PLACES, **POWERS)
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        error = plot("Training error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        times = {"at start": ("before training", "idle"), "now": ("now", "accent")}
        self._weights, self._stream = LogBars(weights, times), LogBars(stream, times)
        curve = {"train": ("median and range of the seeds", "accent", "solid")}
        self._loss, self._error = Curves(loss, curve), Curves(error, curve)
        return [weights, stream, error, loss]

    def update(self, frame: Frame) -> None:
        chosen, stored = self.simulation.case(), self.simulation.kept_cases()
        present = Network(frame, self.simulation.skip != "none")
        networks = {name: present if name == chosen else Network(stored.get(name)) for name in CASES}
        self._cases.show(networks if chosen else networks | {OTHER: present}, chosen or OTHER)
        for bars, kind in ((self._weights, "weight gradient"), (self._stream, "stream gradient")):
            bars.show({name: frame[f"{kind} {name}"] for name in ("at start", "now")})
        for curves, measure in ((self._loss, "loss"), (self._error, "error")):
            curves.show(frame["steps"], frame.steps, {"train": read(frame, f"train_{measure}")})

    def _open(self, name: str) -> None:
        if name in CASES:
            self.change_all(CASES[name])
