"""Blocks on a wire, from input to output, with arcs for their skips: one strip for each of several networks."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from bokeh.plotting import figure

from app.pictures.base.figures import empty, paint
from app.pictures.base.questions import known

GAP = 0.2
"""Gap at either side of a block, in blocks"""

FINEST = 13
"""Points of an arc"""


@dataclass(frozen=True)
class BlockStrip:
    """Where a network is, the numbers of its blocks with a skip, from 1, and of those whose skip is lost."""

    left: float
    right: float
    height: float
    blocks: int
    skips: Collection[int]
    lost: Collection[int] = ()

    def at(self, place: float) -> float:
        """Where something is; block k is from the place k - 1 to the place k."""
        return self.left + (self.right - self.left) * place / self.blocks


class BlockStrips:
    """The glyphs in a figure, created once; `show` moves their data. They are visible before a prediction."""

    def __init__(self, figure_: figure, box: float, arc: float) -> None:
        """`box` is half the height of a block, and `arc` the height of an arc, in units of the figure."""
        self._box, self._arc = box, arc
        self.wires, self.boxes = empty("left", "right", "y"), empty("left", "right", "bottom", "top")
        wires = figure_.segment("left", "y", "right", "y", source=self.wires, line_width=1.6)
        boxes = figure_.quad("left", "right", "bottom", "top", source=self.boxes, line_width=1.1)
        paint(wires, line_color="edge")
        paint(boxes, fill_color="wash", line_color="edge")
        self.arcs = {}
        for kind, color, look in (("kept", "residual", "solid"), ("lost", "zero", "dotted")):
            source = self.arcs[kind] = empty("x", "y")
            arcs = figure_.multi_line("x", "y", source=source, line_width=2, line_dash=look)
            paint(arcs, line_color=color)
        known(figure_, self.wires, self.boxes, *self.arcs.values())

    def show(self, strips: Sequence[BlockStrip]) -> None:
        """Move the strips."""
        self.wires.data = {
            "left": [strip.left for strip in strips],
            "right": [strip.right for strip in strips],
            "y": [strip.height for strip in strips],
        }
        boxes = [(strip, block) for strip in strips for block in range(1, strip.blocks + 1)]
        self.boxes.data = {
            "left": [strip.at(block - 1 + GAP) for strip, block in boxes],
            "right": [strip.at(block - GAP) for strip, block in boxes],
            "bottom": [strip.height - self._box for strip, _block in boxes],
            "top": [strip.height + self._box for strip, _block in boxes],
        }
        for kind, source in self.arcs.items():
            arcs = [
                self._over(strip, block)
                for strip in strips
                for block in strip.skips
                if (block in strip.lost) == (kind == "lost")
            ]
            source.data = {"x": [x for x, _y in arcs], "y": [y for _x, y in arcs]}

    def _over(self, strip: BlockStrip, block: int) -> tuple[np.ndarray, np.ndarray]:
        turn = np.linspace(0, math.pi, FINEST)
        middle, half = strip.at(block - 0.5), (strip.at(1) - strip.at(0)) / 2
        return middle - half * np.cos(turn), strip.height + self._arc * np.sin(turn)
