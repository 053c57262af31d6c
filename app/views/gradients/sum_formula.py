"""Two readings of a formula over the place where the gradient arrives, and the measured derivative as crosses."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import POWERS, empty, fit, paint, plot
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import MOST, formatted, number
from sims.simulations.gradients.sum_formula import SumFormula

AROUND_ONE = np.array([0.5, 2.0])
"""The axis always includes both sides of 1, where the wrong reading runs."""

ROOM = 10.0
"""Factor by which the axis extends beyond the data, so that labels have room there."""

APART, FAR = 1.5, 30.0
"""Factors from which on two marks have labels on both sides, and the label says how far apart they are."""

ZERO = 1e-12
"""Smaller sizes are the rounding errors of a zero."""

FORMULAS = {"wrong": "1 + ∏ g: the formula, misread", "right": "1 + all other paths: the formula"}


class SumFormulaView(View[SumFormula]):
    """One figure: the chosen reading as a line, measurements as crosses, and how far apart they are."""

    def draw(self) -> list[LayoutDOM]:
        figure = plot(
            "Derivative, claimed and measured",
            "block l",
            "size of the derivative",
            height=390,
            x_range=(-0.5, 1),
            **POWERS,
        )
        figure.styles = {"grid-column": "1 / -1"}
        self._figure = figure
        self._claimed, self._measured, self._gap = empty("x", "y"), empty("x", "y"), empty("x", "low", "high")
        gap = figure.segment("x", "low", "x", "high", source=self._gap, line_width=1.4, line_dash="dotted")
        line = figure.line("x", "y", source=self._claimed, line_width=2.6)
        dots = figure.scatter("x", "y", source=self._claimed, size=7)
        cross = figure.scatter("x", "y", source=self._measured, marker="cross", size=14, line_width=2.8)
        paint(gap, line_color="ink")
        paint(line, line_color="accent")
        paint(dots, fill_color="accent", line_color="accent")
        paint(cross, line_color="residual")
        self._words = {}
        for name, color in {"claimed": "accent", "measured": "residual", "apart": "ink"}.items():
            source = self._words[name] = empty("x", "y", "text", "lift")
            words = figure.text(
                *("x", "y", "text"),
                source=source,
                text_font_size="13px",
                text_baseline="middle",
                x_offset=12,
                y_offset="lift",
            )
            paint(words, text_color=color)
        return [figure]

    def update(self, frame: Frame) -> None:
        claimed, measured = (_sizes(frame[name]) for name in ("formula", "measured"))
        fit(
            self._figure,
            [*(sizes * factor for sizes in (claimed, measured) for factor in (ROOM, 1 / ROOM)), AROUND_ONE],
        )
        places = np.arange(len(measured))
        self._figure.x_range.update(start=-0.5, end=len(measured) - 0.5)
        self._claimed.data = {"x": places, "y": claimed}
        self._measured.data = {"x": places, "y": measured}
        self._name(frame, float(claimed[0]), float(measured[0]))

    def _name(self, frame: Frame, claimed: float, measured: float) -> None:
        """Label the marks at the first block: above the higher one and below the lower one."""
        axis: Any = self._figure.y_range
        foot = float(axis.start)
        at = {
            name: size if np.isfinite(size) else foot for name, size in (("claimed", claimed), ("measured", measured))
        }
        values = {name: _brief(_rounded(float(frame.results[name])), 4) for name in at}
        texts = {
            "claimed": f"{FORMULAS[self.simulation.formula]}: {values['claimed']}",
            "measured": f"measured: {values['measured']}",
        }
        low, high = sorted(at, key=lambda name: at[name])
        factor = at[high] / at[low]
        beside = factor < APART
        lifts = {high: -34 if beside else -16, low: -16 if beside or at[low] == foot else 16}
        for name in texts:
            self._words[name].data = {"x": [0], "y": [at[name]], "text": [texts[name]], "lift": [lifts[name]]}
        gap = not beside and at[low] > foot
        self._gap.data = {"x": [0.0], "low": [at[low]], "high": [at[high] if gap else at[low]]}
        self._words["apart"].data = {
            "x": [0.0],
            "y": [float(np.sqrt(at[high] * at[low]))],
            "text": [f"{_brief(factor, 2)} times apart" if gap and factor > FAR else ""],
            "lift": [0],
        }


def _brief(value: float, digits: int) -> str:
    """A value with `digits` significant digits, even if it is a whole number."""
    rounded = f"{value:.{digits}g}"
    return number(float(rounded), digits) if abs(value) < MOST else formatted(value, f".{digits}g")


def _rounded(value: float) -> float:
    """The value, or 0 if it is only a rounding error."""
    return value if abs(value) > ZERO else 0.0


def _sizes(values: np.ndarray) -> np.ndarray:
    """Sizes for a logarithmic axis; exact zeros, and rounding errors of zeros, are omitted."""
    size = np.abs(values)
    return np.where(size > ZERO, size, np.nan)
