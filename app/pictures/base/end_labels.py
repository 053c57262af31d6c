"""Labels at the right ends of lines, instead of a legend: each in the color of its line, without overlaps."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bokeh.models import ColumnDataSource, LogScale
from bokeh.plotting import figure

from app.pictures.base.direct import spread_out
from app.pictures.base.figures import HEIGHT, empty, paint

AROUND = 76
"""Approximate pixels of a figure's height that its title and its horizontal axis take"""

PATCH: dict[str, Any] = {"background_fill_alpha": 0.85, "padding": 2}
"""For labels that may overlap a line: a background, to be painted like the panel"""

END = "end"
"""Tag of labels; on a phone, the border is only as wide as they are (app/static/bokeh/gutters.js)"""

LINE = 17
"""Pixels from one line of text to the next"""


class EndLabels:
    """Labels in the border right of the plot area. Set the data of the lines and the range of the axis first.

    Each is at the end of its line, plus an offset in pixels: a page may show the figure higher than it is here, and
    then the labels stay as close to each other.
    """

    def __init__(self, plot_: figure, colors: Mapping[str, str], room: int) -> None:
        """`colors`: name → color of its label. `room`: width of the border in pixels."""
        self._plot = plot_
        self._inside = (plot_.height or HEIGHT) - AROUND
        plot_.min_border_right = room
        self._sources = {}
        for name, color in colors.items():
            source = self._sources[name] = empty("x", "y", "text", "offset")
            text = plot_.text(
                "x",
                "y",
                "text",
                source=source,
                text_font_size="13px",
                text_baseline="middle",
                x_offset=7,
                y_offset="offset",
                level="overlay",
            )
            text.tags = [END]
            paint(text, text_color=color)

    def of(self, *names: str) -> list[ColumnDataSource]:
        """The sources of these labels; of all if none is given."""
        return [self._sources[name] for name in names or self._sources]

    def show(self, x: float, ends: Mapping[str, tuple[float, str]]) -> None:
        """Move the labels. `ends`: name → (where its line ends, words); a missing name has no label.

        A line that ends beyond the axis has its label at the end of the axis; one without a finite end, at the bottom.
        """
        axis: Any = self._plot.y_range
        bent, back = (math.log10, lambda power: 10.0**power) if self._is_logarithmic() else (float, float)
        low, high = bent(axis.start), bent(axis.end)

        def share(value: float) -> float:
            if not math.isfinite(value) or (value <= 0 and self._is_logarithmic()):
                return 0.0
            return min(max((bent(value) - low) / (high - low), 0.0), 1.0)

        shares = [share(value) for value, _words in ends.values()]
        rows = {
            name: (x, back(low + own * (high - low)), words, (own - place) * self._inside)
            for (name, (_value, words)), own, place in zip(
                ends.items(), shares, apart(shares, LINE / self._inside), strict=True
            )
        }
        for name, source in self._sources.items():
            mine = [rows[name]] if name in rows else []
            source.data = {key: [row[at] for row in mine] for at, key in enumerate(("x", "y", "text", "offset"))}

    def _is_logarithmic(self) -> bool:
        return isinstance(self._plot.y_scale, LogScale)


def apart(places: Sequence[float], gap: float) -> list[float]:
    """Places from 0 to 1, `gap` apart and in the same order, each as close to its own as possible."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = spread_out(places, gap)
    floor, ceiling = 0.0, 1.0
    for at in order:
        moved[at] = max(moved[at], floor)
        floor = moved[at] + gap
    for at in reversed(order):
        moved[at] = min(moved[at], ceiling)
        ceiling = moved[at] - gap
    return moved
