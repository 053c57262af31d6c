"""Products and sums below the two roofs of a machine, and bars for the time of a product and of the sum after it."""

import math
from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.direct import Bands, Words
from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import empty, named_ticks, paint, plot, ticks_at, words
from app.pictures.base.pairs import pair
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number, tick
from sims.instruments.costs.timed_operations import OPERATIONS
from sims.simulations.costs.roofline import LITTLE, SIZES, WIDTHS, Roofline

LOOKS = {
    "product": ("third", "square"),
    "fused": ("fifth", "diamond"),
    "in_place": ("residual", "circle"),
    "fresh": ("fourth", "triangle"),
    "relu": ("idle", "inverted_triangle"),
}
"""Operation → color and marker"""

NAMES = {
    "product": "product",
    "fused": "product + sum",
    "in_place": "sum in place",
    "fresh": "sum, fresh memory",
    "relu": "ReLU",
}

LEFT, RIGHT = 0.03, 1000.0
"""Ends of the axis of operations per byte, which is fixed"""

BELOW = {"product": 3.2, "fused": 7.0}
"""Product → how far its label is below its mark, as a factor: nothing else is there. It ends at the mark, which is far
to the right."""

UNDER = 7
"""Pixels from the middle of such a mark to the right end of its label"""

APART = 0.085
"""Smallest distance of two labels, as a share of the vertical axis"""

LOW, HIGH = 0.1, 1000.0
"""Ends of the other axis before anything is timed"""

ROWS = {
    "product alone": ("product", ""),
    "then sum, fresh memory": ("product", "fresh"),
    "then sum in place": ("product", "in_place"),
    "both in one": ("fused", ""),
}
"""Label above a bar → the operations that it consists of, from the top"""

BEYOND = 1.24
"""Length of the bars' axis relative to the longest bar: room for its number"""

SIZE_NAMES = {2**18: "0.3", 2**20: "1", 2**22: "4", 2**24: "17", 2**26: "67", 2**28: "268"}


class RooflineView(View[Roofline]):
    """The main picture: the roofs and the bars."""

    def draw(self) -> list[LayoutDOM]:
        roofs = self._draw_roofs()
        bars = self._draw_bars()
        pair((roofs, bars))
        return [roofs, bars]

    def _draw_roofs(self) -> Any:
        chart = self._roofs = plot(
            "Below two roofs",
            "operations per byte moved",
            "billion operations/s",
            x_axis_type="log",
            y_axis_type="log",
            x_range=(LEFT, RIGHT),
            y_range=(LOW, HIGH),
        )
        named_ticks(chart.xaxis, {10.0**power: tick(power) for power in range(-1, 4)})
        ticks_at(chart.yaxis, [])
        self._roof, self._trail = empty("x", "y"), empty("x", "y")
        paint(chart.line("x", "y", source=self._roof, line_width=3), line_color="ink")
        trail = chart.line("x", "y", source=self._trail, line_width=1.4, line_dash="dotted")
        paint(trail, line_color=LOOKS["product"][0])
        self._places = {}
        for name, (color, marker) in LOOKS.items():
            source = self._places[name] = empty("x", "y")
            dot = chart.scatter("x", "y", source=source, size=12, marker=marker, line_width=1.5)
            paint(dot, fill_color=color, line_color="panel")
        colors = {name: color for name, (color, _marker) in LOOKS.items()}
        self._names = Words(chart, {name: colors[name] for name in LOOKS if name not in BELOW}, APART)
        under = {name: colors[name] for name in BELOW}
        self._product_names = Words(chart, under, APART, text_align="right", x_offset=UNDER)
        self._above, self._under = empty("x", "y", "text"), empty("x", "y", "text")
        words(chart, self._above, "ink", text_align="right", text_baseline="bottom", y_offset=-5)
        patch = words(chart, self._under, "ink", text_align="left", text_baseline="bottom", x_offset=5, **PATCH)
        paint(patch, background_fill_color="panel")
        self._waiting = empty("x", "y", "text")
        words(chart, self._waiting, "soft")
        known(chart, self._roof, self._above, self._under)
        return chart

    def _draw_bars(self) -> Any:
        chart = self._bars = plot(
            "Processor time", "milliseconds", "", x_range=(0, 1), y_range=(-0.5, len(ROWS) - 0.35)
        )
        chart.ygrid.visible = False
        ticks_at(chart.yaxis, [])
        self._parts = {}
        for name in ("product", "fused", "in_place", "fresh"):
            source = self._parts[name] = empty("y", "left", "right")
            bars = chart.hbar("y", 0.34, "right", "left", source=source, line_color=None)
            paint(bars, fill_color=LOOKS[name][0])
        self._said, self._totals = empty("x", "y", "text"), empty("x", "y", "text")
        words(chart, self._said, "ink", text_align="left", text_baseline="bottom")
        known(chart, self._said)
        words(chart, self._totals, "ink", text_align="left", x_offset=5)
        self._nothing = empty("x", "y", "text")
        words(chart, self._nothing, "soft")
        return chart

    def measures(self) -> list[LayoutDOM]:
        shares = self._shares = plot(
            "The sum's time over the product's",
            "width",
            "share",
            x_axis_type="log",
            y_axis_type="log",
            x_range=(WIDTHS[0] / 1.2, WIDTHS[-1] * 1.2),
            y_range=(0.001, 10),
        )
        named_ticks(shares.xaxis, {float(width): number(width) for width in WIDTHS})
        named_ticks(shares.yaxis, {0.001: "0.1%", 0.01: "1%", 0.1: "10%", 1.0: "100%", 10.0: "1,000%"})
        self._little = empty("x", "y")
        line = shares.line("x", "y", source=self._little, line_width=1.4, line_dash="dotted")
        paint(line, line_color="soft")
        self._bands = Bands(shares, {"in_place": ("residual", "solid"), "fresh": ("fourth", "dashed")}, dots=True)
        self._share_names = Words(shares, {name: LOOKS[name][0] for name in ("in_place", "fresh")}, 0.09)
        traffic = self._traffic = plot(
            "Traffic by array size",
            "MB, changed in place",
            "GB/s",
            x_axis_type="log",
            x_range=(SIZES[0] / 1.5, SIZES[-1] * 1.5),
            y_range=(0, 1),
        )
        named_ticks(traffic.xaxis, {float(size): name for size, name in SIZE_NAMES.items()})
        self._ladder = empty("x", "y")
        paint(traffic.line("x", "y", source=self._ladder, line_width=2.6), line_color="ink")
        paint(traffic.scatter("x", "y", source=self._ladder, size=7), fill_color="ink", line_color="ink")
        return [shares, traffic]

    def update(self, frame: Frame) -> None:
        place = WIDTHS.index(self.simulation.width)
        times = dict(zip(OPERATIONS, frame["times"][:, place].tolist(), strict=True))
        self._show_roofs(frame, place)
        self._show_bars(times)
        self._show_measures(frame)

    def _show_roofs(self, frame: Frame, place: int) -> None:
        memory, peak = frame["roofs"].tolist()
        speeds = frame["speeds"]
        timed = speeds[np.isfinite(speeds)]
        low = min(LOW, 10.0 ** math.floor(math.log10(timed.min()))) if len(timed) else LOW
        high = max(HIGH, 10.0 ** math.ceil(math.log10(timed.max()))) if len(timed) else HIGH
        axes: Any = self._roofs
        axes.y_range.update(start=low, end=high)
        powers = range(round(math.log10(low)), round(math.log10(high)) + 1)
        named_ticks(axes.yaxis, {10.0**power: tick(power) for power in powers})
        measured = math.isfinite(memory) and math.isfinite(peak)
        ridge = peak / memory if measured else math.nan
        self._roof.data = {"x": [LEFT, ridge, RIGHT], "y": [LEFT * memory, peak, peak]} if measured else EMPTY
        self._above.data = (
            {"x": [RIGHT], "y": [peak], "text": [f"products: {number(peak)} billion/s"]} if measured else NO_WORDS
        )
        self._under.data = (
            {"x": [LEFT], "y": [45 * LEFT * memory], "text": [f"memory:\n{number(memory)} GB/s"]}
            if measured
            else NO_WORDS
        )
        row = list(OPERATIONS).index("product")
        self._trail.data = {"x": frame["intensity"][row], "y": speeds[row]}
        names = {}
        for at, (name, source) in enumerate(self._places.items()):
            x, y = float(frame["intensity"][at, place]), float(speeds[at, place])
            source.data = {"x": [x], "y": [y]} if math.isfinite(y) else EMPTY
            if math.isfinite(y):
                names[name] = (x, y / BELOW.get(name, 1.0), NAMES[name])
        self._names.show({name: label for name, label in names.items() if name not in BELOW})
        self._product_names.show({name: label for name, label in names.items() if name in BELOW})
        self._waiting.data = (
            NO_WORDS if len(timed) else {"x": [math.sqrt(LEFT * RIGHT)], "y": [10.0], "text": ["not timed yet"]}
        )

    def _show_bars(self, times: dict[str, float]) -> None:
        rows: dict[str, list[tuple[int, float, float]]] = {name: [] for name in self._parts}
        labels, totals = [], []
        for row, (label, parts) in enumerate(ROWS.items()):
            height, end = len(ROWS) - 1 - row, 0.0
            if all(math.isfinite(times[part]) for part in parts if part):
                for part in filter(None, parts):
                    rows[part].append((height, end, end + times[part]))
                    end += times[part]
                labels.append((0.0, height + 0.2, label))
                totals.append((end, float(height), number(end)))
        for name, source in self._parts.items():
            columns = zip(*rows[name], strict=True) if rows[name] else ((), (), ())
            source.data = dict(zip(("y", "left", "right"), map(list, columns), strict=True))
        for source, texts in ((self._said, labels), (self._totals, totals)):
            source.data = {key: [text[at] for text in texts] for at, key in enumerate(("x", "y", "text"))}
        self._nothing.data = NO_WORDS if totals else {"x": [0.5], "y": [1.5], "text": ["not timed yet"]}
        axes: Any = self._bars
        axes.x_range.update(end=max((BEYOND * end for end, _height, _text in totals), default=1.0))

    def _show_measures(self, frame: Frame) -> None:
        order = list(OPERATIONS)
        product = order.index("product")
        bands, ends = {}, {}
        for name, beside in (("in_place", 0.33), ("fresh", 2.2)):
            at = order.index(name)
            bands[name] = [
                frame[f"times{ending}"][at] / frame[f"times{other}"][product]
                for ending, other in (("", ""), ("_low", "_high"), ("_high", "_low"))
            ]
            share = float(bands[name][0][1])
            if math.isfinite(share):
                ends[name] = (float(WIDTHS[1]), share * beside, NAMES[name])
        self._bands.show(WIDTHS, bands)
        self._share_names.show(ends)
        self._little.data = {"x": [1, 1e5], "y": [LITTLE, LITTLE]}
        traffic = frame["traffic"]
        self._ladder.data = {"x": list(SIZES), "y": traffic}
        axes: Any = self._traffic
        axes.y_range.update(end=1.15 * float(np.nanmax(traffic, initial=1.0)))


EMPTY: dict[str, list[float]] = {"x": [], "y": []}
NO_WORDS: dict[str, list[Any]] = {"x": [], "y": [], "text": []}
