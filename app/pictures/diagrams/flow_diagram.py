"""A drawing of a block to scale: a box is as wide as its features, and its area is its parameters.

The stream is a band of its own width on the left, with its sums; the branches are next to it. Every box has a row of a
table. The figure plays: dots carry the signal through the block.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, hover, paint, plot, words
from app.pictures.base.screens import NARROW, PHONE, WIDE, only_on
from app.pictures.base.timed import Journey, Timed, Travelers, playable, straight
from sims.builder.parts import ADD, LINEAR, NORM, OTHER, STREAM, VALUE
from sims.contract.frame import Frame
from sims.contract.wording import number

AROUND = 36
"""Pixels of a figure's height above and below its plot area: an axis in units of a pixel leaves them out"""

HEAD, GAP = 22.0, 8.0
"""Height of the heads, and what a row has around its box, in pixels"""

BESIDE, ASIDE = 6.0, 1.6
"""Room between stream and branches, and between the widest box and the wires around it; a figure is 100 wide"""

BEAT = 420
"""Milliseconds that the signal takes from row to row"""

BOXES = {NORM: ("third", 0.3), LINEAR: ("residual", 0.22), OTHER: ("edge", 0.3)}
"""Kind of a box → its color, and the opacity of its area"""

HEADS = {"name": "", "shape": "shape", "parameters": "parameters", "operations": "FLOPs"}
"""Column → its heading."""

SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))

LONG = 12
"""Length from which on a phone breaks a name into two lines"""


@dataclass(frozen=True)
class Page:
    """What a kind of screen leaves to the drawing: its height, what is free at its foot and the least height of a row,
    in pixels; the sides of the boxes; and where the columns of the table are, with their alignment."""

    height: int
    foot: float
    least: float
    left: float
    right: float
    columns: dict[str, tuple[float, str]]


PAGES = {
    WIDE: Page(
        510,
        4.0,
        20.0,
        5.0,
        52.0,
        {"name": (54.0, "left"), "shape": (72.5, "left"), "parameters": (91.0, "right"), "operations": (99.5, "right")},
    ),
    NARROW: Page(
        560,
        46.0,
        24.0,
        1.0,
        45.0,
        {"name": (47.5, "left"), "parameters": (84.0, "right"), "operations": (100.0, "right")},
    ),
}
"""A wide drawing has room for the play button left of the stream, a narrow one below it."""

SIDES = ("left", "right", "top", "bottom")

Point = tuple[float, float]


def short(count: int) -> str:
    """A count in three digits with the letter of its power of ten; empty for 0."""
    for size, letter in SCALES:
        if count >= size:
            return f"{number(count / size)} {letter}"
    return str(count) if count else ""


def features(shape: str) -> int:
    """The features of "tokens×features", or of "channels×height×width"."""
    sizes = shape.split("×")
    return int(sizes[0] if len(sizes) == 3 else sizes[-1])


@dataclass(frozen=True)
class Box:
    """Where a part is, and the upper and lower end of its row."""

    left: float
    right: float
    top: float
    bottom: float
    above: float
    below: float

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2


def boxes(lanes: Sequence[str], wide: Sequence[int], parameters: Sequence[int], page: Page) -> list[Box]:
    """The parts of a block to scale: `wide` are the features of their outputs, and heights are parameters per
    feature."""
    high = np.array(parameters) / np.array(wide)
    tall = page.height - AROUND - HEAD - page.foot
    free = high > 0
    while True:
        unit = (tall - page.least * (~free).sum() - GAP * free.sum()) / high[free].sum()
        low = free & (unit * high + GAP < page.least)
        if not low.any():
            break
        free &= ~low
    rows = np.where(free, unit * high + GAP, page.least)
    on_stream = np.array([lane == STREAM for lane in lanes])
    widths = np.array(wide)
    most = {True: widths[on_stream].max(), False: widths[~on_stream].max()}
    scale = (page.right - page.left - BESIDE - 2 * ASIDE) / (most[True] + most[False])
    middles = {
        True: page.left + scale * most[True] / 2,
        False: page.right - ASIDE - scale * most[False] / 2,
    }
    placed, above = [], -HEAD
    for row, stream in enumerate(on_stream.tolist()):
        half, below = scale * wide[row] / 2, above - rows[row]
        middle, up = (above + below) / 2, unit * high[row] / 2
        x = middles[stream]
        placed.append(Box(x - half, x + half, middle + up, middle - up, above, below))
        above = below
    return placed


def wires(
    lanes: Sequence[str], kinds: Sequence[str], reads: Sequence[tuple[int, ...]], places: Sequence[Box], page: Page
) -> dict[int, list[list[Point]]]:
    """For each part the lines that bring its inputs from other lanes or boxes, each as its corners.

    Values read by several boxes run down on their left; values read by a later box run down on their right.
    """
    x = places[0].x
    edge = min(box.left for box, lane in zip(places, lanes, strict=True) if lane != STREAM) - ASIDE
    readers = [sum(giver in read for read in reads) for giver in range(len(reads))]
    lines: dict[int, list[list[Point]]] = {}
    for taker, givers in enumerate(reads):
        if lanes[taker] == STREAM and kinds[taker] != ADD:
            continue
        to, lines[taker] = places[taker], []
        for giver in givers:
            if lanes[giver] == STREAM and lanes[taker] == STREAM:
                continue
            come = places[giver]
            right = [(come.right, come.y), (page.right, come.y), (page.right, to.y)]
            below = all(lane == STREAM for lane in lanes[giver + 1 : taker])
            if lanes[giver] == STREAM:
                line = [(x, to.above), (to.x, to.above), (to.x, to.top)]
            elif kinds[taker] == ADD:
                line = [*([(come.x, come.bottom), (come.x, to.y)] if below else right), (x, to.y)]
            elif below:
                line = [(come.x, come.bottom), (come.x, to.top)]
            elif readers[giver] > 1:
                line = [(come.x, come.below), (edge, come.below), (edge, to.y), (to.left, to.y)]
            else:
                line = [*right, (to.right, to.y)]
            lines[taker].append(line)
    return lines


def journeys(line: Sequence[Point], moment: int, size: float) -> list[Journey]:
    """A dot on its way along a line during one moment, for each of its straight parts."""
    lengths = [abs(x1 - x0) + abs(y1 - y0) for (x0, y0), (x1, y1) in pairwise(line)]
    ends = np.cumsum([0.0, *lengths]) / sum(lengths)
    return [
        Journey(straight(*start, *end), moment, -first / (last - first), (1 - first) / (last - first), size)
        for start, end, first, last in zip(line, line[1:], ends, ends[1:], strict=False)
        if last > first
    ]


class FlowDiagram:
    """The same block for both kinds of screens, created once; `show` moves the data."""

    def __init__(self, titles: dict[str, str]) -> None:
        """`titles`: kind of screen → title."""
        self.screens = {screen: Drawing(screen, title) for screen, title in titles.items()}
        self.figures: list[LayoutDOM] = [drawing.figure for drawing in self.screens.values()]

    def show(self, frame: Frame) -> None:
        """Show the block of a frame."""
        for drawing in self.screens.values():
            drawing.show(frame)


class Drawing:
    """The figure on one kind of screen."""

    def __init__(self, screen: str, title: str) -> None:
        page = self._page = PAGES[screen]
        self._narrow = screen == NARROW
        foot = AROUND - page.height
        self.figure = plot(title, "", "", height=page.height, x_range=(0, 100), y_range=(foot, 0), min_border=2)
        self.figure.styles = {"grid-column": "1 / -1"}
        only_on(screen, self.figure, PHONE)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self.stream, self.wires = empty(*SIDES), empty("xs", "ys")
        stream = self.figure.quad(*SIDES, source=self.stream, line_color=None)
        paint(stream, fill_color="wash")
        for side in ("left", "right"):
            edge = self.figure.segment(side, "bottom", side, "top", source=self.stream, line_width=3)
            paint(edge, line_color="residual")
        paint(self.figure.multi_line("xs", "ys", source=self.wires, line_width=1.4), line_color="edge")
        self.boxes = {}
        for kind, (color, strength) in BOXES.items():
            source = self.boxes[kind] = empty(*SIDES)
            box = self.figure.quad(*SIDES, source=source, line_width=2, fill_alpha=strength)
            paint(box, fill_color=color, line_color=color)
        self._passing = Timed(*SIDES)
        passing = self.figure.quad(
            *SIDES, source=self._passing.source, fill_alpha="alpha", line_alpha="alpha", line_width=3
        )
        paint(passing, fill_color="accent", line_color="accent")
        self._sums = empty("x", "y", "text")
        circle = self.figure.scatter("x", "y", source=self._sums, size=19, line_width=2)
        paint(circle, fill_color="panel", line_color="residual")
        words(self.figure, self._sums, "ink", text_font_size="17px")
        self._signal = Travelers()
        signal = self.figure.scatter("x", "y", size="size", alpha="alpha", source=self._signal.source, level="overlay")
        paint(signal, fill_color="accent", line_color="panel")
        self._rows = empty(*SIDES, "name", "shape", "parameters", "count")
        rows = self.figure.quad(*SIDES, source=self._rows, fill_alpha=0, line_color=None)
        hover(
            self.figure,
            [("", "@name"), ("gives", "@shape"), ("parameters", "@parameters"), ("operations", "@count")],
            renderers=[rows],
        )
        self._scale = empty("x", "y", "text")
        words(self.figure, self._scale, "ink", text_align="left", text_font_style="bold")
        self.columns = {}
        for column, (at, align) in page.columns.items():
            source = self.columns[column] = empty("x", "y", "text")
            color = "ink" if column == "name" else "soft"
            words(self.figure, source, color, text_align=align, text_line_height=0.9)
            head = empty("x", "y", "text")
            head.data = {"x": [at], "y": [-HEAD / 2], "text": [HEADS[column]]}
            words(self.figure, head, "ink", text_align=align, text_font_style="bold")
        self._now = playable(
            self.figure, "", 1, [], [self._passing], [self._signal], "Play: through the block", BEAT, again=True
        )

    def show(self, frame: Frame) -> None:
        """Show the block of a frame."""
        names, kinds, lanes, shapes = (frame[key].tolist() for key in ("parts", "kinds", "lanes", "shapes"))
        reads = [tuple(map(int, text.split())) for text in frame["reads"].tolist()]
        counts = {key: frame[key].tolist() for key in ("parameters", "operations")}
        places = boxes(lanes, [features(shape) for shape in shapes], counts["parameters"], self._page)
        rows, last = range(len(names)), len(names)
        lines = wires(lanes, kinds, reads, places, self._page)
        every = [line for of_one in lines.values() for line in of_one]
        self.wires.data = {
            "xs": [[x for x, _y in line] for line in every],
            "ys": [[y for _x, y in line] for line in every],
        }
        on_stream = [row for row in rows if lanes[row] == STREAM]
        ends = [*(places[row].y for row in on_stream[1:]), places[-1].below]
        self.stream.data = {
            "left": [places[row].left for row in on_stream],
            "right": [places[row].right for row in on_stream],
            "top": [places[row].y for row in on_stream],
            "bottom": ends,
        }
        for kind, source in self.boxes.items():
            source.data = _sides([places[row] for row in rows if kinds[row] == kind])
        sums = [row for row in rows if kinds[row] == ADD]
        self._sums.data = {
            "x": [places[row].x for row in sums],
            "y": [places[row].y for row in sums],
            "text": ["+"] * len(sums),
        }
        self._rows.data = {
            "left": [0] * last,
            "right": [100] * last,
            "top": [box.above for box in places],
            "bottom": [box.below for box in places],
            "name": names,
            "shape": shapes,
            "parameters": [number(count) for count in counts["parameters"]],
            "count": [number(count) for count in counts["operations"]],
        }
        wide = f"{number(features(shapes[0]))} features"
        self._scale.data = {"x": [self._page.left], "y": [-HEAD / 2], "text": [wide]}
        texts = {
            "name": ["" if kind == ADD else self._broken(name) for name, kind in zip(names, kinds, strict=True)],
            "shape": shapes,
            "parameters": [short(count) for count in counts["parameters"]],
            "operations": [short(count) for count in counts["operations"]],
        }
        for column, source in self.columns.items():
            at = self._page.columns[column][0]
            source.data = {"x": [at] * last, "y": [box.y for box in places], "text": texts[column]}
        passed = [row for row in rows if kinds[row] not in (ADD, VALUE)]
        self._passing.show([(tuple(getattr(places[row], side) for side in SIDES), row, row) for row in passed], last)
        down = [[(places[0].x, places[row - 1].y), (places[0].x, places[row].y)] for row in rows[1:]]
        self._signal.show(
            [step for row, line in enumerate(down, 1) for step in journeys(line, row, 14)]
            + [step for row, of_one in lines.items() for line in of_one for step in journeys(line, row, 10)]
        )
        self._now.data = {"moment": [last], "last": [last]}

    def _broken(self, name: str) -> str:
        """A long name in two lines on a phone."""
        return ",\n".join(name.rsplit(", ", 1)) if self._narrow and len(name) > LONG else name


def _sides(placed: Sequence[Box]) -> dict[str, list[float]]:
    return {side: [getattr(box, side) for box in placed] for side in SIDES}
