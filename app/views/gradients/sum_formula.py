"""All paths in piles, of which a reading of the formula counts some; as a measure, both readings at every place."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import POWERS, empty, fit, named_ticks, paint, plot, words
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import MOST, RAISED, formatted, number
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


SAID = {"counted": ("accent", 4), "left out": ("residual", 23), "measured": ("ink", 42)}
"""Line of words → its color, and its pixels from the top"""

HEIGHT, HIGHEST, HEAD = 400, 500, 0.26
"""Height of the piles in pixels on a phone and on a wide window, and the share of it that is for the words"""

ABOVE = 0.025
"""Height of the triangle of a pile above it, as a share of the picture"""

LEFT = 76
"""Pixels left of the piles for the numbers at their axis"""

FEW = 10
"""From so many blocks on, the number of paths is a power of two"""

COINS, THINNEST = 40, 0.008
"""A pile of at most so many paths consists of single coins, if these are at least so thick: a share of the picture"""


class PathPiles:
    """One figure: a pile for every number of branches, created once; `show` moves the piles."""

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "branches on a path", "", height=HEIGHT, x_range=(0, 1), y_range=(0, 1))
        self.figure.update(min_border_left=LEFT)
        self.figure.styles = {"grid-column": "1 / -1", "height": f"clamp({HEIGHT}px, 40vw, {HIGHEST}px)"}
        self.figure.grid.visible = False
        for axis in (self.figure.xaxis, self.figure.yaxis):
            named_ticks(axis, {})
        self._ground = empty("x0", "x1")
        paint(self.figure.segment("x0", 0, "x1", 0, source=self._ground, line_width=1), line_color="edge")
        self.coins = {kind: empty("left", "right", "bottom", "top") for kind in ("left out", "counted")}
        for kind, source in self.coins.items():
            coins = self.figure.quad("left", "right", "bottom", "top", source=source, line_width=0.8)
            paint(coins, fill_color=SAID[kind][0], line_color="panel")
        self.marks = empty("x", "y")
        marks = self.figure.scatter("x", "y", source=self.marks, marker="inverted_triangle", size=9)
        paint(marks, fill_color="accent", line_color="accent")
        self.said = {}
        for name, (color, down) in SAID.items():
            source = self.said[name] = empty("x", "y", "text")
            looks: dict[str, Any] = {"text_align": "left", "text_baseline": "top", "text_font_style": "bold"}
            words(self.figure, source, color, y_offset=down, **looks)

    def show(self, piles: np.ndarray, paths: np.ndarray, counted: np.ndarray, said: Mapping[str, str]) -> None:
        """Show piles (L + 1,) of so many paths (L + 1,); True in `counted` (L + 1,) for those that the formula has."""
        low, high = float(min(piles.min(), 0)), float(max(piles.max(), 0))
        span = (high - low) / (1 - HEAD)
        foot, top = low - (0.03 * span if low else 0), high + HEAD * span
        last = len(piles) - 1
        self.figure.x_range.update(start=-0.7, end=last + 0.7)
        self.figure.y_range.update(start=foot, end=top)
        self._ground.data = {"x0": [-0.7], "x1": [last + 0.7]}
        coins: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in self.coins}
        for branches, (sum_, count) in enumerate(zip(piles.tolist(), paths.tolist(), strict=True)):
            single = count <= COINS and abs(sum_) / count >= THINNEST * span
            edges = np.linspace(0, sum_, int(count) + 1 if single else 2)
            kind = "counted" if counted[branches] else "left out"
            coins[kind] += [
                (branches - 0.42, branches + 0.42, min(pair), max(pair)) for pair in pairwise(edges.tolist()) if sum_
            ]
        for kind, source in self.coins.items():
            source.data = {key: [row[at] for row in coins[kind]] for at, key in enumerate(source.data)}
        few = [] if counted.all() else np.flatnonzero(counted).tolist()
        self.marks.data = {"x": few, "y": [max(float(piles[branches]), 0.0) + ABOVE * span for branches in few]}
        named_ticks(self.figure.xaxis, {at: number(at) for at in range(0, last + 1, max(1, last // 5))})
        ends = {end: _brief(end, 2) for end in (low, high) if end}
        named_ticks(self.figure.yaxis, {0.0: "0"} | ends)
        for name, source in self.said.items():
            source.data = {"x": [-0.6], "y": [top], "text": [said[name]]}


class SumFormulaView(View[SumFormula]):
    """The piles, counted or left out by the chosen reading; as a measure, the reading and what is measured."""

    def draw(self) -> list[LayoutDOM]:
        self._piles = PathPiles("What all paths add")
        return [self._piles.figure]

    def measures(self) -> list[LayoutDOM]:
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
            label = figure.text(
                *("x", "y", "text"),
                source=source,
                text_font_size="13px",
                text_baseline="middle",
                x_offset=12,
                y_offset="lift",
            )
            paint(label, text_color=color)
        return [figure]

    def update(self, frame: Frame) -> None:
        piles, right = frame["piles"], self.simulation.formula == "right"
        counted = np.full(len(piles), right)
        counted[[0, -1]] = True
        self._piles.show(piles, frame["paths"], counted, self._said(frame, bool(counted.all())))
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

    def _said(self, frame: Frame, everything: bool) -> dict[str, str]:
        blocks = self.simulation.blocks
        paths = number(2**blocks) if blocks < FEW else f"2{str(blocks).translate(RAISED)}"
        claimed, measured = (float(frame.results[name]) for name in ("claimed", "measured"))
        sums = [_brief(_rounded(value), 4) for value in (claimed, measured - claimed, measured)]
        return {
            "counted": f"counted: {'all' if everything else '2 of'} {paths} paths, sum {sums[0]}",
            "left out": "left out: none" if everything else f"left out: all others, sum {sums[1]}",
            "measured": f"measured: {sums[2]}",
        }

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
