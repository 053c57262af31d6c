"""Two stacks of blocks, one below the other, with the norm in the branch or on the stream, and the gradient's path."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.pictures.base.figures import columns_of, empty, paint, plot, words
from app.pictures.base.questions import known, until_answered
from sims.contract.wording import number

HEIGHT = 256
ROADS = (1.75, 0.0)
"""Heights of the two streams"""

ABOVE = 0.62
"""Height of a branch above its stream"""

GAP = 0.62
"""Width of the gap for omitted blocks, in blocks: wide enough for their number on a phone"""

FIRST, LAST = 1, 2
"""Blocks drawn at the input and at the output; those between are omitted"""

STRONGEST, WEAKEST, PER_POWER = 9.0, 1.5, 1.1
"""Line width in pixels of the largest and the smallest gradient, and the decrease per factor of ten"""

BRANCH = {"pre": (0.1, 0.9), "post": (0.06, 0.52)}
"""Where a branch leaves its stream and where the plus is, from the left edge of a block of width 1"""

BOXES = {"pre": (("LN", 0.32, ABOVE), ("F", 0.67, ABOVE)), "post": (("F", 0.29, ABOVE), ("LN", 0.81, 0.0))}
"""Boxes of a block: text, and center"""

WIDE, HIGH = 0.29, 0.42
"""Size of a box"""

NORM = 2.6
"""Width in pixels of the line around a norm"""


@dataclass(frozen=True)
class Stack:
    """One stack: its order, "pre" or "post"; its name; and the norms of the gradients, from input to output."""

    order: str
    name: str
    stream: Sequence[float]
    """After the input and after every block"""
    skip: Sequence[float]
    """The gradient that each skip carries back"""
    final_norm: bool
    rounding: bool
    """Whether the true gradient is 0 and these values are only rounding errors"""


class BlockPair:
    """The figure, created once.

    Before the prediction, each stream is a thin line with its name: how thick it is, and what the name says besides,
    are results.
    """

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "", "", height=HEIGHT, x_range=(0, 1), y_range=(-0.62, 2.98), min_border=2)
        self.figure.update(frame_align=False)
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._wires, self._boxes = empty("xs", "ys"), empty("x", "y", "text", "width")
        self._plus, self._texts = empty("x", "y"), empty("x", "y", "text", "align")
        self._lit, self._rounding = empty("x0", "y0", "x1", "y1", "width"), empty("x0", "y0", "x1", "y1", "width")
        self._heads, self._thin = empty("x", "y"), empty("xs", "ys")
        self._names, self._omitted = empty("x", "y", "text", "align"), empty("x", "y", "text", "align")
        draw = self.figure
        for source in (self._wires, self._thin):
            paint(draw.multi_line("xs", "ys", source=source, line_width=1.5), line_color="edge")
        for source, color, dash, cap in (
            (self._lit, "accent", "solid", "round"),
            (self._rounding, "zero", [3, 3], "butt"),
        ):
            line = draw.segment("x0", "y0", "x1", "y1", source=source, line_width="width")
            line.glyph.update(line_dash=dash, line_cap=cap)
            paint(line, line_color=color)
        heads = draw.scatter("x", "y", source=self._heads, marker="triangle", angle=np.pi / 2, size=15)
        paint(heads, line_color="panel", fill_color="accent")
        boxes = draw.rect("x", "y", WIDE, HIGH, source=self._boxes, line_width="width")
        paint(boxes, fill_color="panel", line_color="ink")
        plus = draw.scatter("x", "y", source=self._plus, size=19, line_width=1.8)
        signs = draw.scatter("x", "y", source=self._plus, marker="cross", size=10, line_width=1.8)
        paint(plus, fill_color="panel", line_color="residual")
        paint(signs, line_color="residual")
        middle: dict[str, Any] = {"text_align": "center", "text_baseline": "middle"}
        names = draw.text("x", "y", "text", source=self._boxes, text_font_size="13px", **middle)
        paint(names, text_color="ink")
        for source in (self._texts, self._names, self._omitted):
            words(draw, source, "ink", text_align="align")
        known(draw, self._wires, self._boxes, self._plus, self._omitted)
        until_answered(draw, self._thin, self._names)

    def show(self, stacks: Sequence[Stack]) -> None:
        """Move the data; the first stack is on top."""
        strongest = max((value for stack in stacks for value in (*stack.stream, *stack.skip)), default=1.0)
        drawing = _Drawn(strongest)
        for stack, road in zip(stacks, ROADS, strict=True):
            drawing.stack(stack, road)
        self.figure.x_range.update(start=-0.42, end=drawing.end + 0.4)
        self._wires.data = columns_of(drawing.wires, "xs", "ys")
        self._boxes.data = columns_of(drawing.boxes, "x", "y", "text", "width")
        self._plus.data = columns_of(drawing.plus, "x", "y")
        self._thin.data = columns_of(drawing.thin, "xs", "ys")
        for texts, rows in (
            (self._texts, drawing.texts),
            (self._names, drawing.names),
            (self._omitted, drawing.omitted),
        ):
            texts.data = columns_of(rows, "x", "y", "text", "align")
        for source, rounding in ((self._lit, False), (self._rounding, True)):
            lines = [segment[1:] for segment in drawing.roads if segment[0] == rounding]
            source.data = columns_of(lines, "x0", "y0", "x1", "y1", "width")
        self._heads.data = columns_of(drawing.heads, "x", "y")


class _Drawn:
    """Collects the rows of the figure's sources, stack by stack."""

    def __init__(self, strongest: float) -> None:
        self._strongest = strongest
        self.end = 0.0
        self.wires: list[tuple[list[float], list[float]]] = []
        self.boxes: list[tuple[float, float, str, float]] = []
        self.plus: list[tuple[float, float]] = []
        self.heads: list[tuple[float, float]] = []
        self.thin: list[tuple[list[float], list[float]]] = []
        self.texts: list[tuple[float, float, str, str]] = []
        self.names: list[tuple[float, float, str, str]] = []
        self.omitted: list[tuple[float, float, str, str]] = []
        self.roads: list[tuple[bool, float, float, float, float, float]] = []

    def stack(self, stack: Stack, road: float) -> None:
        """Add one stack, with its stream at the height `road`."""
        depth = len(stack.skip)
        blocks = [*range(FIRST), *range(depth - LAST, depth)]
        left = 0.0
        self._segment(stack, road, -0.3, left, stack.stream[0])
        for at, block in enumerate(blocks):
            if at and block != blocks[at - 1] + 1:
                self.omitted.append((left + GAP / 2, road + 0.3, f"{block - blocks[at - 1] - 1} more", "center"))
                self._segment(stack, road, left, left + GAP, stack.stream[block])
                left += GAP
            self._block(stack, road, left, block)
            left += 1
        if stack.final_norm:
            self.boxes.append((left + 0.15, road, "LN", NORM))
        self._segment(stack, road, left, left + 0.3, stack.stream[-1])
        self.thin.append(([-0.3, left + 0.3], [road, road]))
        self.end = max(self.end, left)
        if not stack.rounding:
            self.heads.append((-0.3, road))
        sent, arrives = number(stack.stream[-1]), number(stack.stream[0])
        name = f"{stack.name}: {sent} sent, {arrives} arrives{', all rounding' if stack.rounding else ''}"
        self.texts.append((-0.4, road + 1.03, name, "left"))
        self.names.append((-0.4, road + 1.03, stack.name, "left"))

    def _block(self, stack: Stack, road: float, left: float, block: int) -> None:
        leaves, plus = (left + offset for offset in BRANCH[stack.order])
        top = road + ABOVE
        self.wires.append(([leaves, leaves, plus, plus], [road, top, top, road]))
        self.plus.append((plus, road))
        self.boxes += [(left + x, road + y, text, NORM if text == "LN" else 1.2) for text, x, y in BOXES[stack.order]]
        before, after, skip = stack.stream[block], stack.stream[block + 1], stack.skip[block]
        self._segment(stack, road, left, leaves, before)
        self._segment(stack, road, leaves, plus, skip)
        edge = next((left + x for text, x, y in BOXES[stack.order] if text == "LN" and not y), plus)
        self._segment(stack, road, plus, edge, skip)
        self._segment(stack, road, edge, left + 1, after)
        factor = f"× {number(skip / after, 2)}" if after else "0"
        at = edge if edge != plus else (leaves + plus) / 2
        self.texts.append((at, road - 0.38, factor, "center"))

    def _segment(self, stack: Stack, road: float, left: float, right: float, gradient: float) -> None:
        if gradient > 0:
            power = float(np.log10(gradient / self._strongest))
            width = min(max(STRONGEST + PER_POWER * power, WEAKEST), STRONGEST)
            self.roads.append((stack.rounding, left, road, right, road, width))
