"""A slice through a loss, seen from above in bands of color, and cuts through it."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import FixedTicker, Image, LinearColorMapper, LogColorMapper
from bokeh.models.annotations import ColorBar, Span
from bokeh.palettes import cividis

from app.pictures.base.figures import empty, ink, paint, plot
from sims.contract.wording import formatted, number

BANDS = 24
"""Number of color steps: their edges are contour lines of equal loss."""

FLOOR = 1e-4
"""Smaller losses are drawn at this value on a logarithmic scale."""


def limits(slices: Sequence[np.ndarray], logarithmic: bool) -> tuple[float, float]:
    """Lowest and highest finite loss of all slices; always different, and positive on a logarithmic scale."""
    finite = np.concatenate([values[np.isfinite(values)] for values in slices])
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    if logarithmic:
        low = max(low, FLOOR)
    return low, high if high > low else low + 1.0


LARGE = 1e5
"""Larger numbers are written with a power of ten."""


def round_numbers(low: float, high: float) -> dict[float, str]:
    """Two to six round numbers from low to high, and their texts; high is the larger one."""
    span = high - low
    power = 10.0 ** math.floor(math.log10(span))
    step = next(factor * power for factor in (0.2, 0.5, 1.0, 2.0) if span <= 5 * factor * power)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = [step * at for at in range(first, last + 1)]
    return {place: number(place) if abs(place) < LARGE else formatted(place, ".3g") for place in places}


class SliceMap:
    """The figure of one slice. Colors show the loss; non-finite values stay empty."""

    def __init__(self, title: str, x_label: str, y_label: str) -> None:
        self.figure = plot(title, x_label, y_label, height=330, x_range=(-1, 1), y_range=(-1, 1))
        self.figure.grid.visible = False
        self._image = empty("image", "from", "side")
        colors = cividis(BANDS)
        self._mappers = {
            True: LogColorMapper(palette=colors, low=1, high=10, nan_color="#00000000"),
            False: LinearColorMapper(palette=colors, low=0, high=1, nan_color="#00000000"),
        }
        self._pictures, self._bars = {}, {}
        self._ticker = FixedTicker(ticks=[])
        for logarithmic, mapper in self._mappers.items():
            picture = Image(image="image", x="from", y="from", dw="side", dh="side", color_mapper=mapper)
            self._pictures[logarithmic] = self.figure.add_glyph(self._image, picture)
            bar = self._bars[logarithmic] = ColorBar(
                color_mapper=mapper,
                width=9,
                padding=4,
                label_standoff=4,
                background_fill_color=None,
                major_tick_line_color=None,
                bar_line_color=None,
            )
            if not logarithmic:
                bar.ticker = self._ticker
            ink(bar, major_label_text_color="soft")
            self.figure.add_layout(bar, "right")
        self._spans = {}
        for dimension in ("width", "height"):
            span = self._spans[dimension] = Span(dimension=dimension, location=0, line_width=1, line_dash="dotted")
            ink(span, line_color="paper")
            self.figure.add_layout(span)
        self._ways, self._ends = {}, {}
        for kind, (color, marker) in {"track": ("ink", "square"), "ball": ("third", "circle")}.items():
            way = self._ways[kind] = empty("x", "y")
            end = self._ends[kind] = empty("x", "y")
            halo = self.figure.line("x", "y", source=way, line_width=5)
            line = self.figure.line("x", "y", source=way, line_width=2)
            tip = self.figure.scatter("x", "y", source=end, size=11, line_width=2, marker=marker)
            paint(halo, line_color="paper")
            paint(line, line_color=color)
            paint(tip, fill_color=color, line_color="paper")

    def show(
        self,
        values: np.ndarray,
        reach: float,
        bounds: tuple[float, float],
        logarithmic: bool,
        cut: tuple[float, float] | None = None,
    ) -> None:
        """Move the data: a slice (n, n), its outermost points at ±`reach`; dotted lines cross at `cut`."""
        mapper = self._mappers[logarithmic]
        mapper.update(low=bounds[0], high=bounds[1])
        for kind in self._mappers:
            self._pictures[kind].visible = kind is logarithmic
            self._bars[kind].visible = kind is logarithmic
        if not logarithmic:
            ticks: dict[Any, Any] = dict(round_numbers(*bounds))
            self._ticker.ticks = list(ticks)
            self._bars[False].major_label_overrides = ticks
        half = reach / (len(values) - 1)
        finite = np.where(np.isfinite(values), np.maximum(values, bounds[0]), np.nan)
        self._image.data = {"image": [finite.astype(np.float32)], "from": [-reach - half], "side": [2 * (reach + half)]}
        axes: list[Any] = [self.figure.x_range, self.figure.y_range]
        for axis in axes:
            if axis.end != reach + half:
                axis.update(start=-reach - half, end=reach + half)
        for dimension, span in self._spans.items():
            span.visible = cut is not None
            if cut is not None:
                span.location = cut[1] if dimension == "width" else cut[0]

    def trace(self, kind: str, way: np.ndarray) -> None:
        """Draw a path (points, 2) on the map, with a mark at its last point: a "track", or that of a "ball"."""
        data = {"x": way[:, 0], "y": way[:, 1]}
        self._ways[kind].data = data
        self._ends[kind].data = {axis: column[-1:] for axis, column in data.items()}
