"""Lanes with a drop of dye in one of them, and how much their mixing matrices stretch."""

from typing import Any

from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, empty, fit, paint, plot
from app.pictures.base.questions import drawn_here
from app.pictures.charts.lane_table import BEFORE, LaneTable
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number, tick
from sims.simulations.wiring.lanes import Lanes

LINES = {"largest": ("largest", "accent", "solid"), "second": ("second", "fourth", "dashed")}
"""Line → its name, color and dash"""

LEAST = -8
"""Power of ten at which smaller singular values are drawn"""

ROOM = 114
"""Pixels for the words at the end of a line"""


class LanesView(View[Lanes]):
    """The drop of dye and the singular values are the main picture; the gradient, flowing backward, is a measure."""

    def draw(self) -> list[LayoutDOM]:
        self._dye = LaneTable("A drop of dye (dark: all of it): press a lane", "blocks passed", 204, ROOM)
        self._dye.figure.on_event(Tap, self._pressed)
        lines = plot("Stretch of all mixes so far", "blocks passed", "", height=184, x_range=(0, 1), **POWERS)
        lines.styles = {"grid-column": "1 / -1"}
        self._values = empty("x", *LINES)
        for name, (_label, color, dash) in LINES.items():
            paint(
                lines.line("x", name, source=self._values, line_width=2.8, line_dash=dash),
                line_color=color,
            )
        self._names = EndLabels(lines, {name: color for name, (_label, color, _dash) in LINES.items()}, ROOM)
        self._lines = lines
        drawn_here(lines)
        return [self._dye.figure, lines]

    def measures(self) -> list[LayoutDOM]:
        self._gradient = LaneTable(
            "Gradient of one lane at the top, going back", "blocks passed, going back", 204, ROOM
        )
        return [self._gradient.figure]

    def _pressed(self, event: Any) -> None:
        lane = self.simulation.lanes + 1 - round(event.y)
        if 1 <= lane <= self.simulation.lanes:
            self.change("dyed", lane)

    def update(self, frame: Frame) -> None:
        self._dye.show(frame["dye"], self.simulation.lane)
        self._gradient.show(frame["gradient"][::-1], self.simulation.lane)
        clipped = {name: frame[name].clip(min=10.0**LEAST) for name in LINES}
        fit(self._lines, list(clipped.values()))
        last = float(frame["blocks"][-1])
        self._lines.x_range.update(start=-BEFORE, end=last + 0.5)
        self._values.data = {"x": frame["blocks"], **clipped}
        ends = {}
        for name, (label, _color, _dash) in LINES.items():
            value = float(frame[name][-1])
            if value == value:
                text = f"below {tick(LEAST)}" if value < 10.0**LEAST else number(value, 3)
                ends[name] = (float(clipped[name][-1]), f"{label} {text}")
        self._names.show(last + 0.5, ends)
