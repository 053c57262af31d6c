"""Walks in the plane, whose steps are the updates of blocks, and how far they lead; ρ over the training."""

from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import STEPS, Curves, empty, paint, plot, words
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.depth.correlated import Correlated, rho_through

WALKS = {
    "formula": ("formula", "fifth", "dashed", 2.2),
    "start": ("network, at start", "idle", "dotted", 2.6),
    "now": ("network, now", "residual", "solid", 3.0),
}
"""Name → label, color, dash and width of its line"""

LOW, TALLEST = 270, 420
"""Height in pixels of the distances on a phone, and the largest on a wide window, which is about that of the plane"""

SQUARE = 0.96
"""Width of the plane over its height, title and axes included, which makes the plane itself a square"""

ROOM = 0.62
"""Half of the plane's side, in lengths of the longer side of what all walks cover: also for labels at their ends"""

OVER = 8
"""Pixels from the end of a walk up to its label"""


class CorrelatedView(View[Correlated]):
    """The plane and the distances, with one color for each walk; a drag over the distances sets ρ."""

    def draw(self) -> list[LayoutDOM]:
        self._plane = plot("Steps of all blocks", "mean steps", "", height=LOW, x_range=(-1, 1), y_range=(-1, 1))
        self._plane.update(aspect_ratio=SQUARE, frame_align=False)
        self._plane.styles = {"max-width": "clamp(270px, 30vw, 384px)"}
        self._far = plot(
            "Distance from the start: drag ρ", "block", "mean steps", height=LOW, x_range=(0, 1), y_range=(0, 1)
        )
        self._far.styles = {"height": f"clamp({LOW}px, 31vw, {TALLEST}px)"}
        self._walks, self._curves = {}, {}
        for name, (_words, color, dash, wide) in WALKS.items():
            self._walks[name], self._curves[name] = empty("x", "y"), empty("x", "y")
            for figure, source in ((self._plane, self._walks[name]), (self._far, self._curves[name])):
                paint(figure.line("x", "y", source=source, line_width=wide, line_dash=dash), line_color=color)
        self._tips = {name: empty("x", "y", "text", "align") for name in WALKS}
        for name, (_words, color, _dash, _wide) in WALKS.items():
            tip = self._plane.scatter("x", "y", source=self._tips[name], size=9, level="annotation")
            paint(tip, fill_color=color, line_color="panel")
            looks: dict[str, Any] = {"text_align": "align", "text_baseline": "bottom", "y_offset": -OVER}
            words(self._plane, self._tips[name], color, level="annotation", **looks)
        origin = self._plane.scatter([0], [0], marker="cross", size=14, line_width=2)
        paint(origin, line_color="ink")
        self._ends = EndLabels(self._far, {name: color for name, (_w, color, _d, _l) in WALKS.items()}, 102)
        known(self._plane, origin, self._walks["start"], self._tips["start"])
        known(self._far, self._curves["start"], *self._ends.of("start"))
        for event_type in (PanStart, Pan, Tap):
            self._far.on_event(event_type, self._on_pointer)
        return [self._plane, self._far]

    def measures(self) -> list[LayoutDOM]:
        figure = plot("Correlation of the corrections", "training step", "ρ", height=300, y_range=(-0.1, 1), **STEPS)
        self._rho = Curves(figure, {"rho": ("network", "residual", "solid")})
        return [figure]

    def update(self, frame: Frame) -> None:
        blocks = self.simulation.blocks
        middle = self._enclose(frame)
        for name, (text, *_looks) in WALKS.items():
            x, y = frame[f"{name}_x"], frame[f"{name}_y"]
            self._walks[name].data = {"x": x, "y": y}
            align = "right" if float(x[-1]) > middle else "left"  # the labels inside the plane
            self._tips[name].data = {"x": x[-1:], "y": y[-1:], "text": [text.split(", ")[-1]], "align": [align]}
            self._curves[name].data = {"x": np.arange(blocks + 1), "y": frame[f"{name}_distance"]}
        top = max(float(np.nanmax(frame[f"{name}_distance"])) for name in WALKS)
        self._far.x_range.update(start=0, end=blocks)
        distances: Any = self._far.y_range
        distances.update(start=0, end=1.08 * top)
        ends = {name: (float(frame[f"{name}_distance"][-1]), text) for name, (text, *_) in WALKS.items()}
        self._ends.show(blocks, ends)
        self._rho.show(frame["steps"], frame.steps, {"rho": read(frame, "rho")})

    def _enclose(self, frame: Frame) -> float:
        """Make the plane a square around all walks, on one scale for both axes; return its middle across."""
        middles, spans = {}, {}
        for axis in ("x", "y"):
            places = np.concatenate([[0.0], *(frame[f"{name}_{axis}"] for name in WALKS)])
            places = places[np.isfinite(places)]
            middles[axis] = float(places.min() + places.max()) / 2
            spans[axis] = float(np.ptp(places))
        half = ROOM * (max(spans.values()) or 1.0)
        self._plane.x_range.update(start=middles["x"] - half, end=middles["x"] + half)
        self._plane.y_range.update(start=middles["y"] - half, end=middles["y"] + half)
        return middles["x"]

    def _on_pointer(self, event: Any) -> None:
        if all(isinstance(coordinate, float | int) for coordinate in (event.x, event.y)):
            self.change("rho", rho_through(float(event.x), float(event.y)))
