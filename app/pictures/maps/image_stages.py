"""An image on its way through a network: what goes in, large, and below it what is left after every block."""

from typing import Any

import numpy as np
from bokeh.models import Image, LinearColorMapper

from app.pictures.base.figures import empty, paint, plot, tint
from app.pictures.base.theme import LIGHT
from app.pictures.maps.matrix_picture import LEVELS, shades

FEW, ROWS = 4, 2
"""Stages in a row, if there are few of them; more become smaller, so that they take `ROWS` rows, too"""

LARGE, GAP, LABEL = 1.75, 0.12, 0.44
"""Side of the input, distance of two stages, and room below a stage, in sides of one of few stages"""

WIDTH = FEW + (FEW - 1) * GAP
HEIGHT = LARGE + 1.5 * GAP + ROWS * (1 + LABEL)
WIDEST = 560
"""Maximum width of the picture in pixels, so that a projector shows all of it"""

EDGE = 0.04
"""Margin around everything, for lines"""

BAR = 0.09
"""Thickness of a bar"""

FINER = 4
"""Drawn pixels along a pixel of the image"""


class ImageStages:
    """One network, created once; `show` moves its data. Pixels are square at every size of the figure."""

    def __init__(self, title: str, color: str, dash: str) -> None:
        self.figure = plot(title, "", "", x_range=(-EDGE, WIDTH + EDGE), y_range=(-HEIGHT, EDGE), max_width=WIDEST)
        self.figure.update(aspect_ratio=(WIDTH + 2 * EDGE) / (HEIGHT + EDGE), min_border=0, frame_align=False)
        heading: Any = self.figure.title
        heading.visible = False
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        ink = LinearColorMapper(palette=shades(LIGHT["ink"]), low=-0.5, high=LEVELS + 0.5)
        tint(ink, "ink")
        self.images = empty("image", "x", "y", "side")
        picture = Image(image="image", x="x", y="y", dw="side", dh="side", color_mapper=ink)
        self.figure.add_glyph(self.images, picture)
        box = ("left", "right", "bottom", "top")
        self._edges, self.bars = empty(*box), empty(*box)
        edge = self.figure.quad(*box, source=self._edges, fill_color=None, line_width=1.2, line_dash=dash)
        bar = self.figure.quad(*box, source=self.bars, line_color=None)
        paint(edge, line_color=color)
        paint(bar, fill_color=color)
        self._name, self.words, self._labels = (empty("x", "y", "text") for _ in range(3))
        looks: dict[str, dict[str, Any]] = {
            "name": {"text_font_size": "16px", "text_font_style": "bold", "text_baseline": "bottom"},
            "words": {"text_baseline": "top", "y_offset": 6},
            "label": {"text_align": "center", "text_baseline": "top", "y_offset": 1},
        }
        usual = {"text_font_size": "13px", "text_align": "left"}
        paint(self.figure.text("x", "y", "text", source=self._name, **usual | looks["name"]), text_color=color)
        paint(self.figure.text("x", "y", "text", source=self.words, **usual | looks["words"]), text_color="ink")
        paint(self.figure.text("x", "y", "text", source=self._labels, **usual | looks["label"]), text_color="ink")

    def show(self, images: np.ndarray, likeness: np.ndarray, name: str, words: str) -> None:
        """Show images (stages, side, side), the input first, and the cosine (stages,) of each with the input.

        Each image is drawn at the input's size, from paper, the input's lowest value, to ink, its highest.
        """
        first, count = images[0], len(images) - 1
        sizes = np.sqrt((images**2).mean(axis=(1, 2), keepdims=True) / (first**2).mean())
        equal = np.divide(images, sizes, out=np.zeros_like(images), where=sizes > 0)
        darkness = np.clip((equal - first.min()) / np.ptp(first), 0, 1)
        across = max(FEW, -(-count // ROWS))
        side = (WIDTH - (across - 1) * GAP * FEW / across) / across
        pitch, top = (WIDTH + GAP * FEW / across) / across, -LARGE - 1.5 * GAP
        lefts = [0.0, *(at % across * pitch for at in range(count))]
        tops = [0.0, *(top - at // across * (side + LABEL) for at in range(count))]
        sides = [LARGE, *[side] * count]
        feet = [y - size for y, size in zip(tops, sides, strict=True)]
        self.images.data = {"image": list(shaded(darkness)), "x": lefts, "y": feet, "side": sides}
        rights = [x + size for x, size in zip(lefts, sides, strict=True)]
        self._edges.data = {"left": lefts, "right": rights, "bottom": feet, "top": tops}
        bars = [(x, x + abs(cosine) * side, y) for x, y, cosine in zip(lefts, feet, likeness, strict=True)][1:]
        self.bars.data = {
            "left": [left for left, _right, _y in bars],
            "right": [right for _left, right, _y in bars],
            "bottom": [y - 1.5 * BAR for *_x, y in bars],
            "top": [y - 0.5 * BAR for *_x, y in bars],
        }
        self._labels.data = {
            "x": [x + side / 2 for x in lefts[1:]],
            "y": [y - 1.5 * BAR for y in feet[1:]],
            "text": [f"{at}: {cosine:.2f}".replace("-", "−") for at, cosine in enumerate(likeness[1:], 1)],
        }
        for source, text in ((self._name, name), (self.words, words)):
            source.data = {"x": [LARGE + 1.5 * GAP], "y": [-0.34 * LARGE], "text": [text]}


def shaded(darkness: np.ndarray) -> np.ndarray:
    """Levels of `shades` for images (…, side, side) from 0, paper, to 1, ink: smooth, and in Bokeh's order of rows."""
    between = _between(darkness.shape[-1])
    levels: np.ndarray = np.round(LEVELS * (between @ darkness @ between.T)).astype(np.uint8)[..., ::-1, :]
    return levels


def _between(pixels: int) -> np.ndarray:
    """(FINER · pixels, pixels) weights for smooth values between the middles of pixels, as in linear interpolation."""
    places = np.clip((np.arange(FINER * pixels) + 0.5) / FINER - 0.5, 0, pixels - 1)
    weights: np.ndarray = np.clip(1 - np.abs(places[:, None] - np.arange(pixels)), 0, 1)
    return weights
