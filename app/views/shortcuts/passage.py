"""Points travel from block to block of a network, and the head separates them; above, all blocks at once."""

from itertools import pairwise

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import paint, plot, ticks_at
from app.pictures.base.timed import Journey, Timed, Travelers, playable, straight
from app.pictures.maps.network_maps import MARKS
from app.pictures.maps.point_stages import PointStages
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.shortcuts.passage import BLOCKS, Passage

DOT = 8.0
"""Diameter of a point in pixels"""

ROOM = 1.06
"""End of the picture, around points from -1 to 1"""

PLACES = 3
"""Decimals of coordinates in the data; less than a pixel"""


TAIL = 0.3
"""Opacity of a line from where a point was before the block"""


class PassageView(View[Passage]):
    """One figure that plays by itself, below small ones for every block. Classes are circles and triangles, so that
    they differ by more than color."""

    def draw(self) -> list[LayoutDOM]:
        figure = self._figure = plot(
            "After the framed block, with the last steps",
            "← circle    what the head says    triangle →",
            "",
            height=250,
            x_range=(-ROOM, ROOM),
            y_range=(-ROOM, ROOM),
        )
        figure.yaxis.visible = False
        ticks_at(figure.xaxis, [])
        figure.grid.visible = False
        figure.styles = {"grid-column": "1 / -1"}
        paint(figure.vspan(x=[0], line_width=1.5), line_color="edge")
        self._standing, self._moving, self._tails = {}, {}, {}
        for name, (_marker, color) in enumerate(MARKS[:2]):
            tails = self._tails[name] = Timed("x0", "y0", "x1", "y1", "bright")
            lines = figure.segment("x0", "y0", "x1", "y1", source=tails.source, line_width=1, line_alpha="alpha")
            paint(lines, line_color=color)
        for name, (marker, color) in enumerate(MARKS[:2]):
            standing, moving = self._standing[name], self._moving[name] = Timed("x", "y"), Travelers()
            for source in (standing.source, moving.source):
                dots = figure.scatter("x", "y", source=source, size=DOT, marker=marker, alpha="alpha", line_width=0.8)
                paint(dots, fill_color=color, line_color="panel")
        self._stages = PointStages(
            "After each block, each on its own scale",
            "before",
            BLOCKS + 1,
            lambda block: self.change("block", block),
        )
        self._now = playable(
            figure,
            "block",
            BLOCKS,
            list(self._stages.frames.values()),
            [*self._standing.values(), *self._tails.values()],
            list(self._moving.values()),
            "Play: through the network, block by block",
        )
        return [*self._stages.figures, figure]

    def update(self, frame: Frame) -> None:
        across, upward = (to_scale(frame[name]) for name in ("across", "upward"))
        self._now.data = {"moment": [self.simulation.block]}
        for name, standing in self._standing.items():
            x, y = (places[:, frame["classes"] == name].T.tolist() for places in (across, upward))
            points = [list(zip(*pair, strict=True)) for pair in zip(x, y, strict=True)]
            rows = [(place, at, at) for point in points for at, place in enumerate(point)]
            standing.show(rows, self.simulation.block)
            steps = [(pair, at) for point in points for at, pair in enumerate(pairwise(point), 1)]
            tails = [((*start, *end, TAIL), at, at) for (start, end), at in steps]
            self._tails[name].show(tails, self.simulation.block)
            self._moving[name].show([step for point in points for step in journeys(point)])
        self._stages.show(across, upward, frame["classes"], self.simulation.block)


def to_scale(values: np.ndarray) -> np.ndarray:
    """Values (blocks, points), each block divided by its largest size; zero if nothing is finite."""
    sizes = np.abs(values).max(axis=1, keepdims=True)
    scaled = np.divide(values, sizes, out=np.zeros_like(values), where=np.isfinite(sizes) & (sizes > 0))
    rounded: np.ndarray = np.round(scaled, PLACES)
    return rounded


def journeys(places: list[tuple[float, float]]) -> list[Journey]:
    """The steps of a point from each place to the next, one per moment."""
    ways = (straight(*start, *end) for start, end in pairwise(places))
    return [
        Journey(tuple(round(value, PLACES) for value in way), moment, 0.0, 1.0, DOT)
        for moment, way in enumerate(ways, 1)
    ]
