"""A block as a wire: the skip as a straight line, the branch below it with its parts, and the sum where they meet."""

from dataclasses import dataclass

import numpy as np
from bokeh.plotting import figure

from app.pictures.base.figures import empty, paint, words


@dataclass(frozen=True)
class Block:
    """What is drawn of a block: the parts of its branch in order, the factor of its skip, and what follows its sum."""

    branch: tuple[str, ...]
    skip: str = ""
    after: str = ""


class BlockWire:
    """The glyphs in a figure whose width is 100, created once; `show` moves their data."""

    def __init__(self, figure_: figure, size: str) -> None:
        """`size` is the font size of the words."""
        self.wires, self.parts = empty("xs", "ys"), empty("left", "right", "top", "bottom")
        wires = figure_.multi_line("xs", "ys", source=self.wires, line_width=3, line_join="round")
        paint(wires, line_color="residual")
        parts = figure_.quad("left", "right", "top", "bottom", source=self.parts, line_width=1.4)
        paint(parts, fill_color="panel", line_color="ink")
        self.sum = empty("x", "y", "text")
        circle = figure_.scatter("x", "y", source=self.sum, size=24, line_width=2.4)
        paint(circle, fill_color="panel", line_color="residual")
        words(figure_, self.sum, "ink", text_font_style="bold", text_font_size="16px")
        self.names = empty("x", "y", "text")
        words(figure_, self.names, "ink", text_font_size=size)
        self.tip = empty("x", "y")
        tip = figure_.scatter("x", "y", source=self.tip, marker="triangle", size=12, angle=-np.pi / 2)
        paint(tip, fill_color="residual", line_color="residual")

    def show(self, block: Block, skip: float, branch: float) -> None:
        """Draw the skip as a straight wire at the height `skip`, and the branch at the height `branch`."""
        left, fork, plus, right = 8.0, 15.0, 78.0 if block.after else 85.0, 94.0
        wires = [([left, right], [skip, skip]), ([fork, fork, plus, plus], [skip, branch, branch, skip])]
        self.wires.data = {"xs": [xs for xs, _ys in wires], "ys": [ys for _xs, ys in wires]}
        room = (plus - fork - 4) / len(block.branch)
        wide = min(room - 2, 19)
        boxes = [(fork + 2 + (at + 0.5) * room, branch, name) for at, name in enumerate(block.branch)]
        boxes += [((fork + plus) / 2, skip, block.skip)] if block.skip else []
        after = [((plus + right) / 2 + 1, skip, block.after)] if block.after else []
        sides = [(x - wide / 2, x + wide / 2, y) for x, y, _name in boxes] + [
            (x - 4, x + 4, y) for x, y, _name in after
        ]
        self.parts.data = {
            "left": [low for low, _high, _y in sides],
            "right": [high for _low, high, _y in sides],
            "top": [y - 15 for _low, _high, y in sides],
            "bottom": [y + 15 for _low, _high, y in sides],
        }
        names = [*boxes, *after, (left - 3, skip, "x")]
        self.names.data = {key: [name[at] for name in names] for at, key in enumerate(("x", "y", "text"))}
        self.tip.data = {"x": [right], "y": [skip]}
        self.sum.data = {"x": [plus], "y": [skip], "text": ["+"]}
