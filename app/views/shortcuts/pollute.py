"""Training error with a clean skip and with a polluted one; the stream and its gradient, block by block."""

from bokeh.models import LayoutDOM, NumeralTickFormatter
from bokeh.plotting import figure

from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.pictures.base.questions import drawn_here, known
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.shortcuts.pollute import Pollute

NAMES = {"clean": ("clean skip", "residual", "solid"), "polluted": ("with something on it", "failing", "dashed")}

HEIGHT = 250

DOT = 4.5
"""Size of a dot in pixels: about fifty of them make a curve"""


class PolluteView(View[Pollute]):
    """Error against steps and gradient against places; loss and size of the stream as measures."""

    def __init__(self, simulation: Pollute) -> None:
        super().__init__(simulation)
        self._bars: dict[str, LogBars] = {}

    def draw(self) -> list[LayoutDOM]:
        error = plot("Training error", "training step", "error", height=HEIGHT, y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._curves = {"error": Curves(error, NAMES)}
        known(error, *self._curves["error"].marks["clean"])
        drawn_here(error)
        return [error, self._bars_of("stream_gradients", "Gradient of the stream", "size of ∂L/∂x")]

    def measures(self) -> list[LayoutDOM]:
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        self._curves["loss"] = Curves(loss, NAMES)
        return [loss, self._bars_of("activations", "Size of the stream", "rms of x")]

    def _bars_of(self, kind: str, title: str, unit: str) -> figure:
        chart = plot(title, "position, from input to output", unit, height=HEIGHT, **PLACES, **POWERS)
        self._bars[kind] = LogBars(chart, {name: look[:2] for name, look in NAMES.items()}, dots=DOT)
        return chart

    def update(self, frame: Frame) -> None:
        for measure, curves in self._curves.items():
            curves.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_{measure}") for name in NAMES})
        for kind, bars in self._bars.items():
            bars.show({name: frame[f"{name}_{kind}"] for name in NAMES})
