"""What is drawn on canvas can be seen in both themes: words at 4.5 to 1, shapes at 3 to 1, on what lies beneath them.

The pairs of colors are those of the pictures that pages show first, composed as the canvas composes them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from bokeh.models import GlyphRenderer, Plot, Text

from app.pictures.base.theme import DARK, LIGHT
from app.views.base import view_of
from sims import registry
from tests.colors import SHAPE_CONTRAST, TEXT_CONTRAST, contrast, values
from tests.first_frame import first_frame
from tests.site import placed
from tests.tiers import first

THEMES = {"light": LIGHT, "dark": DARK}
GROUND = "panel"
UNDER = ("panel", "paper", "wash", "rule")
"""Colors of grounds, grids and what stands behind: seen or not, nothing is lost."""

FAINT = {
    ("convolutions", "Line"),  # where the control stands, under words that say so
    ("degradation", "Line"),  # so here
    ("rank", "Line"),  # where the control stands
    ("reversible", "Segment"),  # so here
    ("interactions", "Patches"),  # between two lines
    ("passage", "Segment"),  # the last steps, under the dots that made them
    ("stability", "Rect"),  # cells with their words in them
    ("sweep", "Rect"),  # so here
    ("interactions", "Rect"),  # so here
    ("failures", "Rect"),  # the hot core, inside light that is seen
    ("arena", "Segment"),  # the range of the seeds, behind its median
    ("language", "Rect"),  # shades of any strength, behind letters that can be read
}
"""Shapes whose message something else in the picture carries, by simulation and kind of glyph"""

SAMPLE = "■"
"""A sample of a color beside the word for it, which is a shape"""

LETTER, BASE, INSIDE = 7, 600, 0.8
"""Pixels of a letter and of a figure's width, and the share of its height that is not axes: about, to find what lies
beneath the middle of some words"""

Box = tuple[float, float, float, float]


@cache
def drawn(name: str) -> list[Plot]:
    """The figures of a simulation with what its page shows first."""
    simulation = placed(name)
    view = view_of(name, simulation)
    figures = view.figures()
    view.update(first_frame(simulation))
    return [plot for figure in figures for plot in figure.select({"type": Plot})]


@dataclass(frozen=True)
class Rows:
    """A glyph with its data, row by row."""

    glyph: Any
    data: Mapping[str, Sequence[Any]]
    plot: Plot

    @property
    def count(self) -> int:
        return max(map(len, self.data.values()), default=0) if self.data else 1

    def column(self, name: str) -> list[Any]:
        value = getattr(self.glyph, name)
        field = value.get("field") if isinstance(value, dict) else getattr(value, "field", value)
        if isinstance(field, str) and field in self.data:
            return list(self.data[field])
        value = value.get("value") if isinstance(value, dict) else getattr(value, "value", value)
        return [value] * self.count

    def name(self, key: str) -> str | None:
        """The color's name in the palette, if it has one."""
        inks = [tag[4:].split("=") for tag in self.glyph.tags if isinstance(tag, str) and tag.startswith("ink:")]
        return dict(inks).get(key)

    def color(self, key: str, row: int, theme: Mapping[str, str]) -> np.ndarray | None:
        """None where there is no color."""
        name = self.name(key)
        color = theme[name] if name else self.column(key)[row]
        return values(color) if color else None

    def at(self, side: str) -> np.ndarray:
        """Where it is along an axis; names are a unit apart, and a place may be a name and a distance from it."""
        axis = self.plot.x_range if side == "x" else self.plot.y_range
        names = getattr(axis, "factors", None)
        if not names:
            return np.array(self.column(side), dtype=float)
        places = [value if isinstance(value, tuple) else (value, 0) for value in self.column(side)]
        return np.array([names.index(name) + away for name, away in places], dtype=float)

    def boxes(self) -> list[Box]:
        """Left, right, bottom and top of every row of a shape with straight sides."""
        match type(self.glyph).__name__:
            case "Quad":
                sides = [self.column(side) for side in ("left", "right", "bottom", "top")]
            case "Rect":
                x, y, (wide, high) = (
                    self.at("x"),
                    self.at("y"),
                    (np.array(self.column(side)) for side in ("width", "height")),
                )
                sides = [x - wide / 2, x + wide / 2, y - high / 2, y + high / 2]
            case "VBar":
                x, wide = self.at("x"), np.array(self.column("width"))
                sides = [x - wide / 2, x + wide / 2, self.column("bottom"), self.column("top")]
            case "HBar":
                y, high = self.at("y"), np.array(self.column("height"))
                sides = [self.column("left"), self.column("right"), y - high / 2, y + high / 2]
            case _:
                return []
        return list(zip(*sides, strict=True))


def rows(plot: Plot) -> list[Rows]:
    """What is drawn, from below."""
    visible = [renderer for renderer in plot.renderers if isinstance(renderer, GlyphRenderer) and renderer.visible]
    return [Rows(item.glyph, item.data_source.data, plot) for item in visible]


def over(color: np.ndarray, strength: float, ground: np.ndarray) -> np.ndarray:
    return strength * color + (1 - strength) * ground


def middle(text: Rows, row: int, plot: Plot) -> tuple[float, float]:
    """About where the middle of some words is, in data."""
    ranges = plot.x_range, plot.y_range
    across, along = (len(getattr(axis, "factors", "")) or axis.end - axis.start for axis in ranges)
    pixel_x, pixel_y = across / BASE, along / (INSIDE * (plot.height or 300))
    x = text.at("x")[row] + text.column("x_offset")[row] * pixel_x
    y = text.at("y")[row] - text.column("y_offset")[row] * pixel_y
    half = LETTER * len(str(text.column("text")[row]).split("\n")[0]) * pixel_x / 2
    return x + half * {"left": 1, "center": 0, "right": -1}[text.column("text_align")[row]], y


def holds(box: Box, x: float, y: float) -> bool:
    left, right, *ends = box
    return left <= x <= right and min(ends) <= y <= max(ends)


def words(plot: Plot) -> Iterator[tuple[Rows, int, list[tuple[Rows, int]]]]:
    """Every row of words, with what lies beneath it from below."""
    beneath: list[tuple[Rows, int, Box]] = []
    for shape_rows in rows(plot):
        if not isinstance(shape_rows.glyph, Text):
            beneath += [(shape_rows, row, box) for row, box in enumerate(shape_rows.boxes())]
            continue
        for row, label in enumerate(shape_rows.column("text")):
            if str(label).strip() not in ("", SAMPLE):
                x, y = middle(shape_rows, row, plot)
                yield shape_rows, row, [(shape, at) for shape, at, box in beneath if holds(box, x, y)]


def readable(text: Rows, row: int, beneath: Sequence[tuple[Rows, int]], theme: Mapping[str, str]) -> float:
    """The contrast of a row of words with its ground."""
    ground = values(theme[GROUND])
    for shape, at in beneath:
        fill = shape.color("fill_color", at, theme)
        if fill is not None:
            ground = over(fill, shape.column("fill_alpha")[at], ground)
    box = text.color("background_fill_color", row, theme)
    if box is not None:
        ground = over(box, text.column("background_fill_alpha")[row], ground)
    color, strength = text.color("text_color", row, theme), text.column("text_alpha")[row]
    assert color is not None
    # What is not there yet cannot be read, and need not.
    return contrast(over(color, strength, ground), ground) if strength else np.inf


every = pytest.mark.parametrize("name", registry.names())
themed = pytest.mark.parametrize("theme", first(1, THEMES.values()), ids=THEMES)


@every
@themed
def test_words_in_a_picture_can_be_read(name: str, theme: Mapping[str, str]) -> None:
    ratios = {
        (plot.title.text, str(text.column("text")[row])): readable(text, row, beneath, theme)
        for plot in drawn(name)
        for text, row, beneath in words(plot)
    }
    assert {key: ratio for key, ratio in ratios.items() if ratio < TEXT_CONTRAST} == {}


def strongest(shape: Rows, theme: Mapping[str, str]) -> float:
    """The contrast of a shape with the figure's ground: of its line or of its fill, where it is strongest; infinite
    where nothing of it is shown now.
    """
    ground, ratios = values(theme[GROUND]), []
    for part in ("line", "fill"):
        if getattr(shape.glyph, f"{part}_color", None) is None or shape.name(f"{part}_color") in UNDER:
            continue
        for row, strength in enumerate(shape.column(f"{part}_alpha")):
            color = shape.color(f"{part}_color", row, theme)
            if color is not None and strength:
                ratios.append(contrast(over(color, strength, ground), ground))
    return max(ratios, default=np.inf)


@every
@themed
def test_shapes_in_a_picture_can_be_seen(name: str, theme: Mapping[str, str]) -> None:
    for plot in drawn(name):
        for shape in rows(plot):
            kind = type(shape.glyph).__name__
            parts = [shape.name(f"{part}_color") for part in ("line", "fill")]
            context = kind in ("Text", "VArea", "HArea", "Image", "ImageRGBA") or (name, kind) in FAINT
            if context or not shape.count or {part_name for part_name in parts if part_name} <= set(UNDER):
                continue
            assert strongest(shape, theme) >= SHAPE_CONTRAST, (plot.title.text, kind, parts)
