"""A network as boxes above a stream of ribbons, each as wide as its features and in the color of its origin."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from bokeh.events import Tap

from app.pictures.base.figures import empty, hover, named_ticks, paint, plot
from app.pictures.diagrams.ribbons import HALF, MEETS, Color, Road
from sims.contract.frame import Frame
from sims.contract.wording import number, percent

HEIGHT = 400
STRONGEST, WEAKEST, PER_POWER = 4.5, 0.6, 1.3
"""Line width in pixels of the largest and the smallest gradient, and the decrease per factor of ten"""

BRIGHT, USUAL, FAINT = 0.95, 0.72, 0.28
"""Opacity of a selected ribbon, of each ribbon while none is selected, and of the others"""

BELOW, WITH_GATES = "block and its parameters", "block, its parameters, and how far its gate is open"

LEFT = math.pi / 2
"""Rotation of a triangle that points up so that it points left"""

ROOMY = 7
"""Number of blocks that fit on a phone at full size"""

CROWDED = 30
"""Total letters below the stream from which on every other number is moved one line down"""


def thickness(gradients: np.ndarray, blocks: int) -> np.ndarray:
    """Line widths in pixels for gradients, thinner with many blocks; 0 for a gradient that is exactly zero."""
    strongest = float(gradients.max(initial=0))
    with np.errstate(divide="ignore"):
        powers = np.log10(gradients / strongest) if strongest else np.full(len(gradients), -np.inf)
    pixels = np.clip(STRONGEST + PER_POWER * powers, WEAKEST, STRONGEST) * crowding(blocks)
    return np.where(gradients > 0, pixels, 0.0)


def crowding(blocks: int) -> float:
    """Factor by which marks shrink if there are many blocks: 1 for up to ROOMY."""
    return min(1.0, ROOMY / blocks)


class RibbonDiagram:
    """The figure, created once. `pressed(block)` is called with the number of the box that a reader clicks, from 1."""

    def __init__(self, title: str, pressed: Callable[[int], None]) -> None:
        self._pressed = pressed
        self.figure = plot(title, BELOW, "", height=HEIGHT, x_range=(-0.5, 1), y_range=(0, 1))
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.grid.visible = False
        self.figure.yaxis.visible = False
        self.figure.xaxis.update(axis_line_color=None, major_tick_line_color=None)
        named_ticks(self.figure.xaxis, {})
        self._tops: list[tuple[float, float]] = []
        self._pieces = empty("xs", "ys", "color", "alpha", "what", "back")
        self._boxes = empty("left", "right", "bottom", "top", "color", "width")
        self._joins, self._words = empty("x", "y", "text", "size", "letters"), empty("x", "y", "text")
        self._back = empty("xs", "ys", "width", "casing", "alpha")
        self._heads = empty("x", "y", "size", "alpha")
        self._off = empty("x", "y")
        self._draw()
        self.figure.on_event(Tap, lambda event: self._tap(event.x, event.y))

    def _draw(self) -> None:
        draw = self.figure
        pieces = draw.patches(
            "xs", "ys", source=self._pieces, fill_color="color", fill_alpha="alpha", line_color="color", line_width=0.5
        )
        pieces.glyph.update(line_alpha="alpha")
        hover(draw, [("", "@what"), ("gradient sent back", "@back")], renderers=[pieces], point_policy="follow_mouse")
        casing = draw.multi_line("xs", "ys", source=self._back, line_width="casing", line_alpha="alpha")
        back = draw.multi_line("xs", "ys", source=self._back, line_width="width", line_alpha="alpha")
        heads = draw.scatter(
            "x", "y", source=self._heads, marker="triangle", angle=math.pi / 2, size="size", alpha="alpha"
        )
        boxes = draw.quad(
            left="left",
            right="right",
            bottom="bottom",
            top="top",
            source=self._boxes,
            fill_color="color",
            line_width="width",
        )
        off = draw.scatter("x", "y", source=self._off, marker="x", size=30, line_width=4)
        joins = draw.scatter("x", "y", source=self._joins, marker="circle", size="size", line_width=1.8)
        middle: dict[str, Any] = {"text_align": "center", "text_baseline": "middle"}
        signs = draw.text("x", "y", "text", source=self._joins, text_font_size="letters", **middle)
        words = draw.text("x", "y", "text", source=self._words, text_font_size="14px", text_baseline="top")
        paint(casing, line_color="panel")
        paint(back, line_color="accent")
        paint(heads, line_color="panel", fill_color="accent")
        paint(boxes, line_color="ink")
        paint(off, line_color="ink")
        paint(joins, line_color="ink", fill_color="panel")
        paint(signs, text_color="ink")
        paint(words, text_color="ink")

    # -- showing -------------------------------------------------------------------------------------------------

    def show(self, frame: Frame, join: str, widest: int, looked: int, off: int) -> None:
        """Move the data. `widest`: maximum number of features that the figure has room for; the blocks `looked` at and
        `off` count from 1, 0 is none."""
        road = Road(frame, join, gap=max(3.0, 0.16 * widest))
        blocks = road.blocks
        looked = min(looked, blocks)
        self._show_pieces(road, looked)
        self._show_boxes(road, looked, off)
        self._show_back(road, looked)
        head = 2 * widest + road.gap
        self.figure.x_range.update(start=-0.5, end=blocks + 1.5)
        self.figure.y_range.update(start=-1.2 * road.gap, end=head * 1.16)
        self._words.data = {"x": [-0.45], "y": [head * 1.15], "text": [road.words(looked)]}
        numbers = [number(count) for count in frame["parameters"].tolist()]
        crowded = not len(road.openings) and sum(map(len, numbers)) > CROWDED
        below = [percent(opening) for opening in road.openings] if len(road.openings) else [" "] * blocks
        labels = {0.0: "stem\n \n ", blocks + 1.0: "head\n \n "}
        for at, (size, extra) in enumerate(zip(numbers, below, strict=True)):
            lines = (" ", size) if crowded and at % 2 else (size, extra)
            labels[at + 1.0] = "\n".join((str(at + 1), *lines))
        named_ticks(self.figure.xaxis, labels)
        self.figure.xaxis.axis_label = WITH_GATES if len(road.openings) else BELOW

    def _show_pieces(self, road: Road, looked: int) -> None:
        pieces = road.pieces()
        self._pieces.data = {
            "xs": [np.concatenate([piece.x, piece.x[::-1]]) for piece in pieces],
            "ys": [np.concatenate([piece.low, piece.high[::-1]]) for piece in pieces],
            "color": [_hex(piece.color) for piece in pieces],
            "alpha": [USUAL if not looked else BRIGHT if piece.reader == looked else FAINT for piece in pieces],
            "what": [piece.what for piece in pieces],
            "back": [number(piece.back) if math.isfinite(piece.back) else "as the lines show" for piece in pieces],
        }

    def _show_boxes(self, road: Road, looked: int, off: int) -> None:
        blocks = road.blocks
        lows = [0.0, *(road.foot(block) for block in range(1, blocks + 1)), 0.0]
        highs = [road.width(0), *(road.top(block) for block in range(1, blocks + 1)), road.width(blocks)]
        colors = [*map(_hex, road.colors), _hex(road.mixtures[-1])]
        self._tops = list(zip(lows, highs, strict=True))
        self._boxes.data = {
            "left": [block - HALF for block in range(blocks + 2)],
            "right": [block + HALF for block in range(blocks + 2)],
            "bottom": lows,
            "top": highs,
            "color": colors,
            "width": [3.5 if looked and block == looked else 1.2 for block in range(blocks + 2)],
        }
        joins = range(1, blocks + 1) if road.sign else range(0)
        small = crowding(blocks)
        self._joins.data = {
            "x": [join + MEETS for join in joins],
            "y": [road.width(join) / 2 for join in joins],
            "text": [road.sign for _each in joins],
            "size": [19 * small for _each in joins],
            "letters": [f"{15 * small:.0f}px" for _each in joins],
        }
        shut = min(off, blocks)
        self._off.data = {"x": [shut] if shut else [], "y": [sum(self._tops[shut]) / 2] if shut else []}

    def _show_back(self, road: Road, looked: int) -> None:
        lines = road.back()
        widths = thickness(np.array([gradient for gradient, _block, _x, _y in lines]), road.blocks).tolist()
        arrows = [
            (width, x, y, FAINT if looked and block != looked else 1.0)
            for width, (_gradient, block, x, y) in zip(widths, lines, strict=True)
            if width
        ]
        self._back.data = {
            "xs": [x for _width, x, _y, _alpha in arrows],
            "ys": [y for _width, _x, y, _alpha in arrows],
            "width": [width for width, *_line in arrows],
            "casing": [width + 1.6 for width, *_line in arrows],
            "alpha": [alpha for *_line, alpha in arrows],
        }
        self._heads.data = {
            "x": [x[-1] + 0.03 for _width, x, _y, _alpha in arrows],
            "y": [y[-1] for _width, _x, y, _alpha in arrows],
            "size": [5 + 1.4 * width for width, *_line in arrows],
            "alpha": [alpha for *_line, alpha in arrows],
        }

    def _tap(self, x: float | None, y: float | None) -> None:
        if not (isinstance(x, float | int) and isinstance(y, float | int) and math.isfinite(x) and math.isfinite(y)):
            return
        block = round(x)
        if 1 <= block < len(self._tops) - 1 and y >= self._tops[block][0] - 1:
            self._pressed(block)


def _hex(color: Color) -> str:
    return "#" + "".join(f"{round(channel):02x}" for channel in color.tolist())
