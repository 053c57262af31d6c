"""The effect of the first layer's values on the loss of a small language model, and how much its layers use them."""

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LayoutDOM, LinearScale, Range1d
from bokeh.plotting import figure

from app.pictures.base.direct import Bands
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import STEPS, empty, paint, plot, surround, ticks_at, words
from app.pictures.base.questions import HEIGHT, is_result, until_answered
from app.pictures.maps.value_ribbons import Model, ValueRibbons
from app.views.base import View
from sims.contract.bands import ENDINGS, read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.language_models.value_residual import FORMS, ValueResidual

LOOKS = {"plain": ("idle", "solid"), "learned": ("residual", "dashed"), "shared": ("third", "dotdash")}
"""Form → its color and dash"""

BRIEFLY = {"plain": "own", "learned": "own + first", "shared": "first only"}

TITLES = {"learned": "Own + first", "shared": "First only"}
"""Form → the title of its picture"""

WEIGHTS = {"first": ("third", "dotdash"), "own": ("idle", "solid")}
"""Whose values → color and dash of their weight"""

NAMES = {"first": "first layer's", "own": "own"}

PLACES = ("median", "lowest", "highest")
"""Words for the curves of a band, in their order"""

ASKED = {"a higher loss?": 0.85, "as with own values": 0.62, "a lower loss?": 0.25}
"""What is in each picture before the answer → its height, as a share of the picture's"""

LOW = 205
"""Height of the losses in pixels"""

ROOM = 94
"""Pixels for the names on the right"""


class ValueResidualView(View[ValueResidual]):
    """The models with their values as ribbons, and below them two losses relative to that with own values."""

    def draw(self) -> list[LayoutDOM]:
        self._differences = {
            form: plot(
                f"{title}: loss minus that of own values",
                "training step",
                "nats; below 0: lower",
                y_range=(0, 1),
                **STEPS,
            )
            for form, title in TITLES.items()
        }
        self._bands, self._ends, self._asked = {}, {}, {}
        for form, chart in self._differences.items():
            paint(chart.line([-1e9, 1e9], [0, 0], line_width=1.6), line_color="edge")
            self._bands[form] = Bands(chart, {form: LOOKS[form]})
            edges = {f"{form}{ending}": ending for ending in ENDINGS.values() if ending}
            for edge in edges:
                line = chart.line("x", edge, source=self._bands[form].source, line_width=1.2)
                paint(line, line_color=LOOKS[form][0])
            self._ends[form] = EndLabels(chart, dict.fromkeys(PLACES, LOOKS[form][0]), ROOM)
            self._asked[form] = _ask(chart)
            chart.height = LOW
        self._ribbons = ValueRibbons("The values that each layer mixes", len(FORMS), 0.5)
        return [self._ribbons.figure, *self._differences.values()]

    def measures(self) -> list[LayoutDOM]:
        weights = plot("Learned weights of values", "layer", "", x_range=(0, 1), y_range=(0, 1))
        self._weights = _Lines(weights, WEIGHTS, dots=True, from_zero=True)
        self._half = empty("x", "y")
        half = weights.line("x", "y", source=self._half, line_dash="dotted", line_width=1.4)
        paint(half, line_color="soft")
        losses = plot("Held-out loss", "training step", "nats per symbol", y_range=(0, 1), **STEPS)
        self._losses = _Lines(losses, LOOKS)
        heard = plot("Effective number of symbols heard", "layer", "symbols", x_range=(0, 1), y_range=(0, 1))
        self._heard = _Lines(heard, LOOKS, dots=True)
        return [weights, losses, heard]

    def update(self, frame: Frame) -> None:
        steps = frame["steps"]
        losses = {form: read(frame, f"{form}_loss") for form in FORMS}
        self._losses.show(steps, 0, frame.steps, losses, BRIEFLY)
        self._show_differences(frame)
        weights = {name: read(frame, name) for name in WEIGHTS}
        self._ribbons.show([_model(frame, form) for form in FORMS])
        blocks = len(weights["own"][0]) + 1
        self._weights.show(np.arange(2, blocks + 1), 1, blocks, weights, NAMES)
        self._half.data = {"x": [0, blocks + 1], "y": [0.5, 0.5]}
        heard = {form: read(frame, f"{form}_heard") for form in FORMS}
        self._heard.show(np.arange(1, blocks + 1), 1, blocks, heard, BRIEFLY)
        for lines in (self._weights, self._heard):
            ticks_at(lines.figure.xaxis, list(range(1, blocks + 1)))

    def _show_differences(self, frame: Frame) -> None:
        """Both on one scale."""
        bands = {form: read(frame, f"{form}_behind") for form in TITLES}
        for form, chart in self._differences.items():
            chart.x_range.update(start=0, end=frame.steps)
            middle = [frame.steps / 2] * len(ASKED)
            self._asked[form].data = {"x": middle, "y": [*ASKED.values()], "text": [*ASKED]}
            surround(chart, [np.zeros(1), *(curve for band in bands.values() for curve in band)])
            self._bands[form].show(frame["steps"], {form: bands[form]})
            last = {place: float(curve[-1]) for place, curve in zip(PLACES, bands[form], strict=True)}
            ends = {place: (value, f"{place} {number(value, 2)}") for place, value in last.items()}
            self._ends[form].show(float(frame["steps"][-1]), ends if frame.step else {})


def _model(frame: Frame, form: str) -> Model:
    """A form's weights, which are learned or follow from what it is, and its loss."""
    ones = np.ones_like(frame["own"])
    fixed = {"plain": {"first": 0 * ones, "own": ones}, "shared": {"first": ones, "own": 0 * ones}}
    loss = f"loss {number(float(frame.results[f'{form}_loss']))}"
    weights = fixed.get(form) or {name: frame[name] for name in WEIGHTS}
    return Model(FORMS[form], weights, form not in fixed, loss)


def _ask(chart: figure) -> ColumnDataSource:
    """Draw the question until the answer: the ticks of the true axis would give it away."""
    chart.extra_y_ranges, chart.extra_y_scales = {HEIGHT: Range1d(start=0, end=1)}, {HEIGHT: LinearScale()}
    line = chart.line([-1e9, 1e9], [0.5, 0.5], line_width=1.6, y_range_name=HEIGHT)
    paint(line, line_color="edge")
    asked = empty("x", "y", "text")
    until_answered(chart, line, words(chart, asked, "soft", y_range_name=HEIGHT))
    for axis in (chart.yaxis[0], chart.ygrid[0]):
        is_result(axis)
    return asked


class _Lines:
    """Lines within their bands, with names at their ends."""

    def __init__(
        self, chart: Any, looks: dict[str, tuple[str, str]], dots: bool = False, from_zero: bool = False
    ) -> None:
        self.figure = chart
        self._from_zero = from_zero
        self._bands = Bands(chart, looks, dots=dots)
        self._ends = EndLabels(chart, {name: color for name, (color, _dash) in looks.items()}, ROOM)
        if dots:
            ticks_at(chart.xaxis, [])

    def show(self, x: np.ndarray, start: float, end: float, bands: dict[str, Any], names: dict[str, str]) -> None:
        self.figure.x_range.update(start=start - 0.2 * (start > 0), end=end + 0.2 * (start > 0))
        values = [curve for band in bands.values() for curve in band]
        surround(self.figure, [*values, np.zeros(1)] if self._from_zero else values)
        self._bands.show(x, bands)
        places = {name: float(band[0][-1]) for name, band in bands.items() if np.isfinite(band[0][-1])}
        self._ends.show(float(x[-1]), {name: (place, names[name]) for name, place in places.items()})
