"""One line of a plan: its code, and the tensors that it reads and writes as small heat maps."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from bokeh.core.properties import value
from bokeh.models import Image

from app.pictures.base.figures import paint, plot
from app.pictures.base.questions import known, until_answered
from app.pictures.base.timed import Timed
from app.pictures.maps.matrix_picture import key, mapper
from sims.contract.wording import number, tick

HEIGHT = 285
WIDE, TALL = 42.0, 258.0
"""Size of the plot area: width in cells, height in pixels"""

LEFT, GAP, SIGN = 6.6, 1.5, 2.6
"""Cells before the first map, between two maps, and between two maps with a sign"""

CELL, NAME, ROW = 9.5, 16.0, 58.0
"""Height in pixels of a cell, of the name above a map, and of a whole row"""

CODE = 15.5
MOST_CODE = 5
"""Maximum number of code lines, and the pixels of each"""

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


class LineTensors:
    """The figure, created once; `show` moves its data.

    Before the prediction, the maps that a line reads and writes are empty frames, and nothing is checked.
    """

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "", "", height=HEIGHT, x_range=(0, WIDE), y_range=(0, TALL), min_border=3)
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._images = Timed("image", "x", "y", "dw", "dh")
        self._frames = {judged: Timed("l", "r", "b", "t") for judged in FRAMES}
        self._words, self._verdicts, self._heads, self._code = (Timed("x", "y", "text") for _ in range(4))
        self._early_heads = Timed("x", "y", "text")
        picture = Image(image="image", x="x", y="y", dw="dw", dh="dh", color_mapper=mapper(1.0), global_alpha="alpha")
        self.figure.add_glyph(self._images.source, picture)
        for right, rows in self._frames.items():
            color, width, dash = FRAMES[right]
            frame = self.figure.quad("l", "r", "b", "t", source=rows.source, fill_alpha=0, line_alpha="alpha")
            frame.glyph.update(line_width=width, line_dash=dash)
            paint(frame, line_color=color)
        words = (self._words, self._verdicts, self._code, self._heads, self._early_heads)
        for rows, color in zip(words, ("ink", "ink", "ink", "soft", "soft"), strict=True):
            text = self.figure.text(
                "x",
                "y",
                "text",
                source=rows.source,
                text_font_size="13px",
                text_baseline="middle",
                text_alpha="alpha",
            )
            if rows is self._code:
                text.glyph.update(text_font=value("monospace"))
            paint(text, text_color=color)
        key(self.figure, (WIDE - 4.6, WIDE - 0.2), TALL - 3.5 * CODE, "middle")
        known(self.figure, self._frames[None].source, self._words.source)
        until_answered(self.figure, self._early_heads.source)
        self.timed = [self._images, *self._frames.values(), *words]

    def show(self, moment: int, moments: Mapping[int, Rows], code: Callable[[int], Sequence[str]]) -> None:
        """Send all moments at once; one of them is visible. The colors of a moment share one scale, up to its largest
        number."""
        drawing = _Drawn()
        for time, rows in moments.items():
            drawing.moment(time, rows, code(time))
        self._images.show(drawing.images, moment)
        for right, frames in self._frames.items():
            frames.show([row for judged, row in drawing.frames if judged is right], moment)
        self._words.show(drawing.words, moment)
        self._verdicts.show(drawing.verdicts, moment)
        self._heads.show(drawing.heads, moment)
        self._early_heads.show(drawing.early_heads, moment)
        self._code.show(drawing.code, moment)


class _Drawn:
    """Collects the rows of the figure's sources."""

    def __init__(self) -> None:
        self.images: list[tuple[tuple[object, ...], int, int]] = []
        self.frames: list[tuple[bool | str | None, tuple[tuple[float, ...], int, int]]] = []
        self.words: list[tuple[tuple[float, float, str], int, int]] = []
        self.verdicts: list[tuple[tuple[float, float, str], int, int]] = []
        self.heads: list[tuple[tuple[float, float, str], int, int]] = []
        self.early_heads: list[tuple[tuple[float, float, str], int, int]] = []
        self.code: list[tuple[tuple[float, float, str], int, int]] = []

    def moment(self, at: int, rows: Rows, code: Sequence[str]) -> None:
        """Add a moment: its code on top, then the rows."""
        for line, text in enumerate(code[:MOST_CODE]):
            self.code.append(((0.0, TALL - CODE * (line + 0.5), text), at, at))
        strongest = max(float(np.abs(tensor.values).max()) for _name, maps in rows for tensor in maps) or 1.0
        top, lefts = TALL - CODE * MOST_CODE - 4, [LEFT]
        for head, maps in rows:
            middle = top - NAME - TOKENS * CELL / 2
            self.heads.append(((0.0, middle, head), at, at))
            if head != CHECK:
                # Whether a line copies or adds is a result.
                self.early_heads.append(((0.0, middle, head if head == "reads" else "writes"), at, at))
            above, lefts, left = lefts, [], LEFT
            for tensor in maps:
                left = (left if tensor.under is None else above[tensor.under]) + (SIGN - GAP) * bool(tensor.sign)
                lefts.append(left)
                left = self._map(at, tensor, left, top, strongest, head == CHECK)
            top -= ROW + 2

    def _map(self, at: int, tensor: Map, left: float, top: float, strongest: float, checks: bool) -> float:
        """Add a map, with what is above it; return where the next one starts."""
        height, width = tensor.values.shape
        head = top - NAME
        if tensor.sign:
            self.words.append(((left - (SIGN + 1) / 2, head - TOKENS * CELL / 2, tensor.sign), at, at))
        foot = head - height * CELL
        image = (tensor.values[::-1] / strongest).astype(np.float32)
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
