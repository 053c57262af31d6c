"""A row of blocks with arcs over them, a signal of two inputs above, the gradient below, perhaps a bar for an error.

Lines are as thick and as bright as what they show is large: one more power of ten adds `THICKER` pixels.
"""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Tap

from app.pictures.base.figures import empty, named_ticks, paint, plot, words
from app.pictures.base.questions import known
from app.pictures.base.timed import Timed, playable

LANES = {"forward": 2.65, "network": 0.3, "back": -1.15, "bar": -2.45}
"""Heights of the middles of the four rows"""

WORDS = {"forward": 3.75, "back": -0.5, "bar": -1.95}
"""Heights of the words about three of them"""

LOWEST, HIGHEST = {True: -3.75, False: -2.15}, 4.1
"""Ends of the picture; the lower one with and without a bar"""

HEIGHTS = {True: 480, False: 400}
"""Pixels with and without a bar"""

UNIT = 57
"""Pixels of a unit of height, about"""

APART = 0.75
"""Distance of each line from the middle of the lane where two inputs are at right angles"""

ARC, BOX, BAR = 1.15, (0.46, 0.62), 0.42
"""Height of an arc; width and height of a block; height of the bar"""

REACH = (-0.4, 1.7)
"""Lower and upper end of what can be pressed"""

NORMS = {"none": (0.0, 0.0), "pre": (-0.84, 0.5), "post": (0.0, 0.86)}
"""Place of a norm → where its bar is, seen from the place after the block, and the height of the bar"""

NORM_WIDTH = 0.12

THICK, THICKER, THINNEST, THICKEST = 7.0, 3.0, 1.5, 20.0
DARK_AFTER, DARKEST = 8, 0.07
"""Powers of ten below 1 at which a line has faded to an opacity of `DARKEST`"""

HALO, HALO_ALPHA = 2.8, 0.16
"""A wide pale line around a line: times as thick, and its share of the opacity"""

BEAT = 50
"""Milliseconds that the signal takes from block to block"""

FINEST = 25
"""Points of an arc"""


@dataclass(frozen=True)
class Bar:
    """An error, 0 to 1; `lowest` and `highest` are its range."""

    error: float
    lowest: float
    highest: float
    words: str


@dataclass(frozen=True)
class Light:
    """What is measured in a network of some blocks, at places from the stem to the last block."""

    stream: np.ndarray
    """(places,) size relative to the first place"""
    degrees: np.ndarray
    """(places,) angle between two inputs"""
    gradient: np.ndarray
    """(places,) size relative to the last place"""
    forward_words: str
    back_words: str
    bar: Bar | None = None
    norm: str = "none"
    """A key of `NORMS`"""


class LitNetwork:
    """One figure that plays by itself. On a click on an arc, `pressed` gets the number of its block, from 1."""

    def __init__(self, title: str, most: int, pressed: Callable[[int], None], bar: bool = False) -> None:
        ends: dict[str, Any] = {"x_range": (-0.8, most + 0.8), "y_range": (LOWEST[bar], HIGHEST)}
        self.figure = plot(title, "", "", height=HEIGHTS[bar], **ends)
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        named_ticks(self.figure.xaxis, {})
        named_ticks(self.figure.yaxis, {})
        self._blocks, self._pressed = most, pressed
        self._wire = empty("x", "y")
        paint(self.figure.line("x", "y", source=self._wire, line_width=2), line_color="edge")
        self._boxes, self._passing = empty("x", "y"), Timed("x", "y")
        boxes = self.figure.rect("x", "y", *BOX, source=self._boxes, line_width=1.2)
        paint(boxes, fill_color="wash", line_color="edge")
        passing = self.figure.rect("x", "y", *BOX, source=self._passing.source, alpha="alpha", line_width=1.2)
        paint(passing, fill_color="accent", line_color="accent")
        self._arcs = {}
        for kind, color, look in (("kept", "residual", "solid"), ("cut", "zero", "dotted")):
            source = self._arcs[kind] = empty("x", "y")
            arcs = self.figure.multi_line("x", "y", source=source, line_width=3, line_dash=look)
            paint(arcs, line_color=color)
        self._norms = empty("x", "y", "height")
        norms = self.figure.rect("x", "y", NORM_WIDTH, "height", source=self._norms, line_color=None)
        paint(norms, fill_color="ink")
        self._sums = empty("x", "y")
        sums = self.figure.scatter("x", "y", source=self._sums, marker="cross", size=9, line_width=2.4)
        paint(sums, line_color="residual")
        self._lines = {
            name: self._line(color) for name, color in (("one", "third"), ("other", "fifth"), ("back", "fourth"))
        }
        self._ends = empty("x", "y")
        paint(self.figure.scatter("x", "y", source=self._ends, size=9), fill_color="ink", line_color="panel")
        self._track, self._bar, self._range = (empty("left", "right", "bottom", "top") for _ in range(3))
        for source, color in ((self._track, "wash"), (self._bar, "failing"), (self._range, "ink")):
            part = self.figure.quad("left", "right", "bottom", "top", source=source, line_color=None)
            paint(part, fill_color=color)
        self._words = empty("x", "y", "text")
        words(self.figure, self._words, "ink", text_align="left", text_font_size="14px")
        known(self.figure, self._wire, self._boxes, *self._arcs.values(), self._norms, self._sums)
        self._tag = playable(
            self.figure,
            "",
            2 * most + 1,
            [*self._lines.values(), self._passing],
            [],
            [],
            "Play: through the network, and back",
            BEAT,
            again=True,
        )
        self.figure.on_event(Tap, self._on_tap)

    def _line(self, color: str) -> Timed:
        rows = Timed("xs", "ys", "bright")
        bands = self.figure.patches("xs", "ys", source=rows.source, fill_alpha="alpha", line_color=None)
        paint(bands, fill_color=color)
        return rows

    def show(self, light: Light, without: Collection[int]) -> None:
        """Show a network in which the blocks of `without`, counted from 1, have no arc."""
        blocks = self._blocks = len(light.stream) - 1
        numbers, last = range(1, blocks + 1), 2 * blocks + 1
        self.figure.x_range.update(start=-0.03 * blocks, end=1.03 * blocks)
        middle = LANES["network"]
        self._wire.data = {"x": [0, blocks], "y": [middle, middle]}
        self._boxes.data = {"x": [block - 0.5 for block in numbers], "y": [middle] * blocks}
        passes = [((block - 0.5, middle), moment, moment) for block in numbers for moment in (block, last - block)]
        self._passing.show(passes, last)
        with_skip = [block for block in numbers if block not in without]
        for kind, members in (("kept", with_skip), ("cut", sorted(without))):
            arcs = [_arc(block, middle) for block in members]
            self._arcs[kind].data = {"x": [x for x, _y in arcs], "y": [y for _x, y in arcs]}
        self._sums.data = {"x": with_skip, "y": [middle] * len(with_skip)}
        self._norms.data = _norm_bars(light.norm, blocks)
        apart = APART * np.nan_to_num(light.degrees) / 90
        for name, way in (("one", 1), ("other", -1)):
            height = LANES["forward"] + way * apart
            self._show_line(name, light.stream, height, [(block, last) for block in numbers], last)
        back = np.full(blocks + 1, LANES["back"])
        self._show_line("back", light.gradient, back, [(last - block, last) for block in numbers], last)
        self._ends.data = {
            "x": [0, 0, blocks],
            "y": [LANES["forward"] + apart[0], LANES["forward"] - apart[0], LANES["back"]],
        }
        self._words.data = {
            "x": [0, 0],
            "y": [WORDS["forward"], WORDS["back"]],
            "text": [light.forward_words, light.back_words],
        }
        if light.bar:
            self._show_bar(light.bar, blocks)
        self._tag.data = {"moment": [last], "last": [last]}

    def _show_bar(self, bar: Bar, blocks: int) -> None:
        foot, head = LANES["bar"] - BAR / 2, LANES["bar"] + BAR / 2
        for source, left, right, thin in (
            (self._track, 0.0, 1.0, 0.0),
            (self._bar, 0.0, bar.error, 0.0),
            (self._range, bar.lowest, bar.highest, 0.4 * BAR),
        ):
            finite = [(left * blocks, right * blocks)] if math.isfinite(left) and math.isfinite(right) else []
            source.data = {
                "left": [left for left, _right in finite],
                "right": [right for _left, right in finite],
                "bottom": [foot + thin] * len(finite),
                "top": [head - thin] * len(finite),
            }
        texts = self._words.data
        self._words.data = {
            "x": [*texts["x"], 0],
            "y": [*texts["y"], WORDS["bar"]],
            "text": [*texts["text"], bar.words],
        }

    def _show_line(
        self, name: str, sizes: np.ndarray, heights: np.ndarray, times: list[tuple[int, int]], moment: int
    ) -> None:
        """Draw a band per block, as thick at its ends as the sizes are large, on top of a halo."""
        with np.errstate(divide="ignore", invalid="ignore"):
            decades = np.log10(sizes)
        half = np.array([thickness(size) for size in decades]) / 2 / UNIT
        bands = []
        for thicker, paler in ((HALO, HALO_ALPHA), (1.0, 1.0)):
            low, high = heights - thicker * half, heights + thicker * half
            for at, time in enumerate(times):
                bright = paler * brightness((decades[at] + decades[at + 1]) / 2)
                if not math.isnan(bright):
                    corners = [low[at], low[at + 1], high[at + 1], high[at]]
                    bands.append((([at, at + 1, at + 1, at], corners, bright), *time))
        self._lines[name].show(bands, moment)

    def _on_tap(self, event: Any) -> None:
        inside = all(isinstance(value, float | int) and math.isfinite(value) for value in (event.x, event.y))
        if inside and REACH[0] <= event.y <= REACH[1] and 0 <= event.x <= self._blocks:
            self._pressed(min(max(math.ceil(event.x), 1), self._blocks))


def thickness(decades: float) -> float:
    """Return the thickness in pixels of a line for a size of 10 to the power of `decades`."""
    return float(np.clip(THICK + THICKER * decades, THINNEST, THICKEST))


def brightness(decades: float) -> float:
    """Return the opacity of a line for a size of 10 to the power of `decades`, up to 1."""
    return float(np.clip(1 + decades / DARK_AFTER, DARKEST, 1))


def _norm_bars(norm: str, blocks: int) -> dict[str, list[float]]:
    """The bars of the norms: one for each block, and with "pre" one more before the head."""
    shift, height = NORMS[norm]
    places = [block + shift for block in range(1, blocks + 1)] if height else []
    if norm == "pre":
        places.append(1.02 * blocks)
    return {"x": places, "y": [LANES["network"]] * len(places), "height": [height] * len(places)}


def _arc(block: int, foot: float) -> tuple[np.ndarray, np.ndarray]:
    """The arc over a block, from the place before it to the one after it."""
    turn = np.linspace(0, math.pi, FINEST)
    return block - 0.5 - 0.46 * np.cos(turn), foot + ARC * np.sin(turn)
