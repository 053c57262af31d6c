"""Losses over the factor on the branches, a line for each learning rate; or learned weights of the skips over the
blocks, and losses over the rate, a line for each kind of weight."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter
from bokeh.models.annotations import Span
from bokeh.plotting import figure

from app.pictures.base.direct import BESIDE, Bands, Words
from app.pictures.base.figures import empty, ink, named_ticks, paint, plot, surround, words
from app.pictures.base.questions import known
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

FACTOR_TICKS = {NONE: "0", 0.001: "0.001", 0.01: "0.01", 0.1: "0.1", 1.0: "1"}

MARGIN = 11
"""Factor by which that axis begins below α = 0, where the lines have their names"""

APART = 0.055
"""Smallest distance of two names, as a share of the vertical axis"""

PALE = 0.1
"""Opacity of the ranges of the seeds where five of them overlap"""

LINE_NAMES = {"best": "best rate", "before": "at the start"}

GIVEN = "0.001"
"""The rate whose losses the prediction compares with those of the best rates"""

NAMED = 2
"""Index of the factor at which those lines have their names"""

LOSSES = (0.001, 100.0)
"""Ends of the axis of losses, in nats; lines leave it at the top."""

KIND_LOSSES = (0.001, 10.0)

LOG: dict[str, Any] = {"y_axis_type": "log"}

ERRORS = (-0.02, 1.02)


class SumWeightsView(View[SumWeights]):
    """One figure for the factor, two for the weights: the other part's are not shown."""

    def draw(self) -> list[LayoutDOM]:
        self._losses = _over_factor(
            "Final loss by factor, a line for each rate", "training loss (nats)", height=400, **LOG, y_range=LOSSES
        )
        self._losses.x_range.update(start=NONE / MARGIN)
        self._lines, self._line_words = {}, {}
        for name, dash, wide, baseline, away in (
            ("best", "solid", 9, "top", 10),
            ("before", "dashed", 2, "bottom", -4),
        ):
            source, label = self._lines[name], self._line_words[name] = empty("x", "y"), empty("x", "y", "text")
            line = self._losses.line("x", "y", source=source, line_width=wide, line_dash=dash, line_join="round")
            paint(line, line_color="zero")
            words(self._losses, label, "soft", text_baseline=baseline, y_offset=away)
        known(self._losses, self._lines["before"], self._line_words["before"])
        self._by_factor = _bands_by_rate(self._losses, labels=False, strength=PALE)
        looks = dict(zip(map(_key, RATES), (color for color, _dash in LOOKS), strict=True))
        self._rate_words = Words(self._losses, looks, APART, text_align="right", x_offset=-BESIDE)
        known(self._losses, *self._by_factor.marks[GIVEN], *self._rate_words.of(GIVEN))
        self._marks = {name: _mark(self._losses) for name in FACTORS}
        self._mark_words = empty("x", "y", "text")
        words(self._losses, self._mark_words, "soft", text_align="left", x_offset=3)
        known(self._losses, *self._marks.values(), self._mark_words)
        self._losses.styles = {"grid-column": "1 / -1"}

        self._weights = plot("Learned weights of the skips", "block", "λ", height=340, x_range=(1, 2), y_range=(0, 1))
        self._by_block = _bands_by_rate(self._weights, dots=False)
        one = self._weights.line([0, 1e4], [1, 1], line_width=1.2)
        paint(one, line_color="zero")
        self._kinds = _over_rate("Final loss by rate", "training loss (nats)", height=340, **LOG, y_range=KIND_LOSSES)
        self._by_kind = Bands(self._kinds, KIND_LOOKS, dots=True, labels=KINDS)
        # What the page shows first comes first, since the rest is hidden.
        if self.simulation.part == "branch":
            return [self._losses, self._weights, self._kinds]
        return [self._weights, self._kinds, self._losses]

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
        for chart in (self._losses, self._errors):
            chart.visible = branches
        for chart in (self._weights, self._kinds, self._kind_errors):
            chart.visible = not branches
        if branches:
            self._show_factors(frame)
        else:
            self._show_skips(frame)

    def _show_factors(self, frame: Frame) -> None:
        # A gap between α = 0, which has a place of its own on this axis, and the other factors.
        x = np.concatenate([[NONE, NONE], frame["alphas"][1:]])
        for chart, name in ((self._by_factor, "loss"), (self._errors_by_factor, "error")):
            read = [[_with_gap(line) for line in frame[name + ending]] for ending in ENDINGS.values()]
            chart.show(x, dict(zip(map(_key, RATES), zip(*read, strict=True), strict=True)))
        for name, source in self._lines.items():
            source.data = {"x": x, "y": _with_gap(frame[name])}
            place, height = frame["alphas"][NAMED], frame[name][NAMED]
            self._line_words[name].data = {"x": [place], "y": [height], "text": [LINE_NAMES[name]]}
        first = {_key(rate): float(loss) for rate, loss in zip(RATES, frame["loss"][:, 0], strict=True)}
        inside = {key: loss for key, loss in first.items() if LOSSES[0] <= loss <= LOSSES[1]}
        self._rate_words.show({key: (NONE, loss, key) for key, loss in inside.items()})
        places = {name: float(self.simulation.blocks**power) for name, power in FACTORS.items()}
        for name, place in places.items():
            self._marks[name].update(location=place)
        top = [0.6 * LOSSES[1]] * len(places)
        self._mark_words.data = {"x": list(places.values()), "y": top, "text": list(places)}

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


def _bands_by_rate(chart: figure, dots: bool = True, labels: bool = True, strength: float = 0.18) -> Bands:
    looks = {_key(rate): look for rate, look in zip(RATES, LOOKS, strict=True)}
    return Bands(
        chart, looks, dots, {_key(rate): f"rate {number(rate)}" for rate in RATES} if labels else None, strength
    )


def _over_factor(title: str, label: str, **options: Any) -> figure:
    ends = (NONE / 1.5, ALPHAS[-1] * 1.5)
    chart = plot(title, "factor α on every branch", label, x_axis_type="log", x_range=ends, **options)
    named_ticks(chart.xaxis, FACTOR_TICKS)
    return chart


def _over_rate(title: str, label: str, **options: Any) -> figure:
    ends = (RATES[0] / 1.3, RATES[-1] * 1.3)
    chart = plot(title, "learning rate", label, x_axis_type="log", x_range=ends, **options)
    named_ticks(chart.xaxis, {rate: number(rate) for rate in RATES})
    return chart


def _mark(plot_: figure) -> Span:
    mark = Span(dimension="height", location=0, line_width=1.5, line_dash="dotted")
    ink(mark, line_color="soft")
    plot_.add_layout(mark)
    return mark


def _with_gap(values: np.ndarray) -> np.ndarray:
    gapped: np.ndarray = np.insert(values, 1, np.nan)
    return gapped
