"""An image that goes through a stack and is computed back: one such journey, and a table of what came back.

Each image is drawn from paper, the input's lowest value, to ink, its highest.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import ColumnDataSource, Image, LinearColorMapper
from bokeh.plotting import figure

from app.pictures.base.figures import empty, paint, plot, tint, words
from app.pictures.base.theme import LIGHT
from app.pictures.maps.image_stages import shaded
from app.pictures.maps.matrix_picture import LEVELS, palette, shades

EDGE = 0.04
"""Margin around everything, for lines"""

AWAY, LABEL = 0.5, 0.24
"""Distance of two images of a journey, across, and room above each for its words, in sides of an image"""

JOURNEY = 400
"""Maximum width of a journey in pixels, so that it is as high as the table"""

WIDEST = 620
"""Maximum width of the table in pixels"""

NAMES, HEADS, TITLE = 1.5, 1.0, 0.5
"""Room for the names of the rows, on the left, and at the top for those of the columns and the title, which is above
them; in sides of a small image"""

ACROSS, DOWN = 1.14, 1.54
"""Distances of the small images, with a number below each"""


def _canvas(title: str, width: float, height: float, **options: Any) -> figure:
    """A figure without axes, from the upper left corner (0, 0) to (width, −height), in which units are square."""
    chart = plot(title, "", "", x_range=(-EDGE, width + EDGE), y_range=(-height - EDGE, EDGE), **options)
    chart.update(height=None, aspect_ratio=(width + 2 * EDGE) / (height + 2 * EDGE), min_border=0, frame_align=False)
    heading: Any = chart.title
    heading.visible = False
    chart.axis.visible = False
    chart.grid.visible = False
    return chart


def _images(chart: figure, colors: LinearColorMapper) -> ColumnDataSource:
    """The source of images with the side 1."""
    source = empty("image", "x", "y")
    chart.add_glyph(source, Image(image="image", x="x", y="y", dw=1, dh=1, color_mapper=colors))
    return source


def _ink() -> LinearColorMapper:
    colors = LinearColorMapper(palette=shades(LIGHT["ink"]), low=-0.5, high=LEVELS + 0.5)
    tint(colors, "ink")
    return colors


def _darkness(images: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Values between the lowest and the highest of `first` as shares from 0 to 1."""
    return np.clip((images - first.min()) / np.ptp(first), 0, 1)


class Journey:
    """Four images: what goes in, what comes out beside it, what is computed back below it, and the difference."""

    def __init__(self, title: str) -> None:
        across, down = 1 + AWAY, 1 + LABEL + AWAY / 2
        self._corners = [(x, -LABEL - 1 - y) for y in (0, down) for x in (0, across)]
        chart = self.figure = _canvas(title, 1 + across, LABEL + 1 + down, max_width=JOURNEY)
        self._images = _images(chart, _ink())
        colors = LinearColorMapper(palette=palette(), low=-1, high=1)
        tint(colors, "positive", "negative")
        self._difference = _images(chart, colors)
        x, y = np.transpose(self._corners)
        paint(chart.rect(x + 0.5, y + 0.5, 1, 1, fill_color=None, line_width=1), line_color="rule")
        arrows = [((1.06, -LABEL - 0.5), (across - 0.08, -LABEL - 0.5))]
        arrows += [((across - 0.06, -LABEL - 1.03), (1.08, -LABEL - down - 0.03))]
        x0, y0, x1, y1 = np.transpose([[*tail, *head] for tail, head in arrows])
        paint(chart.segment(x0, y0, x1, y1, line_width=2.5), line_color="accent")
        angles = np.arctan2(y1 - y0, x1 - x0) - np.pi / 2
        heads = chart.scatter(x1, y1, marker="triangle", size=13, angle=angles, line_color=None)
        paint(heads, fill_color="accent")
        self._labels = empty("x", "y", "text")
        words(chart, self._labels, "ink", text_align="left", text_baseline="bottom", y_offset=-3, text_font_size="14px")

    def show(self, given: np.ndarray, out: np.ndarray, back: np.ndarray, labels: Sequence[str], factor: float) -> None:
        """Show three images (side, side), NaN where there is none, and the difference of the last two, `factor` times.
        What comes out is drawn at the size of what goes in."""
        size = np.sqrt((out**2).mean() / (given**2).mean())
        images = [given, out / size if size else out, back]
        whole = [at for at, image in enumerate(images) if np.isfinite(image).all()]
        self._images.data = {
            "image": [shaded(_darkness(images[at], given)) for at in whole],
            "x": [self._corners[at][0] for at in whole],
            "y": [self._corners[at][1] for at in whole],
        }
        differs = 2 in whole
        self._difference.data = {
            "image": [np.clip(factor * (back - given), -1, 1)[::-1]] if differs else [],
            "x": [self._corners[3][0]] if differs else [],
            "y": [self._corners[3][1]] if differs else [],
        }
        x, y = np.transpose(self._corners)
        self._labels.data = {"x": x, "y": y + 1, "text": list(labels)}


class ImageTable:
    """Small images with a number below each; one is framed. `chosen(row, column)` is called when a reader presses one.

    Where there is no image, there is an empty frame, or a cross if it was lost.
    """

    def __init__(
        self, title: str, rows: Sequence[str], columns: Sequence[str], head: str, chosen: Callable[[int, int], None]
    ) -> None:
        self._shape = len(rows), len(columns)
        width, height = NAMES + ACROSS * len(columns), HEADS + DOWN * len(rows)
        chart = self.figure = _canvas(title, width, height, max_width=WIDEST)
        places = np.array([self._corner(*divmod(at, len(columns))) for at in range(len(rows) * len(columns))])
        paint(
            chart.rect(places[:, 0] + 0.5, places[:, 1] + 0.5, 1, 1, line_width=1), fill_color="wash", line_color="rule"
        )
        self._images = _images(chart, _ink())
        self._lost, self._framed = empty("x", "y"), empty("x", "y")
        cross = chart.scatter("x", "y", source=self._lost, marker="x", size=20, line_width=3)
        frame = chart.rect("x", "y", 1.1, 1.1, source=self._framed, fill_color=None, line_width=2.5)
        paint(cross, line_color="failing")
        paint(frame, line_color="ink")
        heads, sides, corner = (empty("x", "y", "text") for _ in range(3))
        heads.data = {"x": [self._corner(0, at)[0] + 0.5 for at in range(len(columns))], "y": [-HEADS] * len(columns)}
        heads.data["text"] = list(columns)
        sides.data = {"x": [0.0] * len(rows), "y": [self._corner(at, 0)[1] + 0.5 for at in range(len(rows))]}
        sides.data["text"] = list(rows)
        corner.data = {"x": [0.0], "y": [-HEADS], "text": [head]}
        words(chart, heads, "soft", text_baseline="bottom", y_offset=-5)
        words(chart, sides, "soft", text_align="left")
        words(chart, corner, "soft", text_align="left", text_baseline="bottom", y_offset=-5)
        heading = chart.text(
            [0.0], [-TITLE], [title], text_font_size="14px", text_font_style="bold", text_baseline="bottom"
        )
        paint(heading, text_color="ink")
        self._numbers = {kind: empty("x", "y", "text") for kind in ("soft", "failing")}
        for color, source in self._numbers.items():
            words(chart, source, color, text_baseline="top", y_offset=3)

        def pressed(event: Any) -> None:
            if not (isinstance(event.x, float | int) and isinstance(event.y, float | int)):
                return
            row, column = int((-HEADS - event.y) // DOWN), int((event.x - NAMES) // ACROSS)
            if 0 <= row < len(rows) and 0 <= column < len(columns):
                chosen(row, column)

        chart.on_event(Tap, pressed)

    def show(
        self,
        given: np.ndarray,
        images: np.ndarray,
        numbers: Sequence[Sequence[str]],
        lost: np.ndarray,
        framed: tuple[int, int],
    ) -> None:
        """Show images (rows, columns, side, side), NaN where there is none, with their numbers; in a `lost` place,
        (rows, columns), the number is one of a failure."""
        places = [(row, column) for row in range(self._shape[0]) for column in range(self._shape[1])]
        whole = [place for place in places if np.isfinite(images[place]).all()]
        corners = [self._corner(*place) for place in whole]
        self._images.data = {
            "image": [shaded(_darkness(images[place], given)) for place in whole],
            "x": [x for x, _y in corners],
            "y": [y for _x, y in corners],
        }
        crosses = [self._corner(*place) for place in places if lost[place] and place not in whole]
        self._lost.data = {"x": [x + 0.5 for x, _y in crosses], "y": [y + 0.5 for _x, y in crosses]}
        for color, source in self._numbers.items():
            mine = [place for place in places if lost[place] == (color == "failing")]
            source.data = {
                "x": [self._corner(*place)[0] + 0.5 for place in mine],
                "y": [self._corner(*place)[1] for place in mine],
                "text": [numbers[row][column] for row, column in mine],
            }
        x, y = self._corner(*framed)
        self._framed.data = {"x": [x + 0.5], "y": [y + 0.5]}

    @staticmethod
    def _corner(row: int, column: int) -> tuple[float, float]:
        """The lower left corner of an image."""
        return NAMES + ACROSS * column, -HEADS - DOWN * row - 1
