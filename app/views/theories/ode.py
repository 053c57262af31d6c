"""Trajectories of points through networks of two depths, and the distance of their ends against depth."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.direct import Words
from app.pictures.base.figures import POWERS, empty, fit, named_ticks, paint, plot
from app.pictures.base.pairs import pair
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import blocks
from sims.simulations.theories.ode import DEPTHS, Ode

LINES = {
    "moved": ("residual", "solid", "moved in all"),
    "gap": ("fourth", "dashed", "from L to 2L"),
}
"""Quantity → color, dash and name"""

ROOM = 24.0
"""End of the axis of depths, relative to the largest depth: names are there"""

RINGED = 1.5
"""Margin of the axis of distances above a distance, as a factor: room for the ring of the present depth"""


class OdeView(View[Ode]):
    """Solid lines for the present depth, dashed ones for twice that depth."""

    def draw(self) -> list[LayoutDOM]:
        self._plane = plot("Paths of twelve points", "", "", x_range=(-1, 1), y_range=(-1, 1))
        self._plane.axis.visible = False
        self._plane.grid.visible = False
        self._ways = {name: empty("xs", "ys") for name in ("here", "double")}
        for name, (color, dash, width) in {
            "double": ("fourth", "dashed", 1.8),
            "here": ("residual", "solid", 2.4),
        }.items():
            paint(
                self._plane.multi_line("xs", "ys", source=self._ways[name], line_width=width, line_dash=dash),
                line_color=color,
            )
        self._starts, self._ends = empty("x", "y"), empty("x", "y")
        starts = self._plane.scatter("x", "y", source=self._starts, size=6)
        ends = self._plane.scatter("x", "y", source=self._ends, size=9, line_width=1.5)
        paint(starts, fill_color="idle", line_color="idle")
        paint(ends, fill_color="residual", line_color="panel")
        self._key = {name: empty("x", "y", "text") for name in ("here", "double")}
        for row, (name, color) in enumerate({"here": "residual", "double": "fourth"}.items()):
            words = self._plane.text(
                "x", "y", "text", source=self._key[name], text_font_size="13px", text_baseline="top", y_offset=17 * row
            )
            paint(words, text_color=color)
        self._over = plot(
            "By depth",
            "blocks L",
            "distance",
            x_axis_type="log",
            x_range=(DEPTHS[0] / 1.3, DEPTHS[-1] * ROOM),
            **POWERS,
        )
        named_ticks(self._over.xaxis, {depth: str(depth) for depth in DEPTHS[::2]})
        self._here, self._distances = empty("x", "y"), empty("x", *LINES)
        for name, (color, dash, _) in LINES.items():
            line = self._over.line("x", name, source=self._distances, line_width=2.6, line_dash=dash)
            dots = self._over.scatter("x", name, source=self._distances, size=6)
            paint(line, line_color=color)
            paint(dots, fill_color=color, line_color=color)
        ring = self._over.scatter("x", "y", source=self._here, size=15, line_width=2, fill_color=None)
        paint(ring, line_color="ink")
        self._names = Words(self._over, {name: color for name, (color, *_) in LINES.items()}, 0.09)
        known(self._plane, self._starts, *self._key.values())
        pair((self._plane, self._over))
        return [self._plane, self._over]

    def update(self, frame: Frame) -> None:
        tracks, depth = frame["here"], self.simulation.depth
        for name, source in self._ways.items():
            x, y = frame[name].transpose(2, 1, 0)
            source.data = {"xs": x.tolist(), "ys": y.tolist()}
        for source, points in ((self._starts, tracks[0]), (self._ends, tracks[-1])):
            source.data = {"x": points[:, 0], "y": points[:, 1]}
        reach = 1.06 * max(float(np.abs(frame[name]).max()) for name in self._ways)
        ranges: tuple[Any, Any] = (self._plane.x_range, self._plane.y_range)
        for axis, room in zip(ranges, (1.0, 1.25), strict=True):
            axis.update(start=-reach, end=room * reach)
        for name, count in (("here", depth), ("double", 2 * depth)):
            self._key[name].data = {"x": [-reach], "y": [1.25 * reach], "text": [blocks(count)]}
        depths = frame["depths"]
        fit(self._over, [factor * frame[name] for name in LINES for factor in (1, RINGED)])
        self._distances.data = {"x": depths, **{name: frame[name] for name in LINES}}
        place = int(np.flatnonzero(depths == depth)[0])
        self._here.data = {"x": [depth] * 2, "y": [float(frame[name][place]) for name in LINES]}
        self._names.show({name: (DEPTHS[-1], float(frame[name][-1]), LINES[name][2]) for name in LINES})
