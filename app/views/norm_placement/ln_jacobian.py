"""The remaining gradient after more and more blocks, and the singular values of the norm."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, empty, fit, paint, plot, quiet_legend, surround
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.norm_placement.ln_jacobian import LnJacobian

LINES = {
    "skip": ("skips only", "fourth", "dashed"),
    "full": ("all paths", "accent", "solid"),
    "power": ("1/√(1 + v) each", "idle", "dotted"),
}
"""Line → its name, color and dash"""

ROOM = 112
"""Pixels for the longest name at the end of a line"""


class LnJacobianView(View[LnJacobian]):
    """Lines for the gradient; dots for singular values as a measure."""

    def draw(self) -> list[LayoutDOM]:
        left = plot(
            "Gradient that is left", "sublayers passed, going back", "share", height=340, x_range=(0, 1), **POWERS
        )
        left.styles = {"grid-column": "1 / -1"}
        self._left = empty("x", *LINES)
        for name, (_label, color, dash) in LINES.items():
            line = left.line("x", name, source=self._left, line_width=3, line_dash=dash)
            paint(line, line_color=color)
        self._ends = EndLabels(left, {name: color for name, (_label, color, _dash) in LINES.items()}, ROOM)
        self._lines = left
        return [left]

    def measures(self) -> list[LayoutDOM]:
        values = plot(
            "Singular values", "number, largest first", "factor on the gradient", x_range=(0, 65), y_range=(0, 1)
        )
        self._values = empty("x", "alone", "whole")
        for name, label, color, marker in (
            ("whole", "whole sublayer", "accent", "triangle"),
            ("alone", "σ × the norm alone", "fourth", "circle"),
        ):
            paint(
                values.scatter("x", name, source=self._values, marker=marker, size=5, legend_label=label),
                fill_color=color,
                line_color=color,
            )
        self._zeros = empty("x", "y")
        paint(
            values.scatter("x", "y", source=self._zeros, marker="x", size=10, line_width=2),
            line_color="zero",
            fill_color="zero",
        )
        quiet_legend(values)
        self._dots = values
        return [values]

    def update(self, frame: Frame) -> None:
        places, alone = frame["number"], frame["alone"]
        zero = alone < 1e-9
        self._values.data = {"x": places, "alone": np.where(zero, np.nan, alone), "whole": frame["whole"]}
        self._zeros.data = {"x": places[zero], "y": np.zeros(int(zero.sum()))}
        surround(self._dots, [alone, frame["whole"]])
        self._lines.x_range.update(end=float(frame["passed"][-1]))
        fit(self._lines, [frame[name] for name in LINES])
        self._left.data = {"x": frame["passed"], **{name: frame[name] for name in LINES}}
        last = {name: float(frame[name][-1]) for name in LINES}
        words = {
            name: LINES[name][0] if name == "power" else f"{LINES[name][0]} {number(last[name], 2)}" for name in LINES
        }
        self._ends.show(float(frame["passed"][-1]), {name: (last[name], words[name]) for name in LINES})
