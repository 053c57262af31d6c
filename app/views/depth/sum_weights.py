"""A map of losses by learning rate and factor on the branches, and the best loss for each factor; or learned weights of
the skips over the blocks, and losses over the rate, a line for each kind of weight."""

import math
from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter
from bokeh.plotting import figure

from app.pictures.base.direct import Bands
from app.pictures.base.figures import empty, named_ticks, paint, plot, surround, words
from app.pictures.base.questions import known
from app.pictures.maps.loss_map import LossMap
from app.views.base import View
from sims.contract.bands import ENDINGS
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.depth.sum_weights import ALPHAS, FACTORS, KINDS, RATES, SumWeights

LOOKS = (("idle", "dotted"), ("residual", "solid"), ("third", "dashed"), ("fourth", "dotdash"), ("fifth", "solid"))
"""Color and dash of each learning rate, in the order of `RATES`"""

KIND_LOOKS = {
    "one": ("residual", "solid"),
    "learned": ("third", "dashed"),
    "constant": ("fourth", "dotdash"),
    "falling": ("fifth", "dotted"),
}
"""The same for each of `KINDS`"""

NONE = 3e-4
"""Place of α = 0 on the logarithmic axis"""

LOG_TICKS = {NONE: "0", 0.001: "0.001", 0.01: "0.01", 0.1: "0.1", 1.0: "1"}

FACTOR_TICKS = {0.0: "0", 0.001: "\n0.001", 0.01: "0.01", 0.1: "0.1", 0.3: "0.3", 0.5: "0.5", 1.0: "1", 3.0: "3"}
"""Factor → its words"""

GIVEN = "0.001"
"""The rate whose losses the prediction compares with those of the best rates"""

LINES = {GIVEN: ("residual", "dashed"), "best": ("ink", "solid")}
"""Line over the factor → its color and dash"""

LINE_NAMES = {GIVEN: f"at a rate of {GIVEN}", "best": "at the best rate", "before": "at the start"}

NAMED = 2
"""Index of the factor at which lines have their names"""

GUESSING = math.log(10)
"""The loss of a guess among ten digits, in nats"""

LOW = 215
"""Height of the losses by factor, in pixels"""

LOSSES, LOSS_TICKS = (0.003, 30.0), (0.01, 0.1, 1.0, 10.0)
"""Ends of the axis of losses, in nats, and its ticks; lines leave it at the top."""

KIND_LOSSES = (0.001, 10.0)

LOG: dict[str, Any] = {"y_axis_type": "log"}

ERRORS = (-0.02, 1.02)


class SumWeightsView(View[SumWeights]):
    """Two figures for the factor, two for the weights: the other part's are not shown."""

    def draw(self) -> list[LayoutDOM]:
        rows = [number(rate) for rate in RATES]
        self._map = LossMap(
            "Final loss; framed: the best rate", "learning rate", rows, RATES.index(float(GIVEN)), GUESSING
        )
        self._losses = plot("The loss by factor", "factor α on every branch", "nats", height=LOW, y_range=LOSSES, **LOG)
        self._losses.x_range = self._map.figure.x_range
        named_ticks(self._losses.xaxis, {})
        named_ticks(self._losses.yaxis, {loss: number(loss) for loss in LOSS_TICKS})
        self._lines = Bands(self._losses, LINES)
        self._before = empty("x", "y")
        before: Any = self._losses.line("x", "y", source=self._before, line_width=2, line_dash="dotted")
        paint(before, line_color="zero")
        self._line_words = {name: empty("x", "y", "text") for name in LINE_NAMES}
        for name, source in self._line_words.items():
            looks = {"text_baseline": "top", "y_offset": 8} if name == "best" else {"text_baseline": "bottom"}
            words(self._losses, source, "soft" if name == "before" else LINES[name][0], **({"y_offset": -5} | looks))
        known(self._losses, *self._lines.marks[GIVEN], before, self._line_words[GIVEN], self._line_words["before"])
        for chart in (self._map.figure, self._losses):
            chart.styles = {"grid-column": "1 / -1"}

        self._weights = plot("Learned weights of the skips", "block", "λ", height=340, x_range=(1, 2), y_range=(0, 1))
        self._by_block = _bands_by_rate(self._weights, dots=False)
        one = self._weights.line([0, 1e4], [1, 1], line_width=1.2)
        paint(one, line_color="zero")
        self._kinds = _over_rate("Final loss by rate", "training loss (nats)", height=340, **LOG, y_range=KIND_LOSSES)
        self._by_kind = Bands(self._kinds, KIND_LOOKS, dots=True, labels=KINDS)
        # What the page shows first comes first, since the rest is hidden.
        if self.simulation.part == "branch":
            return [self._map.figure, self._losses, self._weights, self._kinds]
        return [self._weights, self._kinds, self._map.figure, self._losses]

    def measures(self) -> list[LayoutDOM]:
        self._errors = _over_factor("Held-out error by factor", "error", y_range=ERRORS, height=300)
        self._kind_errors = _over_rate("Held-out error by rate", "error", y_range=ERRORS, height=300)
        for chart in (self._errors, self._kind_errors):
            chart.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._errors_by_factor = _bands_by_rate(self._errors)
        self._errors_by_kind = Bands(self._kind_errors, KIND_LOOKS, dots=True, labels=KINDS)
        return [self._errors, self._kind_errors]

    def update(self, frame: Frame) -> None:
        branches = "alphas" in frame.quantities
        for chart in (self._map.figure, self._losses, self._errors):
            chart.visible = branches
        for chart in (self._weights, self._kinds, self._kind_errors):
            chart.visible = not branches
        if branches:
            self._show_factors(frame)
        else:
            self._show_skips(frame)

    def _show_factors(self, frame: Frame) -> None:
        alphas, rows = frame["alphas"], [RATES.index(rate) for rate in frame["best_rate"]]
        marks = {float(self.simulation.blocks**power): name for name, power in FACTORS.items()}
        names = [f"α = {marks.get(alpha, number(alpha, 2))}" for alpha in alphas.tolist()]
        self._map.show(frame["loss"], names, rows if frame["looked"][0] else None)
        # Neighbors have their names on two lines, so that they are apart on a phone.
        named = {
            FACTOR_TICKS.get(alpha, f"\n{marks[alpha]}" if alpha in marks else ""): at
            for at, alpha in enumerate(alphas.tolist())
        }
        named_ticks(self._losses.xaxis, {float(at): name for name, at in named.items() if name})
        x, columns = np.arange(len(alphas)), range(len(alphas))
        lines: dict[str, Any] = {GIVEN: RATES.index(float(GIVEN)), "best": rows} if frame["looked"][0] else {}
        bands = {
            name: [frame[f"loss{ending}"][row, columns] for ending in ENDINGS.values()] for name, row in lines.items()
        }
        self._lines.show(x, bands)
        self._before.data = {"x": x, "y": frame["before"]}
        heights = {"before": frame["before"]} | {name: band[0] for name, band in bands.items()}
        for name, source in self._line_words.items():
            row = [(NAMED, heights[name][NAMED], LINE_NAMES[name])] if name in heights else []
            source.data = {key: [word[at] for word in row] for at, key in enumerate(("x", "y", "text"))}
        # A gap between α = 0, which has a place of its own on this axis, and the other factors.
        x = np.concatenate([[NONE, NONE], alphas[1:]])
        read = [[_with_gap(line) for line in frame[f"error{ending}"]] for ending in ENDINGS.values()]
        self._errors_by_factor.show(x, dict(zip(map(_key, RATES), zip(*read, strict=True), strict=True)))

    def _show_skips(self, frame: Frame) -> None:
        blocks = np.arange(1, self.simulation.blocks + 1)
        weights = [frame[f"skips{ending}"] for ending in ENDINGS.values()]
        self._by_block.show(blocks, dict(zip(map(_key, RATES), zip(*weights, strict=True), strict=True)))
        self._weights.x_range.update(start=1, end=len(blocks))
        surround(self._weights, [np.array([0.95, 1.05]), *map(np.ravel, weights)])
        for chart, name in ((self._by_kind, "loss"), (self._errors_by_kind, "error")):
            read = [frame[name + ending].T for ending in ENDINGS.values()]
            chart.show(frame["rates"], dict(zip(KINDS, zip(*read, strict=True), strict=True)))


def _key(rate: float) -> str:
    return f"{rate:g}"


def _bands_by_rate(chart: figure, dots: bool = True) -> Bands:
    looks = {_key(rate): look for rate, look in zip(RATES, LOOKS, strict=True)}
    return Bands(chart, looks, dots, {_key(rate): f"rate {number(rate)}" for rate in RATES})


def _over_factor(title: str, label: str, **options: Any) -> figure:
    ends = (NONE / 1.5, ALPHAS[-1] * 1.5)
    chart = plot(title, "factor α on every branch", label, x_axis_type="log", x_range=ends, **options)
    named_ticks(chart.xaxis, LOG_TICKS)
    return chart


def _over_rate(title: str, label: str, **options: Any) -> figure:
    ends = (RATES[0] / 1.3, RATES[-1] * 1.3)
    chart = plot(title, "learning rate", label, x_axis_type="log", x_range=ends, **options)
    named_ticks(chart.xaxis, {rate: number(rate) for rate in RATES})
    return chart


def _with_gap(values: np.ndarray) -> np.ndarray:
    gapped: np.ndarray = np.insert(values, 1, np.nan)
    return gapped
