"""A drawing of a block: the stream with its sums, the branches as boxes, and a table row for every box."""

from collections.abc import Iterable

import numpy as np

from app.pictures.base.figures import empty, hover, paint, plot
from sims.builder.parts import ADD, LINEAR, NORM, OTHER, STREAM, VALUE
from sims.contract.frame import Frame
from sims.contract.wording import number

HEIGHT, FEWEST = 440, 8
"""Height of the drawing in pixels for every block, and the minimum number of rows that share it."""

STREAM_AT, STREAM_HALF = 10.0, 9.5
BOX_LEFT, BOX_RIGHT = 23.5, 51.0
BUS_LEFT, BUS_RIGHT = 21.2, 52.6
SHAPES, PARAMETERS, OPERATIONS = 54.0, 86.5, 99.5
"""Horizontal positions in the drawing, whose width is 100."""

HALF = 0.36
"""Half the height of a box, in rows."""

OUTLINES = {NORM: "third", LINEAR: "residual", OTHER: "edge"}
"""Kind of a box → color of its outline."""

HEADS = {"shape": "shape", "parameters": "parameters", "operations": "FLOPs"}
"""Column → its heading."""

SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def short(count: int) -> str:
    """A count in three digits with the letter of its power of ten; empty for 0."""
    for size, letter in SCALES:
        if count >= size:
            return f"{number(count / size)} {letter}"
    return str(count) if count else ""


Point = tuple[float, float]


def wires(lanes: list[str], kinds: list[str], reads: list[tuple[int, ...]]) -> list[list[Point]]:
    """The lines between the boxes, each as its corners, from the producing to the consuming part.

    Values read by several boxes run down on their left; values read by a later box run down on their right.
    """
    middle = (BOX_LEFT + BOX_RIGHT) / 2
    readers = [sum(giver in read for read in reads) for giver in range(len(reads))]
    lines: list[list[Point]] = []
    for taker, givers in enumerate(reads):
        if lanes[taker] == STREAM and kinds[taker] != ADD:
            continue
        for giver in givers:
            if lanes[giver] == STREAM and lanes[taker] == STREAM:
                continue
            between = lanes[giver + 1 : taker]
            below = all(lane == STREAM for lane in between)
            if lanes[giver] == STREAM:
                lines.append([(STREAM_AT, -taker), (BOX_LEFT, -taker)])
            elif kinds[taker] == ADD:
                down = [(middle, -giver - HALF), (middle, -taker)]
                aside = [(BOX_RIGHT, -giver), (BUS_RIGHT, -giver), (BUS_RIGHT, -taker)]
                lines.append([*(down if below else aside), (STREAM_AT, -taker)])
            elif below:
                lines.append([(middle, -giver - HALF), (middle, -taker + HALF)])
            elif readers[giver] > 1:
                gap = -giver - 0.5
                lines.append([(middle, gap), (BUS_LEFT, gap), (BUS_LEFT, -taker), (BOX_LEFT, -taker)])
            else:
                lines.append([(BOX_RIGHT, -giver), (BUS_RIGHT, -giver), (BUS_RIGHT, -taker), (BOX_RIGHT, -taker)])
    return lines


class FlowDiagram:
    """The figure, created once; `show` moves its data."""

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "", "", height=HEIGHT, x_range=(0, 100), y_range=(-10, 1))
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._stream, self._wires = empty("x0", "y0", "x1", "y1"), empty("xs", "ys")
        stream = self.figure.segment("x0", "y0", "x1", "y1", source=self._stream, line_width=4)
        paint(stream, line_color="residual")
        paint(self.figure.multi_line("xs", "ys", source=self._wires, line_width=1.3), line_color="edge")
        self._dots = empty("x", "y")
        paint(self.figure.scatter("x", "y", source=self._dots, size=7), fill_color="residual", line_color="residual")
        self._boxes = {}
        boxes = []
        for kind, color in OUTLINES.items():
            source = self._boxes[kind] = empty("left", "right", "top", "bottom", "name", "shape", "parameters", "count")
            box = self.figure.quad("left", "right", "top", "bottom", source=source, line_width=1.6)
            paint(box, fill_color="panel", line_color=color)
            boxes.append(box)
        hover(
            self.figure,
            [("", "@name"), ("gives", "@shape"), ("parameters", "@parameters"), ("operations", "@count")],
            renderers=boxes,
        )
        self._sums = empty("x", "y")
        circle = self.figure.scatter("x", "y", source=self._sums, size=21, line_width=2)
        paint(circle, fill_color="panel", line_color="residual")
        self._names, self._columns = empty("x", "y", "text", "size"), {}
        names = self.figure.text(
            "x", "y", "text", source=self._names, text_align="center", text_baseline="middle", text_font_size="size"
        )
        paint(names, text_color="ink")
        for column, (at, align) in {
            "shape": (SHAPES, "left"),
            "parameters": (PARAMETERS, "right"),
            "operations": (OPERATIONS, "right"),
        }.items():
            source = self._columns[column] = empty("x", "y", "text")
            text = self.figure.text(
                "x", "y", "text", source=source, text_align=align, text_baseline="middle", text_font_size="13px"
            )
            paint(text, text_color="soft")
            head = self.figure.text(
                [at],
                [0.75],
                [HEADS[column]],
                text_align=align,
                text_baseline="middle",
                text_font_size="13px",
                text_font_style="bold",
            )
            paint(head, text_color="ink")

    def show(self, frame: Frame) -> None:
        """Show the block of a frame."""
        names, kinds, lanes = (frame[key].tolist() for key in ("parts", "kinds", "lanes"))
        reads = [tuple(map(int, text.split())) for text in frame["reads"].tolist()]
        shapes = frame["shapes"].tolist()
        counts = {key: frame[key].tolist() for key in ("parameters", "operations")}
        rows = range(len(names))
        self.figure.y_range.update(start=-max(len(names), FEWEST) - 0.2, end=1.2)
        lines = wires(lanes, kinds, reads)
        self._wires.data = {
            "xs": [[x for x, _ in line] for line in lines],
            "ys": [[y for _, y in line] for line in lines],
        }
        self._stream.data = {"x0": [STREAM_AT], "y0": [-0.3], "x1": [STREAM_AT], "y1": [-len(names) + 0.2]}
        begins = [line[0] for line in lines if line[0][0] == STREAM_AT]
        self._dots.data = {"x": [x for x, _ in begins], "y": [y for _, y in begins]}
        for kind, source in self._boxes.items():
            chosen = [row for row in rows if kinds[row] == kind]
            on_stream = np.array([lanes[row] == STREAM for row in chosen], bool)
            source.data = {
                "left": np.where(on_stream, STREAM_AT - STREAM_HALF, BOX_LEFT),
                "right": np.where(on_stream, STREAM_AT + STREAM_HALF, BOX_RIGHT),
                "top": [-row + HALF for row in chosen],
                "bottom": [-row - HALF for row in chosen],
                "name": [names[row] for row in chosen],
                "shape": [shapes[row] for row in chosen],
                "parameters": [number(counts["parameters"][row]) for row in chosen],
                "count": [number(counts["operations"][row]) for row in chosen],
            }
        sums = [row for row in rows if kinds[row] == ADD]
        self._sums.data = {"x": [STREAM_AT] * len(sums), "y": [-row for row in sums]}
        middle = (BOX_LEFT + BOX_RIGHT) / 2
        self._names.data = {
            "x": [STREAM_AT if lane == STREAM else middle for lane in lanes],
            "y": [-row for row in rows],
            "text": names,
            "size": ["17px" if kind in (ADD, VALUE) else "13px" for kind in kinds],
        }
        self._column("shape", SHAPES, shapes)
        self._column("parameters", PARAMETERS, map(short, counts["parameters"]))
        self._column("operations", OPERATIONS, map(short, counts["operations"]))

    def _column(self, name: str, at: float, texts: Iterable[str]) -> None:
        words = list(texts)
        self._columns[name].data = {"x": [at] * len(words), "y": [-row for row in range(len(words))], "text": words}
