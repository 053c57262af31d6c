"""Computes the ribbons of a network: along the stream from stem to head, up into the blocks and down again."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bokeh.palettes import Plasma256

from app.pictures.base.figures import curve
from sims.contract.frame import Frame

LEAVES, MEETS, HALF = -0.52, 0.42, 0.13
"""Where ribbons leave the stream for a block and return from it, and half a box; all relative to the block's center"""

Color = np.ndarray
"""Red, green and blue, 0 to 255"""


@dataclass(frozen=True)
class Piece:
    """A ribbon: its origin's color and its lower and upper edges along x."""

    color: Color
    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    reader: int
    """The block that reads it, 0 for a part of the stream"""
    what: str
    back: float
    """Norm of the gradient that flows back along it; NaN if it is not known separately"""


def origin_colors(blocks: int) -> list[Color]:
    """A color for the stem and for every block, from violet to salmon: none as dark or as bright as a page, and none
    near the green of the gradient."""
    return [
        np.array([int(Plasma256[int(28 + 162 * block / blocks)][at : at + 2], 16) for at in (1, 3, 5)], float)
        for block in range(blocks + 1)
    ]


class Road:
    """The positions of everything in one frame; heights are in features."""

    def __init__(self, frame: Frame, join: str, gap: float) -> None:
        self.join, self.gap = join, gap
        self.blocks = len(frame["reads"])
        self.reads, self.makes = frame["reads"].tolist(), frame["makes"].tolist()
        self.openings: Sequence[float] = frame["openings"].tolist() if "openings" in frame.quantities else []
        columns = (frame[name].tolist() for name in ("source", "target", "route", "features", "gradient"))
        self.edges = list(zip(*columns, strict=True))
        self.colors = origin_colors(self.blocks)
        self.mixtures = self._mixtures()
        self.sign = {"add": "+", "gate": "⋈"}.get(join, "")

    def _mixtures(self) -> list[Color]:
        """The colors on the stream after the stem and after each block: for Add, all origins in equal parts; after a
        gate, the new one in proportion to the gate's opening; otherwise the last origin alone."""
        mixtures = [self.colors[0]]
        for block in range(1, self.blocks + 1):
            share = {"add": 1 / (block + 1), "gate": self.openings[block - 1] if self.openings else 1.0}
            part = share.get(self.join, 1.0)
            mixtures.append((1 - part) * mixtures[-1] + part * self.colors[block])
        return mixtures

    def width(self, place: int) -> float:
        """Features on the stream after the stem (0) or a block."""
        return float(self.reads[place] if place < self.blocks else self.reads[-1] + self._grown(self.blocks))

    def _grown(self, block: int) -> int:
        return int(self.makes[block - 1]) if self.join == "concatenate" else 0

    def foot(self, block: int) -> float:
        """The bottom of a box, above the stream."""
        return self.width(block) + self.gap

    def top(self, block: int) -> float:
        """The top of a box."""
        return self.foot(block) + max(self.reads[block - 1], self.makes[block - 1])

    def _origins(self, block: int) -> list[tuple[int, Color, float, float, float]]:
        """The inputs of a block: origin, color, lower and upper edges on the stream, and the gradient sent back."""
        sent = {
            source: gradient
            for source, target, route, _n, gradient in self.edges
            if (target, route) == (block, "branch")
        }
        if self.join != "concatenate":
            (gradient,) = sent.values()
            return [(block - 1, self.mixtures[block - 1], 0.0, self.width(block - 1), gradient)]
        edges = [0.0, *(self.width(place) for place in range(block))]
        return [
            (origin, self.colors[origin], edges[origin], edges[origin + 1], sent[origin]) for origin in range(block)
        ]

    def pieces(self) -> list[Piece]:
        """All ribbons, those of the stream first."""
        ribbons = self._of_road()
        for block in range(1, self.blocks + 1):
            foot, features = self.foot(block), self.makes[block - 1]
            for origin, color, low, high, gradient in self._origins(block):
                x, below = curve(block + LEAVES, low, block - HALF, foot + low)
                above = below + high - low
                text = f"block {block} reads {high - low:.0f} features {self._from(origin)}"
                ribbons.append(Piece(color, x, below, above, block, text, gradient))
            start, end = self._landing(block)
            x, below = curve(block + HALF, foot, block + MEETS, start)
            _x, above = curve(block + HALF, foot + features, block + MEETS, end)
            text = f"block {block} makes {features} features"
            ribbons.append(Piece(self.colors[block], x, below, above, 0, text, math.nan))
        return ribbons

    def _from(self, origin: int) -> str:
        if self.join in ("add", "gate") and origin:
            return "that all earlier blocks contribute to"
        return f"from block {origin}" if origin else "from the stem"

    def _landing(self, block: int) -> tuple[float, float]:
        """The part of the stream's height that a block's result takes."""
        if self.join == "concatenate":
            return self.width(block - 1), self.width(block)
        if self.join == "gate":
            return self.width(block) * (1 - self.openings[block - 1]), self.width(block)
        return 0.0, self.width(block)

    def _of_road(self) -> list[Piece]:
        end = self.blocks + 1 - HALF
        if self.join == "concatenate":
            edges = [0.0, *(self.width(place) for place in range(self.blocks + 1))]
            starts = [HALF, *(block + MEETS for block in range(1, self.blocks + 1))]
            return [
                _flat(self.colors[index], start, end, edges[index], edges[index + 1], self._stripe(index))
                for index, start in enumerate(starts)
            ]
        pieces = []
        for place in range(self.blocks + 1):
            start = place + MEETS if place else HALF
            stop = place + 1 + LEAVES if self.join == "plain" and place < self.blocks else place + 1 + MEETS
            color, high = self.mixtures[place], self.width(place)
            if place == self.blocks:
                stop = end
            elif self.join == "gate":
                stop = place + 1 + LEAVES
                x, above = curve(stop, high, place + 1 + MEETS, high * (1 - self.openings[place]))
                low = np.zeros_like(x)
                pieces.append(Piece(color, x, low, above, 0, "carried past the block", math.nan))
            pieces.append(_flat(color, start, stop, 0.0, high, f"the stream after {self._place(place)}"))
        return pieces

    def _stripe(self, origin: int) -> str:
        return f"what {self._place(origin)} has made, kept apart"

    @staticmethod
    def _place(place: int) -> str:
        return f"block {place}" if place else "the stem"

    def back(self) -> list[tuple[float, int, np.ndarray, np.ndarray]]:
        """For every path of the gradient: its norm, the block it passes, and its line from right to left."""
        ways = []
        for source, block, route, _features, gradient in self.edges:
            start, end = self._landing(block)
            right, left, foot = block + MEETS, block + LEAVES, self.foot(block)
            if route == "branch":
                low, high = next((origin[2], origin[3]) for origin in self._origins(block) if origin[0] == source)
                middle = (low + high) / 2
                x0, y0 = curve(right, (start + end) / 2, block + HALF, foot + self.makes[block - 1] / 2)
                x1, y1 = curve(block - HALF, foot + middle, left, middle)
                x, y = np.concatenate([x0, x1]), np.concatenate([y0, y1])
            else:
                height = self.width(block - 1) / 2
                if route == "carry":
                    height *= 1 - self.openings[block - 1]
                dip = -0.7 * self.gap if route == "gate" else height
                x0, y0 = curve(right, height, block, dip)
                x1, y1 = curve(block, dip, left, height)
                x, y = np.concatenate([x0, x1]), np.concatenate([y0, y1])
            ways.append((float(gradient), block, x, y))
        return ways

    def words(self, looked: int) -> str:
        """A sentence on the inputs of a block."""
        if not looked:
            return "Press a box: what does it read?"
        read = self.reads[looked - 1]
        before = looked - 1
        match self.join:
            case "concatenate":
                parts = f"{self.reads[0]} from the stem"
                parts += f", {self.makes[0]} from each block before it" if before else ""
                return f"Block {looked} reads {read} features:\n{parts}"
            case "add":
                return f"Block {looked} reads one sum of {read} features:\nof the stem" + (
                    f" and of {before} {'branches' if before > 1 else 'branch'}" if before else ""
                )
            case "gate":
                return f"Block {looked} reads one mixture of {read} features:\nwhat its gates have let through"
        return f"Block {looked} reads the {read} features of {self._place(before)},\nand nothing else"


def _flat(color: Color, start: float, end: float, low: float, high: float, text: str) -> Piece:
    return Piece(color, np.array([start, end]), np.array([low, low]), np.array([high, high]), 0, text, math.nan)
