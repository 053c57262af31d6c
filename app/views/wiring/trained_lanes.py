"""The lanes of two trained language models: a drop of dye in each, and how alike lanes are; stretch and losses as
measures."""

from typing import Any, cast

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import POWERS, STEPS, Curves, plot, ticks_at
from app.pictures.base.questions import drawn_here
from app.pictures.charts.lane_table import LaneTable
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.wiring.trained_lanes import FORMS, SHORT, TrainedLanes

LOOKS = {"free": ("free", "fourth", "dotted"), "doubly": ("doubly stochastic", "residual", "solid")}
"""Beginning of a quantity's name → its name in a legend, color and dash"""

ROOM = 48
"""Pixels for the numbers at the end of a row"""

LANES_HEIGHT, LINES_HEIGHT = 188, 212

TOP = 54
"""Pixels above the lanes for a title and a legend: both tables have the same height, whichever has a legend"""


class TrainedLanesView(View[TrainedLanes]):
    """The main picture: a table of dye for each model, and the likeness of lanes."""

    def draw(self) -> list[LayoutDOM]:
        self._dye = {
            name: LaneTable(f"Dye from lane 1: {FORMS[form]}", "branches passed", LANES_HEIGHT, ROOM)
            for form, name in SHORT.items()
        }
        alike = plot(
            "How alike two lanes are (cosine)",
            "branches passed",
            "",
            height=LINES_HEIGHT,
            x_range=(0, 1),
            y_range=(-0.3, 1.05),
        )
        alike.update(styles={"grid-column": "1 / -1"}, min_border_right=ROOM)
        for axis, ticks in ((alike.xaxis, []), (alike.yaxis, [0, 0.5, 1])):
            ticks_at(axis, ticks)
        for table in self._dye.values():
            table.figure.min_border_top = TOP
        self._places: tuple[Any, Any] = alike.xaxis, alike.x_range
        self._alike = Curves(alike, LOOKS)
        drawn_here(alike)
        return [*(table.figure for table in self._dye.values()), alike]

    def measures(self) -> list[LayoutDOM]:
        stretch = plot("Stretch of all mixes so far", "branches passed", "", x_range=(0, 1), **POWERS)
        last = plot("How alike lanes are at the top", "training step", "cosine", y_range=(-0.3, 1.05), **STEPS)
        losses = plot("Held-out loss", "training step", "nats", **STEPS)
        self._stretch, self._last, self._losses = (Curves(plot, LOOKS) for plot in (stretch, last, losses))
        return [stretch, last, losses]

    def update(self, frame: Frame) -> None:
        writer = self.simulation.writer
        for form, name in SHORT.items():
            dye, heading = frame[f"{name}_dye"], cast(Any, self._dye[name].figure.title)
            full = max(1.0, float(np.abs(dye).max())) if writer else 1.0
            source = f"the write of branch {writer} (darkest: {number(full, 2)})" if writer else "lane 1"
            heading.text = f"Dye from {source}: {FORMS[form]}"
            self._dye[name].show(dye, None if writer else 0, full)
        places = len(frame["free_alike"])
        for curves, what in ((self._alike, "alike"), (self._stretch, "stretch")):
            curves.show(np.arange(places), places - 1, {name: read(frame, f"{name}_{what}") for name in LOOKS})
        cells: Any = self._dye["free"].figure
        axis, reach = self._places
        ticks_at(axis, cells.xaxis[0].ticker.ticks)
        reach.update(start=cells.x_range.start, end=cells.x_range.end)
        for curves, what in ((self._last, "last"), (self._losses, "loss")):
            curves.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_{what}") for name in LOOKS})
