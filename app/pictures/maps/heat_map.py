"""A grid of colors for numbers that span many powers of ten, with a separate gray for exact zero."""

import math
from typing import Any

import numpy as np
from bokeh.models import FixedTicker, Image, LinearColorMapper
from bokeh.models.annotations import ColorBar
from bokeh.palettes import Viridis256

from app.pictures.base.figures import empty, ink, plot
from sims.contract.wording import tick

FEWEST = 2
"""Minimum number of powers of ten that the colors span."""
MOST = 12
"""Maximum number: smaller values all have the darkest color."""


class HeatMap:
    """The figure, created once; `show` moves its data. Violet is small and yellow is large, on a logarithmic scale.

    The palette contains no gray, so that the gray of exact zero is distinct.
    """

    def __init__(self, title: str, x_label: str, y_label: str, **options: Any) -> None:
        self.figure = plot(title, x_label, y_label, x_range=(0, 1), y_range=(0, 1), **options)
        self.figure.grid.visible = False
        self._image = empty("image", "x", "y", "width", "height")
        self._mapper = LinearColorMapper(palette=Viridis256, low=-1, high=0, nan_color="#00000000")
        ink(self._mapper, low_color="rule")
        picture = Image(image="image", x="x", y="y", dw="width", dh="height", color_mapper=self._mapper)
        self.figure.add_glyph(self._image, picture)
        self._ticker = FixedTicker(ticks=[])
        self._bar = ColorBar(
            color_mapper=self._mapper,
            ticker=self._ticker,
            width=8,
            padding=4,
            background_fill_alpha=0,
            bar_line_color=None,
            major_tick_line_color=None,
        )
        ink(self._bar, major_label_text_color="soft")
        self.figure.add_layout(self._bar, "right")

    def show(
        self, values: np.ndarray, x: tuple[float, float], y: tuple[float, float], *, columns: float | None = None
    ) -> None:
        """Move the data: values (rows, columns) of 0 or more, the first row at the bottom; non-finite values stay
        empty.

        `x` and `y` are the edges of the whole grid. With `columns`, the grid will have that many columns in the end,
        and fills only its share of the width.
        """
        drawable = np.isfinite(values) & (values > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            powers = np.log10(values)
        low, high = (powers[drawable].min(), powers[drawable].max()) if drawable.any() else (-1.0, 0.0)
        head = math.ceil(high)
        foot = max(min(math.floor(low), head - FEWEST), head - MOST)
        if (self._mapper.low, self._mapper.high) != (foot, head):
            self._mapper.update(low=foot, high=head)
            step = max(1, math.ceil((head - foot) / 5))
            ticks = list(range(foot, head + 1, step))
            self._ticker.ticks = ticks
            self._bar.major_label_overrides = {exponent: tick(exponent) for exponent in ticks}
        powers = np.where(drawable, np.maximum(powers, foot), np.where(values == 0, foot - 1.0, np.nan))
        share = 1.0 if columns is None else values.shape[1] / columns
        for axis, (start, end) in ((self.figure.x_range, x), (self.figure.y_range, y)):
            bounds: Any = axis
            if (bounds.start, bounds.end) != (start, end):
                bounds.update(start=start, end=end)
        self._image.data = {
            "image": [powers],
            "x": [x[0]],
            "y": [y[0]],
            "width": [(x[1] - x[0]) * share],
            "height": [y[1] - y[0]],
        }
