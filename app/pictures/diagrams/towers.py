"""Towers of blocks: the left half's width is the signal going up, the right half's width the gradient coming down.

Each is drawn over the pillar that it would be if no size changed, so that what overflowed is seen to be missing.

Widths are logarithmic near 1 and more and more compressed away from it, so that 1.5 and 10³⁸ are both visible.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap

from app.pictures.base.dragging import Throttle
from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import empty, ink, named_ticks, paint, plot, ticks_at
from app.pictures.base.questions import known

APART = 4.4
"""Distance between the centers of neighboring towers"""

MOST_DECADES, FINE_DECADES = 40.0, 0.3
"""Powers of ten at the ends of a half's scale, and those up to which it is approximately logarithmic"""

SPAN = math.asinh(MOST_DECADES / FINE_DECADES)
ROOM = 0.92
"""Largest deviation of a half's width from 1, its width at size 1: from a thread to nearly twice as wide"""

HALVES = {"stream": (-1, "residual"), "gradient": (1, "fourth")}
"""Half → its side of the tower, and its color"""

TICKS = {1.0: "× 1", 1e30: "× 10³⁰"}
"""Size → its words: how many times the first size"""
WORDS = {"name": ("ink", "14px"), "number": ("ink", "13px"), "note": ("failing", "13px")}
BESIDE = 0.8
"""Distance of the numbers from the center of a tower"""

HIGHEST, LOWEST = 1.24, -0.13
"""Upper and lower end of the picture around towers of height 1, with room for words"""


@dataclass(frozen=True)
class Tower:
    """Data of one tower: sizes from bottom to top; NaN where there is none."""

    name: str
    stream: np.ndarray
    gradient: np.ndarray
    overflow: int
    top: str
    foot: str


def width(sizes: np.ndarray, most: float = MOST_DECADES, fine: float = FINE_DECADES) -> np.ndarray:
    """The width of a half: 1 for a size of 1; 0 for an exact zero; NaN stays. `most` and `fine` are powers of ten."""
    with np.errstate(divide="ignore"):
        decades = np.clip(np.log10(sizes), -most, most)
    return np.where(sizes == 0, 0.0, 1 + ROOM * np.arcsinh(decades / fine) / math.asinh(most / fine))


def size_of(wide: float) -> float:
    """The size whose half has this width, within the range that a half can show."""
    bent = min(max((wide - 1) / ROOM, -1.0), 1.0) * SPAN
    return float(10.0 ** (FINE_DECADES * math.sinh(bent)))


class Towers:
    """Two towers in one figure. If a reader drags the left half of the first, `pulled` gets block and size."""

    def __init__(self, title: str, pulled: Callable[[int, float], None]) -> None:
        self.figure = plot(
            title,
            "stream ← times its first size → gradient",
            "",
            height=400,
            x_range=(-2.2, APART + 2.2),
            y_range=(0, 1),
        )
        self.figure.ygrid.visible = False
        self._pulled, self._throttle, self._blocks = pulled, Throttle(), 1
        places = {
            center + way * float(width(np.array(size))): words
            for center in (0.0, APART)
            for way, _color in HALVES.values()
            for size, words in TICKS.items()
            if size == 1 or way * (center - APART / 2) > 0
        }
        named_ticks(self.figure.xaxis, places)
        ticks_at(self.figure.yaxis, [])
        self._healthy = empty("left", "right", "top")
        healthy = self.figure.quad("left", "right", 0, "top", source=self._healthy, line_width=0)
        paint(healthy, fill_color="wash", line_color="wash")
        self._pillars = empty("x", "foot", "top")
        pillars = self.figure.segment("x", "foot", "x", "top", source=self._pillars, line_dash="dotted", line_width=1.5)
        self._halves = {}
        for at in range(2):
            for half, (_way, color) in HALVES.items():
                source = self._halves[at, half] = empty("inner", "outer", "y")
                area = self.figure.harea("inner", "outer", "y", source=source, fill_alpha=0.35)
                edge = self.figure.line("outer", "y", source=source, line_width=2.2)
                paint(area, fill_color=color)
                paint(edge, line_color=color)
        paint(pillars, line_color="ink")
        self._breaks = empty("left", "right", "y")
        breaks = self.figure.segment("left", "y", "right", "y", source=self._breaks, line_width=4)
        paint(breaks, line_color="failing")
        self._handle = empty("x", "y", "text")
        handle = self.figure.scatter("x", "y", source=self._handle, size=22, line_width=2, level="annotation")
        letter = self.figure.text(
            "x",
            "y",
            "text",
            source=self._handle,
            text_align="center",
            text_baseline="middle",
            text_font_size="14px",
            text_font_style="bold",
            level="overlay",
        )
        paint(handle, fill_color="panel", line_color="residual")
        paint(letter, text_color="residual")
        self._words = {}
        for kind, (color, size) in WORDS.items():
            source = self._words[kind] = empty("x", "y", "text")
            words = self.figure.text(
                "x",
                "y",
                "text",
                source=source,
                text_align="center",
                text_baseline="middle",
                text_font_size=size,
                text_font_style="bold" if kind == "name" else "normal",
                level="overlay",
                **PATCH,
            )
            ink(words.glyph, text_color=color, background_fill_color="panel")
        known(self.figure, self._healthy, self._pillars, self._words["name"])
        for event_type in (PanStart, Pan, Tap):
            self.figure.on_event(event_type, self._on_pointer)

    def show(self, towers: tuple[Tower, Tower]) -> None:
        """Show both towers, with the same number of blocks."""
        blocks = self._blocks = len(towers[0].stream) - 1
        axis: Any = self.figure.y_range
        axis.update(start=LOWEST * blocks, end=HIGHEST * blocks)
        ticks_at(self.figure.yaxis, [0, blocks / 2, blocks])
        words: dict[str, list[tuple[float, float, str]]] = {kind: [] for kind in WORDS}
        breaks: list[tuple[float, float, float]] = []
        for at, tower in enumerate(towers):
            center = at * APART
            sizes: Mapping[str, np.ndarray] = {"stream": tower.stream, "gradient": tower.gradient}
            for half, (way, _color) in HALVES.items():
                finite = np.isfinite(sizes[half])
                y = np.flatnonzero(finite)
                outer = center + way * width(sizes[half][finite])
                self._halves[at, half].data = {"inner": np.full(len(y), center), "outer": outer, "y": y}
            words["name"].append((center, 1.185 * blocks, tower.name))
            words["number"].append((center - BESIDE, 1.06 * blocks, f"↑ {tower.top}" if not tower.overflow else ""))
            words["number"].append((center + BESIDE, -0.07 * blocks, f"↓ {tower.foot}" if not tower.overflow else ""))
            if tower.overflow:
                breaks.append((center - 1 - ROOM, center, tower.overflow))
                words["note"].append((center - 1, tower.overflow + 0.07 * blocks, f"overflow: block {tower.overflow}"))
                words["note"].append((center + 1, 0.5 * blocks, "no gradient"))
        for kind, rows in words.items():
            self._words[kind].data = {key: [row[k] for row in rows] for k, key in enumerate(("x", "y", "text"))}
        self._breaks.data = {key: [row[k] for row in breaks] for k, key in enumerate(("left", "right", "y"))}
        self._healthy.data = {"left": [-1, APART - 1], "right": [1, APART + 1], "top": [blocks] * 2}
        pillars = [center + way for center in (0.0, APART) for way, _color in HALVES.values()]
        self._pillars.data = {"x": pillars, "foot": [0] * 4, "top": [blocks] * 4}
        edge = self._halves[0, "stream"].data
        self._handle.data = {"x": edge["outer"][-1:], "y": edge["y"][-1:], "text": ["α"] * len(edge["y"][-1:])}

    def _on_pointer(self, event: Any) -> None:
        numbers = all(isinstance(coordinate, float | int) for coordinate in (event.x, event.y))
        if numbers and event.x < 0 and 0 < event.y <= HIGHEST * self._blocks and self._throttle.allows():
            self._pulled(min(max(round(event.y), 1), self._blocks), size_of(-float(event.x)))
