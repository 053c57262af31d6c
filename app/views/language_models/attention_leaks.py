"""A grid of inputs, colored by their influence on one output."""

import math

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint
from app.pictures.maps.heat_map import HeatMap
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.language_models.attention_leaks import SEQUENCES, TOKENS, AttentionLeaks


class AttentionLeaksView(View[AttentionLeaks]):
    """The grid, with a ring around the chosen output."""

    def draw(self) -> list[LayoutDOM]:
        self._map = HeatMap("Influence on the ringed output", "token", "sequence of the batch", height=300)
        self._map.figure.styles = {"grid-column": "1 / -1"}
        self._map.figure.on_event(Tap, lambda event: self._ask(event.x, event.y))
        self._cells, self._ring = empty("x", "y"), empty("x", "y")
        cells = self._map.figure.rect("x", "y", 1, 1, source=self._cells, fill_color=None, line_width=2)
        paint(cells, line_color="panel")
        for width, color in ((7, "panel"), (3, "ink")):
            ring = self._map.figure.scatter("x", "y", source=self._ring, size=22, line_width=width, fill_color=None)
            paint(ring, line_color=color)
        self._sizes = (0, 0)
        for axis in (self._map.figure.xaxis, self._map.figure.yaxis):
            named_ticks(axis, {})
        return [self._map.figure]

    def update(self, frame: Frame) -> None:
        norms = frame["gradient"]
        rows, columns = norms.shape
        if self._sizes != (rows, columns):
            self._sizes = (rows, columns)
            named_ticks(self._map.figure.xaxis, {index + 1: str(index + 1) for index in range(columns)})
            named_ticks(self._map.figure.yaxis, {index + 1: str(index + 1) for index in range(rows)})
        self._map.show(norms, (0.5, columns + 0.5), (0.5, rows + 0.5))
        across, up = np.meshgrid(np.arange(1, columns + 1), np.arange(1, rows + 1))
        self._cells.data = {"x": across.ravel(), "y": up.ravel()}
        self._ring.data = {"x": [self.simulation.token], "y": [self.simulation.sequence]}

    def _ask(self, x: float | None, y: float | None) -> None:
        """Choose the output under the pointer."""
        if not (isinstance(x, float | int) and isinstance(y, float | int) and math.isfinite(x) and math.isfinite(y)):
            return
        token, sequence = round(x), round(y)
        if 1 <= token <= TOKENS and 1 <= sequence <= SEQUENCES:
            self.change_all({"token": token, "sequence": sequence})
