"""Figures in one style. Colors are names of the palette: the page repaints them when the theme changes."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import ColorMapper, ColumnDataSource, FixedTicker, HoverTool, LogScale, Model, Plot
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from app.pictures.base.theme import LIGHT
from sims.contract.bands import ENDINGS

HEIGHT = 260

LAST_TICK = 16
"""Pixels right of the axes: half the label of a tick that is at their end"""

LINES = 0.95
"""Line height of labels: the two lines of a name stay together, and apart from the next name"""


def plot(
    title: str, x_label: str, y_label: str, *, height: int = HEIGHT, powers: bool = False, **options: Any
) -> figure:
    """An empty figure with a title that is also its name for a screen reader.

    With `powers` its vertical axis is logarithmic, and `fit` gives it its ends and ticks.
    """
    if powers:
        options |= {"y_axis_type": "log", "y_range": (1, 1)}
    if "min_border" not in options:
        options = {"min_border_right": LAST_TICK} | options
    chart = figure(
        title=title,
        height=height,
        sizing_mode="stretch_width",
        min_width=150,
        tools="",
        toolbar_location=None,
        x_axis_label=x_label,
        y_axis_label=y_label,
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        html_attributes={
            "role": "img",
            "aria-label": f"{title}{'' if title.endswith('?') else '.'} The text below the figure says what it shows.",
        },
        **options,
    )
    chart.xgrid.visible = False
    chart.axis.major_label_text_line_height = LINES
    if powers:
        ticks_at(chart.yaxis, [])
    return chart


def with_button(figure_: Plot) -> None:
    """Mark that the page adds a button to a figure: nothing else shows that an image can be pressed."""
    figure_.html_attributes = {**figure_.html_attributes, "role": "group"}


STEPS: dict[str, Any] = {"x_range": (0, 1)}
"""For a figure over training steps: `Curves.show` sets its range for the run."""

PLACES: dict[str, Any] = {"x_range": (0, 1)}
"""For a figure over layers or places: `LogBars.show` sets its range to their number."""

BEYOND = 0.05
"""Margin of a linear axis beyond its values, as a share of their range"""

TICKS = 6
"""Approximate maximum number of labels on a logarithmic axis."""

POWERS: dict[str, Any] = {"powers": True}
"""For a figure with a logarithmic axis that is fitted to its data in powers of ten."""


def ink(model: Model, **colors: str) -> None:
    """Give properties of a glyph palette colors, and record their names, so that the page can repaint them."""
    for target, color in colors.items():
        setattr(model, target, LIGHT[color])
    model.tags = [*model.tags, *(f"ink:{target}={color}" for target, color in colors.items())]


def paint(renderer: GlyphRenderer, **colors: str) -> None:
    """`ink` for the glyph of a renderer."""
    ink(renderer.glyph, **colors)


def tint(mapper: ColorMapper, *colors: str) -> None:
    """Record which palette colors, at whatever opacity, a mapper consists of, so that the page can repaint them."""
    mapper.tags = [*mapper.tags, *(f"tint:{LIGHT[color]}={color}" for color in colors)]


def empty(*columns: str) -> ColumnDataSource:
    """A source with these columns and no rows yet."""
    return ColumnDataSource({column: [] for column in columns})


def columns_of(rows: Iterable[Sequence[Any]], *names: str) -> dict[str, list[Any]]:
    """The data of a source whose rows have values for these columns, in their order."""
    listed = list(rows)
    return {name: [row[at] for row in listed] for at, name in enumerate(names)}


def words(plot_: figure, source: ColumnDataSource, color: str, **looks: Any) -> GlyphRenderer:
    """Texts of a source (`x`, `y`, `text`), centered on their places, in small type unless `looks` says otherwise."""
    usual = {"text_align": "center", "text_baseline": "middle", "text_font_size": "13px"}
    renderer = plot_.text("x", "y", "text", source=source, **usual | looks)
    paint(renderer, text_color=color)
    return renderer


def curve(x0: float, y0: float, x1: float, y1: float) -> tuple[np.ndarray, np.ndarray]:
    """A curve from one height to another, level at both ends."""
    along = np.linspace(0, 1, 14)
    return x0 + (x1 - x0) * along, y0 + (y1 - y0) * along**2 * (3 - 2 * along)


def hover(plot_: figure, tooltips: Sequence[tuple[str, str]], **options: Any) -> None:
    """Add a tooltip with values under the pointer."""
    plot_.add_tools(HoverTool(tooltips=list(tooltips), **options))


def ticks_at(axis: Any, places: Sequence[float]) -> None:
    """Set ticks at given places. If the ticks will move later, call this once while the figure is created."""
    if isinstance(axis[0].ticker, FixedTicker):
        axis[0].ticker.ticks = list(places)
    else:
        axis[0].ticker = FixedTicker(ticks=list(places))


def named_ticks(axis: Any, labels: Mapping[float, str]) -> None:
    """Set ticks at given places with given words. If they will move later, call this once while the figure is
    created."""
    ticks_at(axis, list(labels))
    axis[0].major_label_overrides = dict(labels)


class Curves:
    """A line with a band for each of several names; a dot marks how far each line has come."""

    def __init__(self, plot_: figure, names: Mapping[str, tuple[str, str, str]], ticks: int = TICKS) -> None:
        """`names`: prefix of the columns → (label in the legend, color, dash); `ticks` as `fit` has it."""
        self._plot, self._ticks = plot_, ticks
        columns = [f"{name}{ending}" for name in names for ending in ENDINGS.values()]
        self.source, self._tips = empty("x", *columns), empty("x", *names)
        self.marks: dict[str, list[GlyphRenderer]] = {}
        """Name → its band, its line and its dot"""
        for name, (label, color, dash) in names.items():
            band = plot_.varea("x", f"{name}_low", f"{name}_high", source=self.source, fill_alpha=0.18)
            line = plot_.line("x", name, source=self.source, line_width=2.4, line_dash=dash, legend_label=label)
            # As an annotation, a dot at the edge of the plot area is not clipped.
            tip = plot_.scatter("x", name, source=self._tips, size=6, level="annotation")
            paint(band, fill_color=color)
            paint(line, line_color=color)
            paint(tip, fill_color=color, line_color=color)
            self.marks[name] = [band, line, tip]
        quiet_legend(plot_)

    def show(self, x: np.ndarray, end: int, bands: Mapping[str, Sequence[np.ndarray]]) -> None:
        """Move the data: median, lowest and highest for each name; a missing name disappears.

        `end` is the last step of the run: from the start, the axis shows how far there is to go.
        """
        data = {"x": x}
        for column in self.source.data:
            if column != "x":
                data[column] = np.full(len(x), np.nan)
        for name, values in bands.items():
            for ending, value in zip(ENDINGS.values(), values, strict=True):
                data[name + ending] = value
        self._plot.x_range.update(end=end)
        if isinstance(self._plot.y_scale, LogScale):
            fit(self._plot, [value for values in bands.values() for value in values], self._ticks)
        self.source.data = data
        self._tips.data = {name: data[name][-1:] for name in self._tips.data}


MARKERS = ("circle", "triangle", "square")
"""Shapes of dots, by their place among the names"""


class LogBars:
    """Bars on a logarithmic axis, a group per place; an exact zero is a gray cross at the bottom, never a missing
    bar."""

    def __init__(self, plot_: figure, names: Mapping[str, tuple[str, str]], dots: float = 0) -> None:
        """`names`: name → (label in the legend, color). With `dots`, their size in pixels, a dot is in place of each
        bar: the length of a bar on a logarithmic axis depends on where the axis begins."""
        self._plot = plot_
        self._sources = {}
        self._bars: list[GlyphRenderer] = []
        self._width = 0.8 / len(names)
        self._names = list(names)
        for name, (label, color) in names.items():
            source = self._sources[name] = empty("x", "top", "bottom", "zero_x", "zero_y")
            if dots:
                shape = MARKERS[len(self._sources) - 1]
                marks = plot_.scatter("x", "top", source=source, size=dots, marker=shape, legend_label=label)
                paint(marks, fill_color=color, line_color=color)
            else:
                bars = plot_.vbar("x", self._width, "top", "bottom", source=source, line_color=None, legend_label=label)
                paint(bars, fill_color=color)
                self._bars.append(bars)
            zeros = plot_.scatter("zero_x", "zero_y", source=source, marker="x", size=9)
            paint(zeros, line_color="zero", fill_color="zero")
        quiet_legend(plot_)

    def show(self, groups: Mapping[str, np.ndarray]) -> None:
        """Move the data: one value of 0 or more per place for each name. Values that are not finite are left out."""
        foot = fit(self._plot, list(groups.values()))
        self._plot.x_range.update(start=0.3, end=max(map(len, groups.values()), default=1) + 0.7)
        names = [name for name in self._names if name in groups]
        if names and self._width != 0.8 / len(names):
            self._width = 0.8 / len(names)
            for bars in self._bars:
                bars.glyph.update(width=self._width)
        items: Any = self._plot.legend[0].items
        for item, name in zip(items, self._names, strict=True):
            item.visible = name in names
        for name in self._names:
            values = groups.get(name, np.empty(0))
            beside = names.index(name) - (len(names) - 1) / 2 if name in names else 0
            places = 1 + np.arange(len(values)) + beside * self._width
            drawable = np.isfinite(values) & (values > 0)
            self._sources[name].data = {
                "x": places,
                "top": np.where(drawable, values, np.nan),
                "bottom": np.where(drawable, foot, np.nan),
                "zero_x": places,
                "zero_y": np.where(values == 0, foot * 1.3, np.nan),
            }


def fit(plot_: figure, values: Sequence[np.ndarray], ticks: int = TICKS) -> float:
    """Fit a logarithmic axis to powers of ten around all positive finite values, and return its lower end. It has about
    `ticks` labels at most.

    The ends are at least two decades apart, so that the axis does not move when values change a little. If 1 is on the
    axis, it has a label.
    """
    positive = np.concatenate([value[np.isfinite(value) & (value > 0)] for value in values] or [np.empty(0)])
    low, high = (positive.min(), positive.max()) if len(positive) else (0.1, 1.0)
    foot, head = math.floor(math.log10(low)), math.ceil(math.log10(high))
    foot = min(foot, head - 2)
    axis: Any = plot_.y_range
    if (axis.start, axis.end) != (10.0**foot, 10.0**head):
        axis.update(start=10.0**foot, end=10.0**head)
        step = math.ceil((head - foot) / ticks)
        first = step * math.ceil(foot / step)
        ticks_at(plot_.yaxis, [10.0**power for power in range(first, head + 1, step)])
    return 10.0**foot


def surround(plot_: figure, values: Sequence[np.ndarray]) -> None:
    """Fit a linear axis to all finite values with a small margin; if there are none, leave it as it is."""
    finite = np.concatenate([value[np.isfinite(value)] for value in values])
    if len(finite):
        room = BEYOND * (float(np.ptp(finite)) or 1.0)
        plot_.y_range.update(start=float(finite.min()) - room, end=float(finite.max()) + room)


def quiet_legend(plot_: figure, columns: int = 2) -> None:
    """Place the legend above the plot area, where it covers nothing."""
    legend = plot_.legend[0]
    plot_.add_layout(legend, "above")
    legend.update(
        ncols=columns, padding=0, margin=2, spacing=8, glyph_width=22, location="left", border_line_color=None
    )
