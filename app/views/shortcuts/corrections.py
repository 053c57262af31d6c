"""A digit after every block; as measures, two numbers that change, and the digit's length and direction."""

from typing import Any

import numpy as np
from bokeh.models import Image, LayoutDOM, LinearColorMapper

from app.pictures.base.figures import PLACES, POWERS, empty, fit, paint, plot, quiet_legend, ticks_at, tint
from app.pictures.charts.arrows import Arrows
from app.pictures.maps.matrix_picture import POSITIVE, shades
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import exact_or, formatted
from sims.simulations.shortcuts.corrections import Corrections

NAMES = {"plain": ("plain", "plain", "dashed"), "residual": ("residual", "residual", "solid")}

ROWS = {"plain": 0.0, "residual": 1.34}
"""Bottom of each row of pictures; a picture is 1 high."""

PAPER, INK = -1.0, 2.0
"""Values, in root mean squares of a picture, that are drawn as nothing and as full color: a digit's paper is a little
above the first, and its strokes are near the second"""

SIZE = 0.9
"""Width of a picture; the distance between blocks is 1."""


class CorrectionsView(View[Corrections]):
    """Every picture has its own contrast, so that short vectors are as visible as long ones."""

    def draw(self) -> list[LayoutDOM]:
        self._strip = plot(
            "The digit after every block",
            "block, 0 is the input; each has its own contrast",
            "",
            height=250,
            x_range=(-0.5, 8.5),
            y_range=(-0.06, 2.64),
        )
        self._strip.grid.visible = False
        self._strip.yaxis.visible = False
        self._strip.styles = {"grid-column": "1 / -1"}
        ticks_at(self._strip.xaxis, range(13))
        self._images = empty("image", "x", "y")
        # One color from paper to ink, so that a digit reads as writing; two colors for two signs hid it.
        ink = LinearColorMapper(palette=shades(POSITIVE), low=PAPER, high=INK, nan_color="#00000000")
        tint(ink, "positive")
        picture = Image(image="image", x="x", y="y", dw=SIZE, dh=1.0, color_mapper=ink)
        self._strip.add_glyph(self._images, picture)
        self._words, self._edges = {}, {}
        for name, foot in ROWS.items():
            words, edges = self._words[name], self._edges[name] = empty("x", "text"), empty("left", "right")
            outline = self._strip.quad("left", "right", foot, foot + 1, source=edges, fill_alpha=0, line_width=1.5)
            looks: dict[str, Any] = {"text_font_size": "13px", "text_font_style": "bold", "text_baseline": "bottom"}
            label = self._strip.text("x", foot + 1.04, "text", source=words, **looks)
            outline.glyph.line_dash = NAMES[name][2]
            paint(outline, line_color=name)
            paint(label, text_color=name)
        return [self._strip]

    def measures(self) -> list[LayoutDOM]:
        kinds = {"x": ("x", "idle", "solid")} | NAMES
        self._walk = Arrows("Two numbers: drag the input", kinds)
        self._walk.follow(self._point)
        lengths = plot("Length of the digit's vector", "block", "times the input's", height=220, **PLACES, **POWERS)
        turns = plot("Cosine with the input", "block", "1: same direction", y_range=(-1.08, 1.08), height=330, **PLACES)
        self._curves = {}
        for figure, measure in ((lengths, "norms"), (turns, "cosines")):
            for name, (label, color, dash) in NAMES.items():
                source = self._curves[f"{name}_{measure}"] = empty("x", "y")
                line = figure.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=label)
                dots = figure.scatter("x", "y", source=source, size=6)
                paint(line, line_color=color)
                paint(dots, line_color=color, fill_color=color)
            quiet_legend(figure)
        self._lengths, self._axes = lengths, (lengths, turns)
        return [self._walk.figure, turns, lengths]

    def update(self, frame: Frame) -> None:
        depth = len(frame["plain_norms"]) - 1
        pictures, left, feet = [], [], []
        for name, foot in ROWS.items():
            images = frame[f"{name}_images"]
            sizes = np.sqrt((images**2).mean(axis=(1, 2), keepdims=True))
            pictures += list(np.divide(images, sizes, out=np.zeros_like(images), where=sizes > 0)[:, ::-1])
            left += [block - SIZE / 2 for block in range(depth + 1)]
            feet += [foot] * (depth + 1)
        self._images.data = {"image": pictures, "x": left, "y": feet}
        self._strip.x_range.update(start=-0.55, end=max(depth, 4) + 0.55)
        blocks = np.arange(depth + 1)
        for name in ROWS:
            self._edges[name].data = {"left": blocks - SIZE / 2, "right": blocks + SIZE / 2}
            cosine, length = (float(frame.results[f"{name}_{measure}"]) for measure in ("cosine", "norm"))
            text = f"{name}: cosine {formatted(cosine, '.2f')}, {exact_or(length)} times as long"
            self._words[name].data = {"x": [-SIZE / 2], "text": [text]}
        fit(self._lengths, [frame[f"{name}_norms"] for name in NAMES])
        for figure in self._axes:
            figure.x_range.update(start=-0.2, end=depth + 0.2)
        for key, source in self._curves.items():
            source.data = {"x": np.arange(depth + 1), "y": np.where(frame[key] == 0, np.nan, frame[key])}
        nowhere, walks = np.zeros(2), {name: frame[f"{name}_walk"] for name in NAMES}
        self._walk.show(
            {"x": (nowhere, walks["plain"][0])} | {name: (walk[:-1], walk[1:]) for name, walk in walks.items()}
        )

    def _point(self, x: float, y: float) -> None:
        """Move the input of the arrows to the pointer."""
        self.drag(x1=x, x2=y)
