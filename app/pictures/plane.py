"""A map of what a network answers over the plane, with the points that it learns from."""

from collections.abc import Callable
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import Image, LinearColorMapper

from app.pictures.figures import empty, paint, plot
from sims.contract.frame import Frame
from sims.instruments.decision_map import LEVELS, NOTHING

HUES = (
    "#8b4bb0",
    "#a8862a",
    "#2b9168",
    "#6d7c8d",
    "#c1527a",
    "#4a80c4",
    "#b9692c",
    "#5b9a2e",
    "#3a9ca6",
    "#7a5c46",
)
"""One for each class: of middle brightness, so that thinned out they work on a light and on a dark page."""

FAINTEST, STRONGEST = 0.08, 0.66
"""Opacity of the least and of the most confident answer."""

NO_ANSWER = ": no finite number left"
"""What the title adds where a network has run away."""

MARKS = (("circle", "fourth"), ("triangle", "fifth"), ("square", "third"), ("diamond", "edge"))
"""Shape and color of a point, by its class."""


def palette() -> list[str]:
    """A color with opacity for every byte of a decision map."""
    opacities = np.linspace(FAINTEST, STRONGEST, LEVELS)
    return [f"{hue}{round(255 * each):02x}" for hue in HUES for each in opacities]


class Plane:
    """The figure, drawn once; `show` moves its data. `tapped(x, y)` is called where a reader clicks."""

    def __init__(self, title: str, tapped: Callable[[float | None, float | None], None]) -> None:
        self.figure = plot(
            title, "first input", "second input", height=360, x_range=(-2, 2), y_range=(-2, 2), max_width=520
        )
        self._words = title
        self._title: Any = self.figure.title
        self.figure.update(aspect_ratio=1.0)
        self.figure.grid.visible = False
        self._image = empty("image", "from", "side")
        colors = palette()
        mapper = LinearColorMapper(
            palette=colors, low=-0.5, high=len(colors) - 0.5, high_color="#00000000", nan_color="#00000000"
        )
        picture = Image(image="image", x="from", y="from", dw="side", dh="side", color_mapper=mapper)
        self.figure.add_glyph(self._image, picture)
        self._points = {}
        for kind, (marker, color) in enumerate(MARKS):
            source = self._points[kind] = empty("x", "y")
            paint(
                self.figure.scatter("x", "y", source=source, marker=marker, size=7, line_width=0.8),
                fill_color=color,
                line_color="paper",
            )
        self._digits = empty("x", "y", "text")
        digits = self.figure.text(
            "x", "y", "text", source=self._digits, text_align="center", text_baseline="middle", text_font_size="11px"
        )
        paint(digits, text_color="ink")
        self.figure.on_event(Tap, lambda event: tapped(event.x, event.y))
        self._shown: tuple[np.ndarray, np.ndarray] | None = None

    def show(self, frame: Frame, name: str, moment: int) -> None:
        """One network of a frame at one moment."""
        reach = float(frame.results["reach"])
        self._show_points(frame)
        answers = frame[f"{name}_maps"][moment]
        self._image.data = {"image": [answers], "from": [-reach], "side": [2 * reach]}
        self._title.text = self._words + (NO_ANSWER if (answers == NOTHING).all() else "")

    def show_nothing_learned(self, frame: Frame) -> None:
        """The points alone, on an empty map."""
        self._show_points(frame)
        self._image.data = {"image": [], "from": [], "side": []}

    def _show_points(self, frame: Frame) -> None:
        reach, points, classes = float(frame.results["reach"]), frame["points"], frame["classes"]
        if self._shown and np.array_equal(self._shown[0], points) and np.array_equal(self._shown[1], classes):
            return
        self._shown = points, classes
        for axis in (self.figure.x_range, self.figure.y_range):
            axis.update(start=-reach, end=reach)
        many = bool(classes.max(initial=0) >= len(MARKS))
        for kind, source in self._points.items():
            mine = points[(classes == kind) & (not many)]
            source.data = {"x": mine[:, 0], "y": mine[:, 1]}
        shown = points if many else points[:0]
        self._digits.data = {"x": shown[:, 0], "y": shown[:, 1], "text": [str(each) for each in classes[: len(shown)]]}
