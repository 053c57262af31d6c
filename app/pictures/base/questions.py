"""What a picture shows before its reader has predicted its result, and the reader's own answer in it."""

from collections.abc import Sequence
from typing import Any, Literal

from bokeh.models import Axis, ColumnDataSource, Grid, Range1d
from bokeh.models.annotations import Span
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import empty, paint, words

KNOWN, RESULT, UNANSWERED = "known", "result", "unanswered"
"""Tags of marks that are visible before the prediction, of axes that are not, and of marks that are visible only before
it (app/static/bokeh/blank.js)."""


def known(chart: figure, *chosen: ColumnDataSource | GlyphRenderer | Span) -> None:
    """Leave these marks, the marks of these sources, or all marks of the figure, visible before the prediction: they
    are no results."""
    for mark in _marks(chart, chosen):
        mark.tags = [*mark.tags, KNOWN]


def until_answered(chart: figure, *chosen: ColumnDataSource | GlyphRenderer) -> None:
    """Show these marks, or the marks of these sources, only before the prediction: results take their place."""
    for mark in _marks(chart, chosen):
        mark.tags = [*mark.tags, UNANSWERED]
        mark.visible = False


def _marks(chart: figure, chosen: Sequence[ColumnDataSource | GlyphRenderer | Span]) -> list[Any]:
    """The marks of the figure that are chosen, or whose sources are; all if none is chosen."""
    marks: list[Any] = [*chart.renderers, *chart.center]
    sources = [getattr(mark, "data_source", getattr(mark, "source", None)) for mark in marks]
    return [
        mark
        for mark, source in zip(marks, sources, strict=True)
        if not chosen or any(one is mark or one is source for one in chosen)
    ]


def is_result(axis: Axis | Grid) -> None:
    """Hide an axis before the prediction, since its labels are results or another picture is in its place."""
    axis.tags = [*axis.tags, RESULT]


def drawn_here(chart: figure) -> None:
    """Let the reader draw a predicted curve on the axes of this figure, where it stays as a dashed line.

    The page's scripts fill the line (app/static/figure/plot-frame.js); its coordinates are those of the axes.
    """
    source, end = empty("x", "y"), empty("x", "y", "text")
    line = chart.line("x", "y", source=source, line_width=2.4, line_dash="4 5", level="overlay")
    paint(line, line_color="ink")
    looks = {"text_font_style": "italic", "text_align": "right", "text_baseline": "bottom", "y_offset": -6}
    words(chart, end, "ink", level="overlay", **looks)
    known(chart, source, end)
    chart.tags = [*chart.tags, {"drawn": {"line": source, "name": end}}]


def ranked_here(chart: figure) -> None:
    """Let the reader put rows of this figure in order by pressing them; their names are those on its vertical axis."""
    chart.tags = [*chart.tags, {"ranked": True}]


def chosen_here(chart: figure) -> None:
    """Let the reader choose a row of this figure by pressing it, where the choice stays outlined.

    Its vertical axis names the rows. The page's scripts fill the outline (app/static/figure/plot-frame.js).
    """
    source = empty("left", "right", "top", "bottom", "x", "text")
    looks: dict[str, Any] = {"source": source, "level": "overlay"}
    box = chart.quad("left", "right", "top", "bottom", line_width=2, line_dash="4 5", fill_alpha=0, **looks)
    text = chart.text(
        *("x", "bottom", "text"),
        text_align="right",
        text_baseline="middle",
        text_font_size="13px",
        text_font_style="italic",
        **(looks | PATCH | {"padding": 0}),
    )
    paint(box, line_color="ink")
    paint(text, text_color="ink", background_fill_color="panel")
    known(chart, source)
    chart.tags = [*chart.tags, {"chosen": source}]


HEIGHT, WIDTH = "height of the plot", "width of the plot"
"""Names of second axes: vertical from 0 at the bottom of a plot to 1 at its top, horizontal from 0 on the left to 1"""

ANSWERS = {"guess": ("4 5", "ink", "left"), "truth": ("solid", "accent", "right")}
"""Number on an axis → dash and color of its line, and the end of a horizontal line at which its words are"""


def guessed_here(chart: figure, axis: Literal["x", "y"] = "x") -> None:
    """Let the reader place a predicted number on an axis of this figure, where it stays as a dashed line beside the
    true number.

    The page's scripts fill both (app/static/exercises/marker.js).
    """
    if axis == "x":
        chart.extra_y_ranges = {**chart.extra_y_ranges, HEIGHT: Range1d(start=0, end=1)}
    else:
        chart.extra_x_ranges = {**chart.extra_x_ranges, WIDTH: Range1d(start=0, end=1)}
    sources = {}
    for name, (dash, color, end) in ANSWERS.items():
        source = sources[name] = empty("x", "y", "text", "side", "offset")
        looks: dict[str, Any] = {"source": source, "level": "overlay"}
        if axis == "x":
            looks |= {"y_range_name": HEIGHT}
            line = chart.segment("x", 0, "x", "y", line_width=2.4, line_dash=dash, **looks)
            looks |= PATCH | {"text_align": "side", "text_baseline": "top", "x_offset": "offset"}
        else:
            looks |= {"x_range_name": WIDTH}
            line = chart.segment(0, "y", 1, "y", line_width=2.4, line_dash=dash, **looks)
            looks |= PATCH | {"text_align": end, "text_baseline": "side", "y_offset": "offset"}
        text = chart.text("x", "y", "text", text_font_size="14px", text_font_style="bold", **looks)
        paint(line, line_color=color)
        paint(text, text_color=color, background_fill_color="panel")
        known(chart, source)
    chart.tags = [*chart.tags, {"guessed": sources, "axis": axis}]
