"""Matrices as pictures: the color of an entry shows its sign, and the opacity its size."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.models import Image, LinearColorMapper
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from app.pictures.base.figures import empty, paint, plot, tint
from app.pictures.base.questions import known
from app.pictures.base.theme import LIGHT
from sims.contract.wording import number

POSITIVE, NEGATIVE = LIGHT["positive"], LIGHT["negative"]

LEVELS = 64
"""Number of shades of each sign."""

GAP = 0.12
"""Gap between two matrices, in widths of a matrix"""

PALE = 0.35
"""Opacity of matrices that have not been trained"""

SHAPE = 1.47
"""Width of a pair over its height, with its title, which makes each matrix a square"""


def palette() -> list[str]:
    """Colors from the most negative to the most positive value; zero is transparent."""
    return [*reversed(shades(NEGATIVE)[1:]), *shades(POSITIVE)]


def shades(color: str) -> list[str]:
    """A color from transparent to opaque."""
    return [f"{color}{round(255 * level / LEVELS):02x}" for level in range(LEVELS + 1)]


def mapper(strongest: float) -> LinearColorMapper:
    """Maps values from −strongest to strongest; larger ones get the color of the end, NaN none."""
    colors = LinearColorMapper(palette=palette(), low=-strongest, high=strongest, nan_color="#00000000")
    tint(colors, "positive", "negative")
    return colors


def key(figure_: figure, rights: tuple[float, float], y: float, baseline: str) -> list[GlyphRenderer]:
    """Samples of both colors with their signs, ending at the two places `rights` at height `y`."""
    marks = []
    looks: dict[str, Any] = {"text_align": "right", "text_baseline": baseline, "text_font_size": "13px"}
    for sign, color, right in zip("+−", ("positive", "negative"), rights, strict=True):
        name = figure_.text([right], [y], [sign], **looks)
        sample = figure_.text([right], [y], ["■"], x_offset=-12, **looks)
        paint(name, text_color="ink")
        paint(sample, text_color=color)
        marks += [name, sample]
    return marks


class MatrixPair:
    """Two matrices side by side, created once; `show` moves them. The first row is on top, as on paper.

    The diagonal cells are outlined, so that an empty matrix visibly lacks something. What the matrices hold and the
    number above each are results.
    """

    def __init__(self, title: str, strongest: float) -> None:
        self.figure = plot(title, "", "", x_range=(-0.02, 2.02 + GAP), y_range=(-0.16, 1.14))
        self.figure.update(height=None, aspect_ratio=SHAPE, frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._image = empty("image", "x", "alpha")
        picture = Image(image="image", x="x", y=0, dw=1, dh=1, color_mapper=mapper(strongest), global_alpha="alpha")
        self.figure.add_glyph(self._image, picture)
        self._cells = empty("x", "y", "width")
        cells = self.figure.rect("x", "y", "width", "width", source=self._cells, fill_alpha=0, line_width=1)
        paint(cells, line_color="edge")
        above: dict[str, Any] = {"text_baseline": "bottom", "text_font_size": "13px", "text_font_style": "bold"}
        outlines: list[GlyphRenderer] = []
        for left, color, dash in ((0.0, "plain", "dashed"), (1 + GAP, "residual", "solid")):
            frame = self.figure.quad(left, left + 1, 0, 1, fill_alpha=0, line_width=2, line_dash=dash)
            name = self.figure.text([left], [1.02], [color], **above)
            paint(frame, line_color=color)
            paint(name, text_color=color)
            outlines += [frame, name]
        self._words = {color: empty("x", "text") for color in ("plain", "residual", "idle")}
        for color, source in self._words.items():
            words = self.figure.text("x", 1.02, "text", source=source, text_align="right", **above)
            paint(words, text_color=color)
        self._wanted = empty("text")
        target = self.figure.text(0, -0.03, "text", source=self._wanted, text_baseline="top", text_font_size="13px")
        paint(target, text_color="soft")
        samples = key(self.figure, (1.75 + GAP, 2.0 + GAP), -0.03, "top")
        known(self.figure, self._cells, self._wanted, *outlines, *samples)

    def show(self, matrices: Mapping[str, np.ndarray], words: Mapping[str, str], target: float, trained: bool) -> None:
        """Show two square matrices, "plain" and "residual", the words above the right end of each, and the target
        diagonal. Untrained matrices are pale, with gray words."""
        lefts = (0.0, 1 + GAP)
        self._image.data = {
            "image": [matrix[::-1] for matrix in matrices.values()],
            "x": list(lefts),
            "alpha": [1.0 if trained else PALE] * 2,
        }
        size = len(next(iter(matrices.values())))
        middles = (np.arange(size) + 0.5) / size
        self._cells.data = {
            "x": np.concatenate([left + middles for left in lefts]),
            "y": np.tile(1 - middles, 2),
            "width": np.full(2 * size, 1 / size),
        }
        labels: dict[str, list[tuple[float, str]]] = {color: [] for color in self._words}
        for left, name in zip(lefts, matrices, strict=True):
            labels[name if trained else "idle"].append((left + 1, words[name]))
        for color, source in self._words.items():
            source.data = {"x": [x for x, _ in labels[color]], "text": [text for _, text in labels[color]]}
        self._wanted.data = {"text": [f"target: {number(target)} on the diagonal"]}
