"""A trained network with layers inserted: old and new layers as boxes, and its outputs before and after."""

import numpy as np

from app.pictures.base.figures import empty, paint, plot, ticks_at, words
from sims.contract.wording import number

STACK, OUTPUTS = 96, 206
"""Heights in pixels"""

PARTS = {"trained": (0.05, 0.21), "inserted": (0.26, 0.8), "head": (0.86, 0.92)}
"""Part of the network → where it starts and ends in a drawing of width 1"""

COLORS = {"trained": "idle", "inserted": "plain", "head": "idle"}

BEFORE = 3
"""Layers before the cut"""

FEW = 4
"""Maximum length of a number in the largest type"""

LARGE, SMALL = "52px", "24px"


class CutStack:
    """The network from left to right, created once; `show` moves it. An inserted layer that copies is drawn as an
    identity matrix: a box with its diagonal."""

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "", "", height=STACK, x_range=(0, 1), y_range=(-0.9, 0.62), min_border=2)
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        paint(self.figure.line([0, 1], [0, 0], line_width=2), line_color="edge")
        arrow = self.figure.scatter([0.985], [0], marker="triangle", angle=-np.pi / 2, size=11)
        paint(arrow, fill_color="edge", line_color="edge")
        self.boxes = {name: empty("left", "right", "bottom", "top") for name in PARTS}
        for name, source in self.boxes.items():
            box = self.figure.quad("left", "right", "bottom", "top", source=source, line_width=1.4)
            paint(box, fill_color="panel", line_color=COLORS[name])
        self.diagonals = empty("x0", "y0", "x1", "y1")
        lines = self.figure.segment("x0", "y0", "x1", "y1", source=self.diagonals, line_width=2)
        paint(lines, line_color="plain")
        self._words = {name: empty("x", "y", "text") for name in PARTS}
        for name, source in self._words.items():
            mine = name == "inserted"
            looks = {"text_baseline": "bottom", "text_font_style": "bold" if mine else "normal"}
            words(self.figure, source, "plain" if mine else "soft", **looks)

    def show(self, inserted: int, copies: bool) -> None:
        """Show this many inserted layers, which copy their input or start at random."""
        for name, count in (("trained", BEFORE), ("inserted", inserted), ("head", 1)):
            start, end = PARTS[name]
            edges = np.linspace(start, end, count + 1) if count else np.empty(0)
            gap = 0.14 * (end - start) / max(count, 6)
            high = np.full(count, 0.44)
            self.boxes[name].data = {"left": edges[:-1] + gap, "right": edges[1:] - gap, "bottom": -high, "top": high}
        boxes = self.boxes["inserted"].data if copies else {key: [] for key in self.boxes["inserted"].data}
        self.diagonals.data = dict(
            zip(("x0", "y0", "x1", "y1"), (boxes[side] for side in ("left", "top", "right", "bottom")), strict=True)
        )
        kind = "copying" if copies else "random"
        middle = f"{inserted} {kind} layer{'' if inserted == 1 else 's'}" if inserted else "nothing inserted"
        for name, text in (("trained", "trained"), ("inserted", middle), ("head", "head")):
            self._words[name].data = {"x": [sum(PARTS[name]) / 2], "y": [-0.88], "text": [text]}


class TwoOutputs:
    """Outputs before, wide and pale, and after, narrow and full, overlaid, and the largest change."""

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "", "", height=OUTPUTS, x_range=(0, 1), y_range=(-1, 1))
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self.bars = {"before": empty("x", "top"), "after": empty("x", "top")}
        wide = self.figure.vbar("x", 0.86, "top", 0, source=self.bars["before"], fill_alpha=0.4, line_width=1.5)
        narrow = self.figure.vbar("x", 0.4, "top", 0, source=self.bars["after"], line_color=None)
        paint(wide, fill_color="idle", line_color="idle")
        paint(narrow, fill_color="plain")
        self._zero = empty("x", "y")
        paint(self.figure.line("x", "y", source=self._zero, line_width=1.5), line_color="edge")
        self.largest, self._said = empty("x", "y", "text", "size"), {}
        words(self.figure, self.largest, "ink", text_font_size="size", text_font_style="bold")
        for name, color, down in (("soft", "soft", 46), ("before", "idle", -74), ("after", "plain", -54)):
            source = self._said[name] = empty("x", "y", "text")
            words(self.figure, source, color, y_offset=down)
        ticks_at(self.figure.xaxis, [])

    def show(self, before: np.ndarray, after: np.ndarray, change: float) -> None:
        """Outputs (classes,) for one point, and the largest change of any output for all points and seeds."""
        places = np.arange(1, len(before) + 1)
        for name, values in (("before", before), ("after", after)):
            self.bars[name].data = {"x": places, "top": values}
        lowest, highest = (float(extreme(0, *before, *after)) for extreme in (min, max))
        room = 0.06 * max(highest - lowest, 1e-9)
        self.figure.y_range.update(start=lowest - room, end=highest + room)
        end = len(before) * 1.75
        self.figure.x_range.update(start=0.3, end=end)
        self._zero.data = {"x": [0.3, len(before) + 0.7], "y": [0, 0]}
        text = number(change, 2)
        x, y = (len(before) + 0.7 + end) / 2, (lowest + highest) / 2
        size = LARGE if len(text) <= FEW else SMALL
        self.largest.data = {"x": [x], "y": [y], "text": [text], "size": [size]}
        texts = {"soft": "largest change\nof any output", "before": "wide: before", "after": "narrow: after"}
        for name, caption in texts.items():
            self._said[name].data = {"x": [x], "y": [y], "text": [caption]}
