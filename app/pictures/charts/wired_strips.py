"""A strip of blocks for each of several networks: wires for its skips, colors for gradients, a bar for the loss."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from app.pictures.base.figures import columns_of, empty, named_ticks, paint, plot, words
from app.pictures.base.questions import known
from sims.contract.wording import number, tick

PITCH, KEY, AROUND = 78, 48, 62
"""Pixels from one strip to the next, for the key above all of them, and for the title and the axis"""

BOXES, WIRES, NAME = (8, 30), 31, 67
"""Lower and upper side of the boxes, height of the wires above them, and of the names, in pixels of a strip"""

BAR = (12, 26)
"""Lower and upper side of a loss, in pixels of a strip"""

STRIP, LOSS = (0.0, 0.64), (0.7, 0.96)
"""Left and right end of the strips and of the losses; the picture is 1 wide"""

ARC, LONG_ARC = 18.0, 29.0
"""Height of the wire over one block, and of the longest wire, in pixels"""

JOINED = 6
"""At most one more place of a dense network than this has wires to all others"""

FAINTEST, SWATCHES = 0.06, 5
"""Opacity of the smallest gradient; samples in the key"""

FINEST = 13
"""Points of a wire"""

WIRING = {
    "plain": "",
    "residual": "+",
    "residual_relu": "+",
    "rezero": "α",
    "highway": "T",
    "dense": "all",
    "thinned": "+",
}
"""Network → how its blocks are joined: `+` by a sum, `α` by one with a factor on the branch, `T` by a gate, `all` to
all later ones"""

MARKERS = {"α": "circle", "T": "diamond"}
"""Kind of joint → the marker of its factor, at the end of every branch, or of its gate, on every wire"""


@dataclass(frozen=True)
class Strip:
    """The data of one network."""

    name: str
    label: str
    gradients: np.ndarray
    """(layers,) from input to output"""
    loss: tuple[float, float, float]
    """Median, lowest and highest of the seeds, in nats"""
    fits: str
    """What is said about the seeds that fit; empty before the run"""


class WiredStrips:
    """One figure, created once; `show` moves its data."""

    def __init__(self, title: str, looks: Mapping[str, tuple[str, str, str]]) -> None:
        """`looks`: network → (label, color, dash), in the order of the strips."""
        self._names = list(looks)
        height = KEY + PITCH * len(looks)
        self.figure = plot(title, "", "", height=height + AROUND, x_range=(-0.01, 1.01), y_range=(0, height))
        self.figure.update(min_border=2, frame_align=False)
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.grid.visible = False
        self.figure.yaxis.visible = False
        named_ticks(self.figure.xaxis, {})
        box = ("left", "right", "bottom", "top")
        self.boxes, self._key, self._zeros = empty(*box, "bright"), empty(*box, "bright"), empty("x", "y")
        outlines = []
        for source in (self.boxes, self._key):
            paint(self.figure.quad(*box, source=source, line_color=None, fill_alpha="bright"), fill_color="fourth")
            outlines.append(self.figure.quad(*box, source=source, fill_color=None, line_width=0.7))
            paint(outlines[-1], line_color="edge")
        zeros = self.figure.scatter("x", "y", source=self._zeros, marker="x", size=6)
        paint(zeros, line_color="zero", fill_color="zero")
        self.wires, self.joints, self.bars, self._ranges, self._said = {}, {}, {}, {}, {}
        for name, (_label, color, dash) in looks.items():
            self.wires[name], self.joints[name] = empty("x", "y"), empty("x", "y")
            wires = self.figure.multi_line(
                "x", "y", source=self.wires[name], line_width=1.1 if WIRING[name] == "all" else 1.6, line_dash=dash
            )
            joints = self.figure.scatter("x", "y", source=self.joints[name], size=6)
            joints.glyph.marker = MARKERS.get(WIRING[name], "circle")
            paint(wires, line_color=color)
            paint(joints, line_color=color, fill_color=color)
            self.bars[name], self._ranges[name] = empty(*box), empty("x0", "y0", "x1", "y1")
            bar = self.figure.quad(*box, source=self.bars[name], line_color=None)
            span = self.figure.segment("x0", "y0", "x1", "y1", source=self._ranges[name], line_width=2)
            paint(bar, fill_color=color)
            paint(span, line_color="ink")
            self._said[name] = empty("x", "y", "text")
            words(self.figure, self._said[name], color, text_align="left", text_font_style="bold")
        head = empty("x", "y", "text")
        head.data = {"x": [LOSS[0]], "y": [PITCH * len(self._names) + KEY - 10], "text": ["loss (nats)"]}
        heading = words(self.figure, head, "ink", text_align="left")
        known(self.figure, outlines[0], heading, *self.wires.values(), *self.joints.values(), *self._said.values())
        self._words = empty("x", "y", "text", "align")
        words(self.figure, self._words, "ink", text_align="align")

    def show(self, strips: Sequence[Strip]) -> None:
        """Show the networks, in the order in which they were named."""
        low, high = _decades([strip.gradients for strip in strips])
        least, most = _decades([np.array(strip.loss) for strip in strips])
        feet = {name: PITCH * (len(self._names) - 1 - row) for row, name in enumerate(self._names)}
        boxes: list[tuple[float, ...]] = []
        zeros, texts = [], []
        scale = LOSS[1] - LOSS[0]
        for strip in strips:
            foot, layers = feet[strip.name], len(strip.gradients)
            edges = np.linspace(*STRIP, layers + 1)
            gap = 0.12 * (edges[1] - edges[0])
            for left, right, gradient in zip(edges, edges[1:], strip.gradients, strict=False):
                bright = _brightness(gradient, low, high)
                boxes.append((left + gap, right - gap, foot + BOXES[0], foot + BOXES[1], bright))
                if gradient == 0:
                    zeros.append(((left + right) / 2, foot + sum(BOXES) / 2))
            wires, joints = _wiring(WIRING[strip.name], edges, foot + WIRES)
            self.wires[strip.name].data = {"x": [x for x, _y in wires], "y": [y for _x, y in wires]}
            self.joints[strip.name].data = {"x": [x for x, _y in joints], "y": [y for _x, y in joints]}
            ends = [LOSS[0] + scale * _share(value, least, most) for value in strip.loss]
            seen = math.isfinite(strip.loss[0])
            middle = foot + sum(BAR) / 2
            self.bars[strip.name].data = {
                "left": [LOSS[0]] * seen,
                "right": [max(ends[0], LOSS[0] + 0.004)] * seen,
                "bottom": [foot + BAR[0]] * seen,
                "top": [foot + BAR[1]] * seen,
            }
            self._ranges[strip.name].data = {
                "x0": [ends[1]] * seen,
                "y0": [middle] * seen,
                "x1": [ends[2]] * seen,
                "y1": [middle] * seen,
            }
            self._said[strip.name].data = {"x": [STRIP[0]], "y": [foot + NAME], "text": [strip.label]}
            loss = number(strip.loss[0], 2) if seen else "overflow"
            texts += [(LOSS[0], foot + WIRES + 9, loss, "left"), (STRIP[1], foot + NAME, strip.fits, "right")]
        head = PITCH * len(self._names)
        key: list[tuple[float, ...]] = []
        texts.append((STRIP[0], head + KEY - 10, "gradient", "left"))
        for at, power in enumerate(np.linspace(low, high, SWATCHES)):
            left = 0.2 + at * (STRIP[1] - 0.2) / SWATCHES
            right = left + 0.7 * (STRIP[1] - 0.2) / SWATCHES
            bright = FAINTEST + (1 - FAINTEST) * at / (SWATCHES - 1)
            key.append((left, right, head + KEY - 17, head + KEY - 3, bright))
            if at % 2 == 0:
                texts.append(((left + right) / 2, head + KEY - 27, tick(round(power)), "center"))
        for source, rows in ((self.boxes, boxes), (self._key, key)):
            source.data = columns_of(rows, "left", "right", "bottom", "top", "bright")
        self._zeros.data = columns_of(zeros, "x", "y")
        self._words.data = columns_of(texts, "x", "y", "text", "align")
        places = np.linspace(least, most, 3)
        named_ticks(
            self.figure.xaxis,
            {LOSS[0] + scale * (place - least) / (most - least): tick(round(place)) for place in places}
            | {sum(STRIP) / 2: "layers, input to output"},
        )


def _decades(values: Sequence[np.ndarray]) -> tuple[int, int]:
    """Even powers of ten around all positive finite values, at least four apart."""
    positive = np.concatenate([value[np.isfinite(value) & (value > 0)] for value in values])
    ends = np.log10([positive.min(initial=1.0), positive.max(initial=1.0)])
    low, high = 2 * math.floor(ends[0] / 2), 2 * math.ceil(ends[1] / 2)
    if (high - low) % 4:
        high += 2
    return low, max(high, low + 4)


def _share(value: float, low: int, high: int) -> float:
    """Where a value is between two powers of ten, from 0 to 1."""
    if not value > 0:
        return 0.0
    return min(max((math.log10(value) - low) / (high - low), 0.0), 1.0)


def _brightness(gradient: float, low: int, high: int) -> float:
    """The opacity of a gradient; nothing for an exact zero and for what is not finite."""
    if not (gradient > 0 and math.isfinite(gradient)):
        return 0.0
    return FAINTEST + (1 - FAINTEST) * _share(gradient, low, high)


def _wiring(kind: str, edges: np.ndarray, foot: float) -> tuple[list[Any], list[Any]]:
    """Wires as (x, y) curves over the blocks between stem and head, whose sides are at `edges`, and their joints."""
    places = edges[1:-1]
    if not kind:
        return [], []
    if kind == "all":
        some = places[np.unique(np.linspace(0, len(places) - 1, JOINED + 1).round().astype(int))]
        longest = some[-1] - some[0]
        pairs = [(left, right) for at, left in enumerate(some) for right in some[at + 1 :]]
        return [_arc(left, right, foot, LONG_ARC * (right - left) / longest) for left, right in pairs], []
    blocks = list(pairwise(places))
    wires = [_arc(left, right, foot, ARC) for left, right in blocks]
    joints = {
        "α": [(right, foot) for _left, right in blocks],
        "T": [((left + right) / 2, foot + ARC) for left, right in blocks],
    }
    return wires, joints.get(kind, [])


def _arc(left: float, right: float, foot: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    turn = np.linspace(0, math.pi, FINEST)
    return (left + right) / 2 - (right - left) / 2 * np.cos(turn), foot + height * np.sin(turn)
