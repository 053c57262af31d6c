"""Walks in the plane, whose steps are the updates of blocks, and how far they lead; ρ over the training."""

from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import STEPS, Curves, empty, paint, plot
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

HIGH = 270
"""Height of the distances in pixels: with the plane above they fit on a phone"""


class CorrelatedView(View[Correlated]):
    """The plane and the distances, with one color for each walk; a drag over the distances sets ρ."""

    def draw(self) -> list[LayoutDOM]:
        self._plane = plot("Steps of all blocks", "mean steps", "", height=HIGH, x_range=(-1, 1), y_range=(-1, 1))
        self._plane.update(aspect_ratio=1.0, max_width=290, frame_align=False)
        self._far = plot(
            "Distance from the start: drag ρ", "block", "mean steps", height=HIGH, x_range=(0, 1), y_range=(0, 1)
        )
        self._walks, self._curves = {}, {}
        for name, (_words, color, dash, wide) in WALKS.items():
            self._walks[name], self._curves[name] = empty("x", "y"), empty("x", "y")
            for figure, source in ((self._plane, self._walks[name]), (self._far, self._curves[name])):
                paint(figure.line("x", "y", source=source, line_width=wide, line_dash=dash), line_color=color)
        self._tips = {name: empty("x", "y") for name in WALKS}
        for name, (_words, color, _dash, _wide) in WALKS.items():
            tip = self._plane.scatter("x", "y", source=self._tips[name], size=9, level="annotation")
            paint(tip, fill_color=color, line_color="panel")
        paint(self._plane.scatter([0], [0], marker="cross", size=14, line_width=2), line_color="ink")
        self._ends = EndLabels(self._far, {name: color for name, (_w, color, _d, _l) in WALKS.items()}, 122)
        for event_type in (PanStart, Pan, Tap):
            self._far.on_event(event_type, self._on_pointer)
        return [self._plane, self._far]

    def measures(self) -> list[LayoutDOM]:
        figure = plot("Correlation of the corrections", "training step", "ρ", height=300, y_range=(-0.1, 1), **STEPS)
        self._rho = Curves(figure, {"rho": ("network", "residual", "solid")})
        return [figure]

    def update(self, frame: Frame) -> None:
        blocks = self.simulation.blocks
        for name in WALKS:
            x, y = frame[f"{name}_x"], frame[f"{name}_y"]
            self._walks[name].data = {"x": x, "y": y}
            self._tips[name].data = {"x": x[-1:], "y": y[-1:]}
            self._curves[name].data = {"x": np.arange(blocks + 1), "y": frame[f"{name}_distance"]}
        top = max(float(np.nanmax(frame[f"{name}_distance"])) for name in WALKS)
        for axis in (self._plane.x_range, self._plane.y_range):
            axis.update(start=-1.1 * top, end=1.1 * top)
        self._far.x_range.update(start=0, end=blocks)
        distances: Any = self._far.y_range
        distances.update(start=0, end=1.08 * top)
        ends = {name: (float(frame[f"{name}_distance"][-1]), words) for name, (words, *_) in WALKS.items()}
        self._ends.show(blocks, ends)
        self._rho.show(frame["steps"], frame.steps, {"rho": read(frame, "rho")})

    def _on_pointer(self, event: Any) -> None:
        if all(isinstance(coordinate, float | int) for coordinate in (event.x, event.y)):
            self.change("rho", rho_through(float(event.x), float(event.y)))
