"""Two curves of error, two of loss, and a bar per layer for the gradients."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.degradation import Degradation

PLAIN = ("plain", "plain", "dashed")
RESIDUAL = ("residual", "residual", "solid")


class DegradationView(View[Degradation]):
    """Error and loss against steps; gradients against layers. Plain dashed, residual solid."""

    def draw(self) -> list[LayoutDOM]:
        names = {"plain": PLAIN, "residual": RESIDUAL}
        error = plot("Share of wrong answers", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        loss = plot("Loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        gradients = plot(
            "Gradient of each layer's weights",
            "layer, from input to output",
            "norm of the gradient",
            **PLACES,
            **POWERS,
        )
        self._error, self._loss = Curves(error, names), Curves(loss, names)
        self._gradients = LogBars(gradients, {name: names[name][:2] for name in names})
        return [error, loss, gradients]

    def update(self, frame: Frame) -> None:
        part = self.simulation.measure
        trained = [name for name in ("plain", "residual") if f"{name}_gradients" in frame.quantities]
        for curves, measure in ((self._error, "error"), (self._loss, "loss")):
            bands = {name: read(frame, f"{name}_{part}_{measure}") for name in trained}
            curves.show(frame["steps"], frame.steps, bands)
        self._gradients.show({name: frame[f"{name}_gradients"] for name in trained})
