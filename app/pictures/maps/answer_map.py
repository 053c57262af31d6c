"""A small map of what a network with two inputs answers over the plane, with points of its classes and a note below."""

from typing import Any

import numpy as np
from bokeh.models import Image

from app.pictures.base.figures import empty, paint, plot, words
from app.pictures.maps.network_maps import MARKS, answer_colors

DOTS = (5, 6, 5, 6)
"""Diameters in pixels of the points of each class: these shapes look equally large"""

ENDS = (-0.006, 1.006)
"""Ends of both axes: a map's side is 1, and the lines at its edges need a margin"""

LEAST = 90
"""Smallest width in pixels: three maps side by side fit a phone"""

NOTE = 26
"""Pixels for the note below a map, also where type is half as large again"""

AROUND = NOTE + 49
"""Pixels of the height that are not the map: the note, and two lines of a title"""


class AnswerMap:
    """The figure, created once; `show` moves its data. It is AROUND pixels higher than its map."""

    def __init__(self, title: str, height: int) -> None:
        """`title` has two lines. `height` of the whole figure in pixels."""
        self.figure = plot(title, "", "", height=height, min_border=0, x_range=ENDS, y_range=ENDS)
        self.figure.update(frame_align=False, min_border_bottom=NOTE, min_width=LEAST)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self.image = empty("image")
        self.figure.add_glyph(self.image, Image(image="image", x=0, y=0, dw=1, dh=1, color_mapper=answer_colors()))
        self.points = []
        for (marker, color), size in zip(MARKS, DOTS, strict=True):
            source = empty("x", "y")
            self.points.append(source)
            dots = self.figure.scatter("x", "y", source=source, marker=marker, size=size, line_width=0.8)
            paint(dots, fill_color=color, line_color="paper")
        self.box = self.figure.quad(0, 1, 1, 0, fill_color=None, line_width=1)
        paint(self.box, line_color="rule")
        self.note = empty("x", "y", "text")
        looks: dict[str, Any] = {"text_align": "left", "text_baseline": "top", "y_offset": 3, "level": "overlay"}
        words(self.figure, self.note, "soft", **looks)

    def show(self, answers: np.ndarray, points: np.ndarray, classes: np.ndarray, reach: float, note: str) -> None:
        """Move the data: `answers` (side, side) as bytes of `sims.instruments.networks.decision_map`, and points (n, 2)
        with classes (n,), of a square of ±`reach`."""
        self.image.data = {"image": [answers]}
        places = points / (2 * reach) + 0.5
        for label, source in enumerate(self.points):
            source.data = {"x": places[classes == label, 0], "y": places[classes == label, 1]}
        self.note.data = {"x": [0], "y": [0], "text": [note]}
