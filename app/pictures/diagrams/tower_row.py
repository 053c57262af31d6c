"""A row of small towers, each in its present shape, with a dotted outline of its initial shape and a number below it.

The width of the left half is the signal going up, that of the right half the gradient coming down, as in
`app.pictures.diagrams.towers`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Tap

from app.pictures.base.figures import empty, named_ticks, paint, plot, words
from app.pictures.diagrams.towers import HALVES, width

APART = 3.7
"""Distance between the centers of neighboring towers"""

MOST_DECADES, FINE_DECADES = 12.0, 0.12
"""Scale of the widths: finer than for large towers, since training changes sizes by factors of two and three"""

LOWEST, HIGHEST = -0.44, 1.72
"""Lower and upper end of the picture around towers of height 1, with room for words"""

PLACES = {"name": 1.47, "top": 1.11, "foot": -0.11, "loss": -0.32}
"""Heights of the words"""

LONG = 8
"""Length from which on a name is split into two lines: on a phone, towers are 48 pixels apart"""


@dataclass(frozen=True)
class SmallTower:
    """Data of one tower. Sizes go from bottom to top; values that are not finite are not drawn."""

    name: str
    before: dict[str, np.ndarray]
    """Values of "stream" and "gradient" at the start"""
    now: dict[str, np.ndarray]
    top: str
    foot: str
    loss: str


class TowerRow:
    """Several towers in one figure. On a click, `pressed` gets the tower's index, counted from 0."""

    def __init__(self, title: str, count: int, pressed: Callable[[int], None]) -> None:
        self.figure = plot(
            title, "", "block", height=330, x_range=(-APART / 2, (count - 0.5) * APART), y_range=(LOWEST, HIGHEST)
        )
        self._count, self._pressed = count, pressed
        self.figure.xaxis.visible = False
        self.figure.ygrid.visible = False
        named_ticks(self.figure.yaxis, {0.0: "0"})
        self._chosen = empty("left", "right", "bottom", "top")
        chosen = self.figure.quad("left", "right", "bottom", "top", source=self._chosen, line_width=0)
        paint(chosen, fill_color="wash", line_color="wash")
        ones = np.array([at * APART + way for at in range(count) for way, _color in HALVES.values()])
        guides = self.figure.segment(ones, 0 * ones, ones, 0 * ones + 1, line_width=1)
        paint(guides, line_color="rule")
        self._halves = {}
        for half, (_way, color) in HALVES.items():
            source = self._halves[half] = empty("x", "y")
            patches = self.figure.patches("x", "y", source=source, fill_alpha=0.35, line_width=1.8)
            paint(patches, fill_color=color, line_color=color)
        self._before = empty("x", "y")
        before = self.figure.multi_line("x", "y", source=self._before, line_width=1.8, line_dash=[2, 3])
        paint(before, line_color="ink")
        self._words = {}
        for kind in PLACES:
            source = self._words[kind] = empty("x", "y", "text")
            words(self.figure, source, "ink", text_font_style="bold" if kind == "name" else "normal", level="overlay")
        self.figure.on_event(Tap, self._on_tap)

    def show(self, towers: Sequence[SmallTower], chosen: int | None) -> None:
        """Show all towers, with the same number of blocks; `chosen` has a tinted background."""
        blocks = len(towers[0].now["stream"]) - 1
        named_ticks(self.figure.yaxis, {0.0: "0", 1.0: str(blocks), PLACES["loss"]: "loss"})
        before: list[tuple[np.ndarray, np.ndarray]] = []
        for half, (way, _color) in HALVES.items():
            outlines = []
            for at, tower in enumerate(towers):
                x, y = _outline(tower.now[half], at * APART, way)
                outlines.append((np.concatenate([x, np.full(len(x), at * APART)]), np.concatenate([y, y[::-1]])))
                before.append(_outline(tower.before[half], at * APART, way))
            self._halves[half].data = {"x": [x for x, _y in outlines], "y": [y for _x, y in outlines]}
        self._before.data = {"x": [x for x, _y in before], "y": [y for _x, y in before]}
        for kind, height in PLACES.items():
            texts = [getattr(tower, kind) for tower in towers]
            self._words[kind].data = {
                "x": [at * APART for at in range(len(towers))],
                "y": [height] * len(towers),
                "text": [_broken(text) if kind == "name" else text for text in texts],
            }
        middle = [] if chosen is None else [chosen * APART]
        self._chosen.data = {
            "left": [center - APART / 2 for center in middle],
            "right": [center + APART / 2 for center in middle],
            "bottom": [LOWEST] * len(middle),
            "top": [HIGHEST] * len(middle),
        }

    def _on_tap(self, event: Any) -> None:
        if isinstance(event.x, float | int):
            self._pressed(min(max(round(event.x / APART), 0), self._count - 1))


def _broken(name: str) -> str:
    """A long name in two lines: split at its space, or before its second capital."""
    if len(name) < LONG:
        return name
    return name.replace(" ", "\n") if " " in name else re.sub(r"(?<=[a-z])(?=[A-Z])", "\n", name)


def _outline(sizes: np.ndarray, center: float, way: int) -> tuple[np.ndarray, np.ndarray]:
    """The edge of one half, over heights from 0 to 1."""
    finite = np.isfinite(sizes)
    return center + way * width(sizes[finite], MOST_DECADES, FINE_DECADES), np.flatnonzero(finite) / (len(sizes) - 1)
