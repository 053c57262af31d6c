"""A grid of inputs, colored by their influence on one output."""

from bokeh.models import LayoutDOM

from app.pictures.figures import empty, named_ticks, paint
from app.pictures.heat_map import HeatMap
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.attention_leaks import AttentionLeaks


class AttentionLeaksView(View[AttentionLeaks]):
    """The grid, with a ring around the output that is asked."""

    def draw(self) -> list[LayoutDOM]:
        self._map = HeatMap("Influence on the output with the ring (gray: exactly 0)", "token", "sequence of the batch")
        self._ring = empty("x", "y")
        ring = self._map.figure.scatter("x", "y", source=self._ring, size=22, line_width=3, fill_color=None)
        paint(ring, line_color="failing")
        self._sizes = (0, 0)
        for axis in (self._map.figure.xaxis, self._map.figure.yaxis):
            named_ticks(axis, {})
        return [self._map.figure]

    def update(self, frame: Frame) -> None:
        norms = frame["gradient"]
        rows, columns = norms.shape
        if self._sizes != (rows, columns):
            self._sizes = (rows, columns)
            named_ticks(self._map.figure.xaxis, {each + 1: str(each + 1) for each in range(columns)})
            named_ticks(self._map.figure.yaxis, {each + 1: str(each + 1) for each in range(rows)})
        self._map.show(norms, (0.5, columns + 0.5), (0.5, rows + 0.5))
        self._ring.data = {"x": [self.simulation.token], "y": [self.simulation.sequence]}
