"""A trained network with layers inserted: activations on their way through, and its outputs before and after."""

import numpy as np
from bokeh.models import BasicTicker

from app.pictures.base.figures import empty, paint, plot, ticks_at, words
from app.pictures.base.questions import known
from sims.contract.wording import number

RAYS, OUTPUTS = 350, 206
"""Heights in pixels"""

PARTS = {"trained": (0.0, 0.2), "inserted": (0.2, 0.94), "head": (0.94, 1.0)}
"""Part of the network → where it starts and ends in a drawing of width 1"""

BEFORE = 3
"""Layers before the cut"""

SHOWN = 12
"""Units that have lines: those with the largest activations where the network was cut"""

FOOT, TOP, ROOM = -0.09, 1.09, 0.13
"""Lower and upper end of the axis, and room above it for words, as shares of the largest activation"""

FEW = 4
"""Maximum length of a number in the largest type"""

LARGE, SMALL = "52px", "24px"


class Rays:
    """Activations of some units through the network from left to right, created once; `show` moves them."""

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "", "activation", height=RAYS, x_range=(-0.01, 1.01), y_range=(0, 1), min_border=2)
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.update(frame_align=False)
        self.figure.xaxis.visible = False
        self.figure.grid.visible = False
        self.figure.yaxis.ticker = BasicTicker(desired_num_ticks=4)
        box = ("left", "right", "bottom", "top")
        self._inside, self._layers = empty(*box), empty("x0", "y0", "x1", "y1")
        inside = self.figure.quad(*box, source=self._inside, line_color=None)
        layers = self.figure.segment("x0", "y0", "x1", "y1", source=self._layers, line_width=1)
        paint(inside, fill_color="wash")
        paint(layers, line_color="rule")
        self.lines, self._ends = {}, empty("x", "y")
        for name, color in (("trained", "idle"), ("inserted", "plain")):
            source = self.lines[name] = empty("x", "y")
            paint(self.figure.multi_line("x", "y", source=source, line_width=1.6, line_alpha=0.9), line_color=color)
        paint(self.figure.scatter("x", "y", source=self._ends, size=7), fill_color="plain", line_color="panel")
        self.words = {name: empty("x", "y", "text") for name in PARTS}
        for name, source in self.words.items():
            color, style = ("plain", "bold") if name == "inserted" else ("soft", "normal")
            align = "right" if name == "head" else "center"
            words(self.figure, source, color, text_align=align, text_baseline="top", text_font_style=style)
        known(self.figure, self._inside, self._layers, *self.words.values())

    def show(self, activations: np.ndarray, copies: bool) -> None:
        """Show activations (layers, units), of the trained layers and then of the inserted ones; the new ones started
        as copies or at random."""
        inserted = len(activations) - BEFORE
        places = np.concatenate([_places("trained", BEFORE - 1), _places("inserted", inserted)[1:]])
        units = np.argsort(-activations[BEFORE - 1], kind="stable")[:SHOWN]
        shown = np.where(np.isfinite(activations), activations, np.nan)[:, units]
        cut = BEFORE - 1
        for name, part in (("trained", slice(0, cut + 1)), ("inserted", slice(cut, None))):
            self.lines[name].data = {"x": [places[part]] * len(units), "y": list(shown[part].T)}
        self._ends.data = {"x": [places[-1]] * len(units), "y": shown[-1]}
        largest = float(np.nanmax(shown, initial=0)) or 1.0
        foot, top = FOOT * largest, (TOP + ROOM) * largest
        self.figure.y_range.update(start=foot, end=top)
        left, right = PARTS["inserted"]
        edges = {"left": [left], "right": [right], "bottom": [foot], "top": [top]} if inserted else {}
        self._inside.data = edges or {key: [] for key in self._inside.data}
        levels = np.full(len(places), foot), np.full(len(places), TOP * largest)
        self._layers.data = {"x0": places, "y0": levels[0], "x1": places, "y1": levels[1]}
        kind = "copying" if copies else "random"
        middle = f"{inserted} {kind} layer{'' if inserted == 1 else 's'}" if inserted else "nothing inserted"
        for name, text in (("trained", "trained"), ("inserted", middle), ("head", "head")):
            x = PARTS[name][1] if name == "head" else sum(PARTS[name]) / 2
            self.words[name].data = {"x": [x], "y": [top], "text": [text]}


def _places(part: str, count: int) -> np.ndarray:
    """(count + 1,) where a part of the network starts, and where each of its layers ends."""
    return np.linspace(*PARTS[part], count + 1)


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
        words(self.figure, self.largest, "ink", text_font_size="size", text_font_style="bold", y_offset=-4)
        for name, color, down in (("soft", "soft", 39), ("before", "idle", -51), ("after", "plain", -36)):
            source = self._said[name] = empty("x", "y", "text")
            words(self.figure, source, color, y_offset=down)
        known(self.figure, self.bars["before"], self._zero, *self._said.values())
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
