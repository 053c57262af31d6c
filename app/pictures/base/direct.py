"""Lines with labels next to them: bands, dots, and words that avoid each other."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LogScale
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from app.pictures.base.figures import empty, paint, quiet_legend
from sims.contract.bands import ENDINGS

SIZE = 13
"""Font size of the words in pixels"""

BESIDE = 12
"""Pixels from a place to its words, more than half of the largest dot"""

BEHIND = 5
"""Pixels by which the dot of the plain network is larger, so that it shows behind another"""

LOOKS = {"plain": ("plain", "dashed"), "residual": ("residual", "solid")}
"""Name → color and dash of the lines of the two main networks"""

Place = tuple[float, float]


class Bands:
    """A median line within its band for each name, and optionally a dot at each measurement. `show` moves them."""

    def __init__(
        self,
        plot_: figure,
        looks: Mapping[str, tuple[str, str]],
        dots: bool = False,
        labels: Mapping[str, str] | None = None,
        strength: float = 0.18,
    ) -> None:
        """`looks`: prefix of the columns → (color, dash). With `labels`, by the same names, there is a legend.
        `strength` is the opacity of the bands."""
        self.source = empty("x", *(name + ending for name in looks for ending in ENDINGS.values()))
        self.marks: dict[str, list[GlyphRenderer]] = {}
        """Name → its band, its line and its dots"""
        for name, (color, dash) in looks.items():
            area = plot_.varea("x", f"{name}_low", f"{name}_high", source=self.source, fill_alpha=strength)
            paint(area, fill_color=color)
            legend: dict[str, Any] = {"legend_label": labels[name]} if labels else {}
            line = plot_.line("x", name, source=self.source, line_width=2.6, line_dash=dash, **legend)
            paint(line, line_color=color)
            self.marks[name] = [area, line]
            if dots:
                dot = plot_.scatter("x", name, source=self.source, size=5)
                paint(dot, line_color=color, fill_color=color)
                self.marks[name].append(dot)
        if labels:
            quiet_legend(plot_, 3)

    def show(self, x: Sequence[float] | np.ndarray, bands: Mapping[str, Sequence[np.ndarray]]) -> None:
        """Move the data: median, lowest and highest for each name; a name that is missing disappears."""
        data = {column: np.full(len(x), np.nan) for column in self.source.data} | {"x": np.asarray(x)}
        for name, values in bands.items():
            data |= {name + ending: value for ending, value in zip(ENDINGS.values(), values, strict=True)}
        self.source.data = data


class Dots:
    """A large dot for each name. The dot of "plain" is larger still, so that one on top of it does not hide it."""

    def __init__(self, plot_: figure, colors: Mapping[str, str], size: int = 11) -> None:
        self._sources = {name: empty("x", "y") for name in colors}
        for name, color in colors.items():
            dot = plot_.scatter(
                "x", "y", source=self._sources[name], size=size + BEHIND * (name == "plain"), line_width=1.5
            )
            paint(dot, fill_color=color, line_color="panel")

    def show(self, places: Mapping[str, Place]) -> None:
        """Name → the place of its dot; a missing name has no dot."""
        for name, source in self._sources.items():
            points = [places[name]] if name in places else []
            source.data = {"x": [x for x, _ in points], "y": [y for _, y in points]}


class Words:
    """Words in the color of the element they label."""

    def __init__(self, plot_: figure, colors: Mapping[str, str], apart: float, **options: Any) -> None:
        """`apart`: the smallest vertical distance between two words, as a share of the vertical axis, which may be
        logarithmic."""
        self._plot, self._apart = plot_, apart
        self._sources = {name: empty("x", "y", "text") for name in colors}
        looks: dict[str, Any] = {"text_font_size": f"{SIZE}px", "text_baseline": "middle", "x_offset": BESIDE} | options
        for name, color in colors.items():
            paint(plot_.text("x", "y", "text", source=self._sources[name], **looks), text_color=color)

    def of(self, *names: str) -> list[ColumnDataSource]:
        """The sources of these words."""
        return [self._sources[name] for name in names]

    def show(self, words: Mapping[str, tuple[float, float, str]]) -> None:
        """Name → place and words; a missing name has no words."""
        heights = dict(zip(words, self._heights([y for _, y, _ in words.values()]), strict=True))
        for name, source in self._sources.items():
            rows = [(words[name][0], heights[name], words[name][2])] if name in words else []
            source.data = {key: [row[k] for row in rows] for k, key in enumerate(("x", "y", "text"))}

    def _heights(self, heights: list[float]) -> list[float]:
        axis: Any = self._plot.y_range
        if not isinstance(self._plot.y_scale, LogScale):
            return spread_out(heights, self._apart * (axis.end - axis.start))
        apart = self._apart * (np.log10(axis.end) - np.log10(axis.start))
        return [10.0**power for power in spread_out(np.log10(heights).tolist(), apart)]


def spread_out(heights: Sequence[float], apart: float) -> list[float]:
    """Heights at least `apart` from each other, in the same order and as close to the given ones as possible."""
    order = np.argsort(heights, kind="stable")
    moved = np.array(heights, float)
    groups: list[list[int]] = []
    for index in order:
        groups.append([int(index)])
        while len(groups) > 1 and _low(heights, groups[-1], apart) - _high(heights, groups[-2], apart) < apart:
            last = groups.pop()
            groups[-1] += last
    for group in groups:
        low = _low(heights, group, apart)
        for place, index in enumerate(group):
            moved[index] = low + place * apart
    return moved.tolist()


def _low(heights: Sequence[float], group: Sequence[int], apart: float) -> float:
    """The lowest height of a group that is spread evenly around its mean."""
    return sum(heights[index] for index in group) / len(group) - apart * (len(group) - 1) / 2


def _high(heights: Sequence[float], group: Sequence[int], apart: float) -> float:
    return _low(heights, group, apart) + apart * (len(group) - 1)
