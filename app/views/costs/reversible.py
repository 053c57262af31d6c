"""An image that is computed back from the output; as measures, errors against depth, and the memory."""

import math
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.direct import Bands
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import empty, named_ticks, paint, plot, ticks_at
from app.pictures.maps.recovered_images import ImageTable, Journey
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import blocks, number, percent, power_of_ten, tick
from sims.instruments.costs.reconstruction import WIDTH
from sims.simulations.costs.reversible import DEPTHS, HOLDERS, PRECISIONS, STAGES, Reversible

LOOKS = {
    "bfloat16": ("failing", "dashed"),
    "float16": ("fourth", "dashdot"),
    "float32": ("residual", "solid"),
    "float64": ("third", "dotted"),
}
"""Precision → color and dash of its line"""

LEAST, MOST = 1e-18, 1e8
"""Ends of the axis, which is fixed"""

LARGEST = 20.0
"""Larger errors, and NaN, are crosses in the space that the axis has above."""

CROSSES = (1e7, 10**5.4, 10**3.8, 10**2.2)
"""Heights of the crosses of the four precisions, so that they do not overlap; they have no meaning"""

EXPONENTS = (-18, -12, -6, 0)
PLACES = np.arange(len(DEPTHS))
"""Positions of the depths, each double the one before"""

ROOM = 66
"""Pixels for the names of precisions"""

COLORS = {"ordinary": "idle", "reversible": "accent"}
SIDES = {"ordinary": -0.21, "reversible": 0.21}
WIDE = 0.4
"""Width of a bar, relative to the distance between two depths"""


ROWS = PRECISIONS[::-1]
"""Rows of the table: the one with the most digits first"""

SIDE = math.isqrt(WIDTH)
"""Pixels along the image"""


def short(error: float) -> str:
    """A relative error in a few letters: a percentage, or its power of ten."""
    if not math.isfinite(error):
        return "lost"
    if not error:
        return "0"
    power = math.floor(math.log10(error))
    return percent(error) if -4 < power < 1 else power_of_ten(power)


def power_within(difference: np.ndarray) -> int | None:
    """The largest power of ten, from 0, by which all values can be multiplied without leaving −1 to 1; None where there
    are none."""
    largest = float(np.abs(difference).max())
    if not math.isfinite(largest):
        return None
    return max(math.floor(-math.log10(largest)), 0) if largest else 0


class Errors:
    """A line for each precision over the depths; a cross at the top where it is no longer finite."""

    def __init__(self, title: str, label: str) -> None:
        chart = self.figure = plot(
            title,
            "blocks",
            label,
            x_range=(-0.3, len(DEPTHS) - 0.7),
            y_axis_type="log",
            y_range=(LEAST, MOST),
        )
        named_ticks(chart.xaxis, {float(place): str(depth) for place, depth in enumerate(DEPTHS)})
        named_ticks(chart.yaxis, {10.0**exponent: tick(exponent) for exponent in EXPONENTS})
        self._all = empty("x", "y")
        paint(chart.line("x", "y", source=self._all, line_width=1.6, line_dash="dotted"), line_color="soft")
        words = chart.text(
            [0], [1], ["above: lost"], text_font_size="13px", text_baseline="bottom", x_offset=-4, y_offset=-2
        )
        paint(words, text_color="soft")
        self._here = empty("x", "y0", "y1")
        mark = chart.segment("x", "y0", "x", "y1", source=self._here, line_width=12, line_alpha=0.18)
        paint(mark, line_color="accent")
        self._bands = Bands(chart, LOOKS, dots=True)
        self._lost = {name: empty("x", "y") for name in LOOKS}
        for name, source in self._lost.items():
            cross = chart.scatter("x", "y", source=source, marker="x", size=11, line_width=2.5)
            paint(cross, line_color=LOOKS[name][0])
        self._ends = EndLabels(chart, {name: color for name, (color, _dash) in LOOKS.items()}, ROOM)

    def show(self, frame: Frame, quantity: str, depth: int) -> None:
        """Move the lines; the column of `depth` is marked."""
        bands, ends = {}, {}
        for at, name in enumerate(LOOKS):
            measured, values = frame[f"{name}_known"], read(frame, f"{name}_{quantity}")
            fits = [np.where(value <= LARGEST, value, np.nan) for value in values]
            bands[name] = fits
            lost = measured & ~np.isfinite(fits[0])
            self._lost[name].data = {"x": PLACES[lost], "y": np.full(int(lost.sum()), CROSSES[at])}
            if measured.any():
                last = np.flatnonzero(measured)[-1]
                ends[name] = (CROSSES[at] if lost[last] else float(fits[0][last]), name)
        self._bands.show(PLACES, bands)
        self._all.data = {"x": [PLACES[0] - 1, PLACES[-1] + 1], "y": [1, 1]}
        place = DEPTHS.index(depth)
        self._here.data = {"x": [place], "y0": [LEAST], "y1": [MOST]}
        self._ends.show(float(PLACES[-1]) + 0.3, ends)


class ReversibleView(View[Reversible]):
    """An image on its way through the chosen stack and back, and what comes back from every stack."""

    def draw(self) -> list[LayoutDOM]:
        self._journey = Journey("An image goes through the stack and back")
        self._table = ImageTable(
            "What comes back, and its median error",
            ROWS,
            [str(depth) for depth in DEPTHS],
            "blocks",
            lambda row, column: self.change_all({"precision": ROWS[row], "depth": DEPTHS[column]}),
        )
        return [self._journey.figure, self._table.figure]

    def measures(self) -> list[LayoutDOM]:
        self._errors = Errors("Error of the reconstructed input", "share of the input")
        self._gradients = Errors("Error of the gradients of all weights", "share of the gradient")
        bars = self._draw_bars()
        figures: list[LayoutDOM] = [self._errors.figure, self._gradients.figure, bars]
        for fig in figures:
            fig.height = 340
        for fig in (self._errors.figure, bars):
            fig.on_event(Tap, self._on_tap)
        return figures

    def update(self, frame: Frame) -> None:
        depth = self.simulation.depth
        self._show_images(frame)
        self._errors.show(frame, "error", depth)
        self._gradients.show(frame, "gradient", depth)
        self._show_bars(frame)

    def _show_images(self, frame: Frame) -> None:
        name, at = self.simulation.precision, DEPTHS.index(self.simulation.depth)
        given, out, back = (
            values.reshape(SIDE, SIDE)
            for values in (frame["digit"], *(frame[f"{name}_{stage}"][at] for stage in STAGES))
        )
        power = power_within(back - given)
        measured = bool(frame[f"{name}_known"][at])
        came = "computed back" if np.isfinite(back).all() or not measured else "lost: it overflowed"
        labels = ["goes in", f"after {blocks(self.simulation.depth)}", came, ""]
        if power is not None:
            labels[3] = f"difference × {power_of_ten(power)}" if power else "difference"
        self._journey.show(given, out, back, labels, 10.0 ** (power or 0))
        errors = np.array([frame[f"{row}_error"] for row in ROWS])
        known = np.array([frame[f"{row}_known"] for row in ROWS])
        images = np.array([frame[f"{row}_back"] for row in ROWS]).reshape(*errors.shape, SIDE, SIDE)
        lost = known & ~(errors < 1)
        numbers = [
            [short(error) if is_known else "" for error, is_known in zip(*row, strict=True)]
            for row in zip(errors, known, strict=True)
        ]
        self._table.show(given, images, numbers, lost, (ROWS.index(name), at))

    def _draw_bars(self) -> figure:
        bars = self._bars = plot(
            "Held for the backward pass", "blocks", "kB", x_range=(-0.6, len(DEPTHS) - 0.4), y_range=(0, 1)
        )
        named_ticks(bars.xaxis, {float(place): str(depth) for place, depth in enumerate(DEPTHS)})
        ticks_at(bars.yaxis, [])
        self._here = empty("x", "y0", "y1")
        mark = bars.segment("x", "y0", "x", "y1", source=self._here, line_width=12, line_alpha=0.18)
        paint(mark, line_color="accent")
        self._heights, self._numbers, self._names = {}, {}, {}
        for name in HOLDERS:
            source = self._heights[name] = empty("x", "top")
            paint(bars.vbar("x", WIDE, "top", 0, source=source, line_color=None), fill_color=COLORS[name])
            self._numbers[name] = empty("x", "y", "text")
            numbers = bars.text(
                *("x", "y", "text"),
                source=self._numbers[name],
                text_font_size="13px",
                text_align="center",
                text_baseline="bottom",
                y_offset=-2,
            )
            paint(numbers, text_color=COLORS[name])
            labels = self._names[name] = empty("x", "y", "text")
            paint(bars.text("x", "y", "text", source=labels, text_font_size="13px"), text_color=COLORS[name])
        return bars

    def _show_bars(self, frame: Frame) -> None:
        name = self.simulation.precision
        heights = {holder: frame[f"{name}_{holder}"] for holder in HOLDERS}
        maxima = [height[np.isfinite(height)].max(initial=0) for height in heights.values()]
        top = 1.16 * max(*maxima, 1.0)
        self._bars.y_range.update(start=0, end=top)
        place = DEPTHS.index(self.simulation.depth)
        self._here.data = {"x": [place], "y0": [0], "y1": [top]}
        for at, (holder, values) in enumerate(heights.items()):
            x, finite = PLACES + SIDES[holder], np.isfinite(values)
            self._heights[holder].data = {"x": x[finite], "top": values[finite]}
            # A phone has room for only these numbers.
            labeled = [
                int(column) for column in np.flatnonzero(finite) if holder == "ordinary" and column >= len(DEPTHS) - 3
            ]
            labeled += [place] if finite[place] and place not in labeled else []
            self._numbers[holder].data = {
                "x": x[labeled],
                "y": values[labeled],
                "text": [number(round(float(value)), 3) for value in values[labeled]],
            }
            words = HOLDERS[holder] if finite.any() else ""
            self._names[holder].data = {
                "x": [-0.5],
                "y": [top * (0.9 - 0.1 * at)],
                "text": [f"■ {words}" if words else ""],
            }
        if not np.isfinite(heights["ordinary"]).any():
            self._names["ordinary"].data = {"x": [-0.5], "y": [top / 2], "text": ["not measured yet"]}

    def _on_tap(self, event: Any) -> None:
        if isinstance(event.x, float | int):
            self.change("depth", DEPTHS[min(max(round(event.x), 0), len(DEPTHS) - 1)])
