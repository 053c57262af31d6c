"""The two readings of a formula over the place where the gradient arrives, and the measured derivative as crosses."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.figures import POWERS, empty, fit, paint, plot, quiet_legend
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.sum_formula import SumFormula

BELOW_ONE = np.array([0.5])
"""The axis reaches below 1, where the wrong reading runs along."""


class SumFormulaView(View[SumFormula]):
    """One figure: the chosen reading as a line, what is measured as crosses."""

    def draw(self) -> list[LayoutDOM]:
        figure = plot(
            "Derivative, claimed and measured",
            "block l",
            "size of ∂x_L/∂x_l",
            height=300,
            x_range=(-0.5, 1),
            **POWERS,
        )
        self._figure = figure
        self._claimed, self._measured = empty("x", "y"), empty("x", "y")
        line = figure.line("x", "y", source=self._claimed, line_width=2.6, legend_label="1 + the second term")
        dots = figure.scatter("x", "y", source=self._claimed, size=7, legend_label="1 + the second term")
        cross = figure.scatter(
            "x", "y", source=self._measured, marker="cross", size=13, line_width=2.5, legend_label="measured"
        )
        paint(line, line_color="accent")
        paint(dots, fill_color="accent", line_color="accent")
        paint(cross, line_color="residual")
        quiet_legend(figure)
        return [figure]

    def update(self, frame: Frame) -> None:
        claimed, seen = (_sizes(frame[name]) for name in ("formula", "measured"))
        fit(self._figure, [claimed, seen, BELOW_ONE])
        places = np.arange(len(seen))
        self._figure.x_range.update(start=-0.5, end=len(seen) - 0.5)
        self._claimed.data = {"x": places, "y": claimed}
        self._measured.data = {"x": places, "y": seen}


def _sizes(values: np.ndarray) -> np.ndarray:
    """Sizes for a logarithmic axis; an exact zero, and what rounding leaves of one, is left out."""
    size = np.abs(values)
    return np.where(size > 1e-12, size, np.nan)
