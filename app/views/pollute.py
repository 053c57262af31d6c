"""Training error with a clean skip and with a polluted one; the stream and its gradient, block by block."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.pollute import Pollute

NAMES = {"clean": ("clean skip", "residual", "solid"), "polluted": ("with something on it", "failing", "dashed")}


class PolluteView(View[Pollute]):
    """Error and loss against steps; stream and gradient against places."""

    def draw(self) -> list[LayoutDOM]:
        error = plot("Training error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        stream = plot("Size of the stream", "place, from input to output", "rms of h", **PLACES, **POWERS)
        gradient = plot("Gradient of the stream", "place, from input to output", "norm of ∂L/∂h", **PLACES, **POWERS)
        self._error, self._loss = Curves(error, NAMES), Curves(loss, NAMES)
        looks = {name: look[:2] for name, look in NAMES.items()}
        self._bars = {"activations": LogBars(stream, looks), "stream_gradients": LogBars(gradient, looks)}
        return [error, loss, stream, gradient]

    def update(self, frame: Frame) -> None:
        for curves, measure in ((self._error, "error"), (self._loss, "loss")):
            curves.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_{measure}") for name in NAMES})
        for kind, bars in self._bars.items():
            bars.show({name: frame[f"{name}_{kind}"] for name in NAMES})
