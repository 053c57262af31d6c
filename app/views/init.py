"""The stream, the error, the distance between two networks, and the gradients of one."""

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.views.base import View
from sims.comparisons.branch_starts import STARTS
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.init import Init

LOOKS = {
    "usual": ("idle", "dotted"),
    "zero": ("third", "solid"),
    "small": ("residual", "solid"),
    "multiplied": ("residual", "dashed"),
    "gpt2": ("fourth", "dotdash"),
}
"""Color and dash: the two networks that begin as one function share a color."""


class InitView(View[Init]):
    """Five lines for five starts."""

    def draw(self) -> list[LayoutDOM]:
        names = {name: (STARTS[name], *LOOKS[name]) for name in STARTS}
        stream = plot(
            "Size of the stream", "behind block (0: the stem)", "root mean square", height=300, **STEPS, **POWERS
        )
        error = plot("Training error", "training step", "error", height=300, y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        apart = plot(
            "Between “small” and “for good”", "training step", "relative distance of answers", y_range=(0, 1), **STEPS
        )
        apart.yaxis.formatter = NumeralTickFormatter(format="0%")
        gradients = plot("Gradients within the branch", "block", "norm of the gradient", **PLACES, **POWERS)
        self._stream, self._error = Curves(stream, names), Curves(error, names)
        self._apart = Curves(apart, {"apart": ("distance", "residual", "solid")})
        self._gradients = LogBars(
            gradients, {"first": ("its first layer", "fifth"), "last": ("its last layer", "residual")}
        )
        self._range = apart.y_range
        return [stream, error, apart, gradients]

    def update(self, frame: Frame) -> None:
        places = np.arange(len(frame["usual_stream"]))
        self._stream.show(places, int(places[-1]), {name: read(frame, f"{name}_stream") for name in STARTS})
        self._error.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_error") for name in STARTS})
        distances = read(frame, "apart")
        highest = float(np.nanmax(distances[2], initial=0))
        self._range.update(end=max(1.0, np.ceil(2 * highest) / 2) if np.isfinite(highest) else 1.0)
        self._apart.show(frame["compared"], frame.steps, {"apart": distances})
        self._gradients.show({which: frame[f"{self.simulation.look}_{which}"] for which in ("first", "last")})
