"""One line of a plan: what it does with its code, and the tensors that it touches as small heat maps."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
from bokeh.core.properties import value
from bokeh.models import Image
from bokeh.plotting import figure

from app.pictures.base.figures import paint, plot, words
from app.pictures.base.questions import known, until_answered
from app.pictures.base.timed import Timed
from app.pictures.maps.matrix_picture import mapper
from sims.contract.wording import number, tick

AROUND = 36
"""Pixels of a figure's height above and below its plot area"""

WIDE, TALL = 42.0, 116.0
"""Size of the plot area of the tensors: width in cells, height in pixels"""

LEFT, GAP, SIGN = 6.6, 1.5, 2.6
"""Cells before the first map, between two maps, and between two maps with a sign"""

CELL, NAME, ROW = 9.5, 16.0, 58.0
"""Height in pixels of a cell, of the name above a map, and of a whole row"""

CODE = 16.0
MOST_CODE = 5
"""Pixels of a line of code, and maximum number of lines"""

TOP = CODE * (1 + MOST_CODE)
"""Height of the plot area of the code, with what the line does above it"""

LONGEST = 40
"""Characters from which on a line of code is broken, for phones"""

TOKENS = 4

CHECK = "check"
"""What is before a row of maps that are checks, each with a verdict above it"""


@dataclass(frozen=True)
class Map:
    """A tensor in a row: the text above it, its values (rows, columns), the sign before it, and whether it is right
    (None: not judged)."""

    name: str
    values: np.ndarray
    sign: str = ""
    right: bool | None = None
    under: int | None = None
    """The map of the previous row below which it is placed; None: next to the preceding map"""


FRAMES = {
    None: ("edge", 1, "solid"),
    CHECK: ("edge", 1, "solid"),
    True: ("healthy", 2.5, "solid"),
    False: ("failing", 2.5, "dashed"),
}
"""Whether a map is right, or is a check → color, width and dash of its frame"""

Rows = Sequence[tuple[str, Sequence[Map]]]
"""The text before a row, and its maps"""


class LineCode:
    """The figure of a line's code, created once; `show` moves its data.

    Before the prediction, it only names the line.
    """

    def __init__(self, title: str) -> None:
        self.figure = _plot(title, TOP)
        self._heads, self._early_heads, self._code = (Timed("x", "y", "text") for _ in range(3))
        self.timed = [self._heads, self._early_heads, self._code]
        *_heads, code = (
            words(self.figure, rows.source, "ink", text_align="left", text_alpha="alpha") for rows in self.timed
        )
        code.glyph.update(text_font=value("monospace"))
        until_answered(self.figure, self._early_heads.source)

    def show(self, moment: int, lines: Mapping[int, tuple[str, str, Sequence[str]]]) -> None:
        """Send all moments at once: the name of the line, what it does, and its code."""
        places = [TOP - CODE * (row + 0.5) for row in range(1 + MOST_CODE)]
        self._early_heads.show([((0.0, places[0], name), at, at) for at, (name, _does, _code) in lines.items()], moment)
        self._heads.show([((0.0, places[0], does), at, at) for at, (_name, does, _code) in lines.items()], moment)
        self._code.show(
            [
                ((0.0, place, text), at, at)
                for at, (_name, _does, code) in lines.items()
                for place, text in zip(places[1:], _broken(code), strict=False)
            ],
            moment,
        )


class LineTensors:
    """The figure of a line's tensors, created once; `show` moves its data.

    Before the prediction, the maps that a line reads and writes are empty frames, and nothing is checked.
    """

    def __init__(self, title: str) -> None:
        self.figure = _plot(title, TALL)
        self._images = Timed("image", "x", "y", "dw", "dh")
        self._frames = {judged: Timed("l", "r", "b", "t") for judged in FRAMES}
        self._words, self._verdicts, self._heads, self._early_heads = (Timed("x", "y", "text") for _ in range(4))
        picture = Image(image="image", x="x", y="y", dw="dw", dh="dh", color_mapper=mapper(1.0), global_alpha="alpha")
        self.figure.add_glyph(self._images.source, picture)
        for right, rows in self._frames.items():
            color, width, dash = FRAMES[right]
            frame = self.figure.quad("l", "r", "b", "t", source=rows.source, fill_alpha=0, line_alpha="alpha")
            frame.glyph.update(line_width=width, line_dash=dash)
            paint(frame, line_color=color)
        texts = (self._words, self._verdicts, self._heads, self._early_heads)
        for rows, color in zip(texts, ("ink", "ink", "soft", "soft"), strict=True):
            words(self.figure, rows.source, color, text_align="left", text_alpha="alpha")
        known(self.figure, self._frames[None].source, self._words.source)
        until_answered(self.figure, self._early_heads.source)
        self.timed = [self._images, *self._frames.values(), *texts]

    def show(self, moment: int, moments: Mapping[int, Rows]) -> None:
        """Send all moments at once; one of them is visible. Values are colors from −1 to 1."""
        drawing = _Drawn()
        for time, rows in moments.items():
            drawing.moment(time, rows)
        self._images.show(drawing.images, moment)
        for right, frames in self._frames.items():
            frames.show([row for judged, row in drawing.frames if judged is right], moment)
        self._words.show(drawing.words, moment)
        self._verdicts.show(drawing.verdicts, moment)
        self._heads.show(drawing.heads, moment)
        self._early_heads.show(drawing.early_heads, moment)


def _plot(title: str, tall: float) -> figure:
    chart = plot(title, "", "", height=round(tall) + AROUND, x_range=(0, WIDE), y_range=(0, tall), min_border=3)
    chart.update(frame_align=False)
    chart.axis.visible = False
    chart.grid.visible = False
    return chart


def _broken(code: Sequence[str]) -> list[str]:
    """The code with its longest lines in two parts."""
    return [part for line in code for part in wrap(line, LONGEST, subsequent_indent="  ")]


class _Drawn:
    """Collects the rows of the figure's sources."""

    def __init__(self) -> None:
        self.images: list[tuple[tuple[object, ...], int, int]] = []
        self.frames: list[tuple[bool | str | None, tuple[tuple[float, ...], int, int]]] = []
        self.words: list[tuple[tuple[float, float, str], int, int]] = []
        self.verdicts: list[tuple[tuple[float, float, str], int, int]] = []
        self.heads: list[tuple[tuple[float, float, str], int, int]] = []
        self.early_heads: list[tuple[tuple[float, float, str], int, int]] = []

    def moment(self, at: int, rows: Rows) -> None:
        """Add the rows of a moment."""
        top, lefts = TALL, [LEFT]
        for head, maps in rows:
            middle = top - NAME - TOKENS * CELL / 2
            self.heads.append(((0.0, middle, head), at, at))
            if head != CHECK:
                # Whether a line copies or adds is a result.
                early = head if head == "reads" else "writes"
                self.early_heads.append(((0.0, middle, early), at, at))
            above, lefts, left = lefts, [], LEFT
            for tensor in maps:
                left = (left if tensor.under is None else above[tensor.under]) + (SIGN - GAP) * bool(tensor.sign)
                lefts.append(left)
                left = self._map(at, tensor, left, top, head == CHECK)
            top -= ROW + 2

    def _map(self, at: int, tensor: Map, left: float, top: float, checks: bool) -> float:
        """Add a map, with what is above it; return where the next one starts."""
        height, width = tensor.values.shape
        head = top - NAME
        if tensor.sign:
            self.words.append(((left - (SIGN + 1) / 2, head - TOKENS * CELL / 2, tensor.sign), at, at))
        foot = head - height * CELL
        image = tensor.values[::-1].astype(np.float32)
        self.images.append(((image, left, foot, float(width), height * CELL), at, at))
        usual = CHECK if checks else None
        for judged in dict.fromkeys((usual, usual if tensor.right is None else tensor.right)):
            self.frames.append((judged, ((left, left + width, foot, head), at, at)))
        names = self.verdicts if checks else self.words
        names.append(((left, top - NAME / 2, tensor.name), at, at))
        return left + width + GAP


def verdict(error: float, agrees: float) -> str:
    """Whether a gradient is right, with the relative error as evidence."""
    if error > agrees:
        return f"▲ {number(error, 1)}"
    return f"● <{tick(math.ceil(math.log10(error)))}" if error else "● 0"
