"""Error and loss of the deeper network, next to those of the network it was made from."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import POWERS, STEPS, Curves, empty, paint, plot
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.insert_identity import InsertIdentity

FLOOR = 1e-9
"""Where an exact zero is drawn on the logarithmic axis, as a gray cross."""


class InsertIdentityView(View[InsertIdentity]):
    """How far the outputs moved, and what further training makes of it."""

    def draw(self) -> list[LayoutDOM]:
        names = {"shallow": ("before", "idle", "dashed"), "deep": ("with the inserted layers", "plain", "solid")}
        change = plot(
            "Largest change of any output",
            "seed",
            "change (a cross is exactly 0)",
            y_axis_type="log",
            y_range=(FLOOR / 3, 1e3),
            x_range=(0.3, 5.7),
        )
        self._change, self._zero = empty("x", "y"), empty("x", "y")
        moved = change.scatter("x", "y", source=self._change, size=11)
        still = change.scatter("x", "y", source=self._zero, marker="x", size=13, line_width=3)
        paint(moved, fill_color="plain", line_color="plain")
        paint(still, line_color="zero", fill_color="zero")
        error = plot("Training error", "further step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        loss = plot("Training loss", "further step", "cross-entropy (nats)", **STEPS, **POWERS)
        self._error, self._loss = Curves(error, names), Curves(loss, names)
        return [change, error, loss]

    def update(self, frame: Frame) -> None:
        change = frame["change"]
        places = range(1, len(change) + 1)
        self._change.data = {
            "x": [x for x, y in zip(places, change, strict=True) if y > 0],
            "y": [y for y in change if y > 0],
        }
        zeros = [x for x, y in zip(places, change, strict=True) if y == 0]
        self._zero.data = {"x": zeros, "y": [FLOOR] * len(zeros)}
        for curves, measure in ((self._error, "error"), (self._loss, "loss")):
            bands = {name: read(frame, f"{name}_{measure}") for name in ("shallow", "deep")}
            curves.show(frame["steps"], frame.steps, bands)
