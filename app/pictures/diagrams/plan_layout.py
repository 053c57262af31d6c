"""The layouts of a transformer block: the places of its ten lines, the wires between them with the tensors that they
carry, and what each line reads and writes."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.pictures.base.screens import NARROW, WIDE

LINES = 10
LAST = 2 * LINES
"""The last moment: line 1 in the backward pass"""

Point = tuple[float, float]
Points = tuple[Point, ...]


@dataclass(frozen=True)
class Page:
    """Distances on one kind of screen: horizontal ones in parts of its width, vertical ones in pixels.

    The stream runs to the right, with the branches above it, or down, with the branches on its right. Places *along*
    the stream begin at the input, and places *across* begin at the stream.
    """

    down: bool
    tile: Point
    """Width and height of a tensor"""
    box: Point
    """Width and height of a line"""
    plus: Point
    """Width and height of a plus sign"""
    fork: float
    """From the middle of a tensor on the stream to the fork after it"""
    step: float
    """From a fork to the tensors between the two columns of a branch, and from those to the plus sign"""
    after: float
    """From a plus sign to the tensor after it"""
    norm: float
    """From a tensor on the stream to a norm on it, and from that to the next tensor"""
    across: tuple[float, float, float, float]
    """The two tensors and two lines of a column, in the order tensor, line, tensor, line"""
    between: Mapping[int, tuple[float, ...]]
    """Number of tensors between the columns of a branch → their places across"""
    start: Point
    """The middle of the input"""
    edge: float
    """From the middle of a tensor on the stream to the end of the drawing"""

    def at(self, along: float, across: float) -> Point:
        """A place of the drawing."""
        x, y = self.start
        return (x + across, y - along) if self.down else (x + along, y + across)

    def ends(self, size: Point) -> tuple[float, float]:
        """Half of the width and height of something, along the stream and across it."""
        width, height = size
        return (height / 2, width / 2) if self.down else (width / 2, height / 2)


PAGES = {
    WIDE: Page(
        down=False,
        tile=(8.6, 46.0),
        box=(11.5, 28.0),
        plus=(2.0, 22.0),
        fork=9.0,
        step=13.0,
        after=9.2,
        norm=11.0,
        across=(50.0, 104.0, 147.0, 201.0),
        between={3: (189.0, 126.0, 63.0), 2: (178.0, 100.0)},
        start=(5.4, 0.0),
        edge=5.4,
    ),
    NARROW: Page(
        down=True,
        tile=(16.0, 27.0),
        box=(17.0, 34.0),
        plus=(6.6, 22.0),
        fork=42.0,
        step=51.0,
        after=50.0,
        norm=48.0,
        across=(22.0, 41.0, 60.0, 80.0),
        between={3: (79.0, 60.0, 41.0), 2: (79.0, 50.0)},
        start=(9.5, 0.0),
        edge=24.0,
    ),
}


@dataclass(frozen=True)
class Wire:
    """A wire that a tensor travels: its corners, the place of the tensor on it, and the wire's route, if it is one of
    two ("skip" or "branch")."""

    tensor: str
    points: Points
    tile: Point
    forward: int
    """The moment at which the tensor is written, and travels it"""
    back: int
    """The same for its gradient"""
    route: str = ""

    @property
    def name(self) -> str:
        """The simulation's name of the gradient on this wire."""
        return f"{self.tensor} {self.route}" if self.route else self.tensor


@dataclass(frozen=True)
class Layout:
    """Boxes and signs by their line number, wires, and the ends of the drawing."""

    boxes: Mapping[int, Point]
    pluses: Mapping[int, Point]
    forks: Mapping[int, Point]
    """The line at which two routes meet again in the backward pass → where"""
    wires: tuple[Wire, ...]
    end: Point
    """The end of the stream"""


def moment_back(line: int) -> int:
    """The moment of a line in the backward pass."""
    return LAST + 1 - line


class _Drawing:
    """Collects the parts of a layout."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.boxes: dict[int, Point] = {}
        self.pluses: dict[int, Point] = {}
        self.forks: dict[int, Point] = {}
        self.wires: list[Wire] = []

    def wire(self, tensor: str, writer: int, reader: int, points: list[Point], tile: Point, route: str = "") -> None:
        """A wire between two lines: the first writes the tensor, and the second, in the backward pass, its gradient.
        Points are places along and across."""
        corners = tuple(self.page.at(*point) for point in points)
        self.wires.append(Wire(tensor, corners, self.page.at(*tile), writer, moment_back(reader), route))

    def sublayer(self, start: float, first: int, lines: int, tensors: str, norm: bool) -> float:
        """The wires of a branch and of its skip; the first of its lines is a norm or not. Returns the plus sign's place
        along the stream."""
        page = self.page
        fork, middle, plus = (start + page.fork + steps * page.step for steps in range(3))
        low, low_box, high, high_box = page.across
        box_along, box = page.ends(page.box)
        tile_along, _tile = page.ends(page.tile)
        plus_along, plus_across = page.ends(page.plus)
        stream, *normed, wide, mixed, out = tensors.split(",")
        add = first + lines
        column = [low_box, high_box, high_box, low_box] if norm else [high_box, high_box, low_box]
        for at, across in enumerate(column):
            self.boxes[first + at] = page.at(fork if at < lines - 2 else plus, across)
        self.pluses[add], self.forks[first] = page.at(plus, 0), page.at(fork, 0)
        enters = (low_box if norm else high_box) - box
        self.wire(stream, first, first, [(fork, 0), (fork, enters)], (fork, low), "branch")
        self.wire(stream, first, add, [(fork, 0), (plus - plus_along, 0)], (middle, 0), "skip")
        for name in normed:
            self.wire(name, first, first + 1, [(fork, low_box + box), (fork, high_box - box)], (fork, high))
        parts = wide.split()
        for part, across in zip(parts, page.between[len(parts)], strict=True):
            corners = [
                (fork + box_along, high_box),
                (middle - tile_along, across),
                (middle + tile_along, across),
                (plus - box_along, high_box),
            ]
            self.wire(part, add - 3, add - 2, corners, (middle, across))
        self.wire(mixed, add - 2, add - 1, [(plus, high_box - box), (plus, low_box + box)], (plus, high))
        self.wire(out, add - 1, add, [(plus, low_box - box), (plus, plus_across)], (plus, low))
        return plus

    def layout(self, begins: float, middle: float) -> Layout:
        """The whole layout, with the output in the middle of its last wire, which begins at a place along the
        stream."""
        end = middle + self.page.edge
        self.wire("y", LINES, LINES, [(begins, 0), (end, 0)], (middle, 0))
        return Layout(self.boxes, self.pluses, self.forks, tuple(self.wires), self.page.at(end, 0))


def _pre(page: Page) -> Layout:
    drawing, begins, middle = _Drawing(page), -page.edge, 0.0
    for first, tensors in ((1, "x,n1,q k v,a,o"), (6, "r,n2,g u,s,m")):
        drawing.wire(tensors[0], max(first - 1, 1), first, [(begins, 0), (middle + page.fork, 0)], (middle, 0))
        plus = drawing.sublayer(middle, first, 4, tensors, norm=True)
        begins, middle = plus + page.ends(page.plus)[0], plus + page.after
    return drawing.layout(begins, middle)


def _post(page: Page) -> Layout:
    drawing, begins, middle = _Drawing(page), -page.edge, 0.0
    along, _across = page.ends(page.box)
    for first, tensors, total in ((1, "x,q k v,a,o", "z1"), (6, "r,g u,s,m", "z2")):
        drawing.wire(tensors[0], max(first - 1, 1), first, [(begins, 0), (middle + page.fork, 0)], (middle, 0))
        plus = drawing.sublayer(middle, first, 3, tensors, norm=False)
        place, norm = plus + page.after, plus + page.after + page.norm
        drawing.wire(total, first + 3, first + 4, [(plus + page.ends(page.plus)[0], 0), (norm - along, 0)], (place, 0))
        drawing.boxes[first + 4] = page.at(norm, 0)
        begins, middle = norm + along, norm + page.norm
    return drawing.layout(begins, middle)


LAYOUTS: Mapping[str, Mapping[str, Layout]] = {
    "pre": {screen: _pre(page) for screen, page in PAGES.items()},
    "post": {screen: _post(page) for screen, page in PAGES.items()},
}
"""Arrangement → kind of screen → layout"""

PLUSES: Mapping[str, tuple[int, ...]] = {"pre": (5, 10), "post": (4, 9)}
"""Arrangement → its lines that are plus signs"""

FORKS = (1, 6)
"""Lines at which two routes meet again in the backward pass"""

READS: Mapping[str, Mapping[int, tuple[str, str]]] = {
    "pre": {
        1: ("x", "n1"),
        2: ("n1", "q k v"),
        3: ("q k v", "p a"),
        4: ("a", "o"),
        5: ("x o", "r"),
        6: ("r", "n2"),
        7: ("n2", "g u"),
        8: ("g u", "s"),
        9: ("s", "m"),
        10: ("r m", "y"),
    },
    "post": {
        1: ("x", "q k v"),
        2: ("q k v", "p a"),
        3: ("a", "o"),
        4: ("x o", "z1"),
        5: ("z1", "r"),
        6: ("r", "g u"),
        7: ("g u", "s"),
        8: ("s", "m"),
        9: ("r m", "z2"),
        10: ("z2", "y"),
    },
}
"""Arrangement → line → the tensors that it reads and those that it writes"""

WEIGHTS: Mapping[str, Mapping[int, str]] = {
    "pre": {1: "gain1", 2: "q k v", 4: "out", 6: "gain2", 7: "gate up", 9: "down"},
    "post": {1: "q k v", 3: "out", 5: "gain1", 6: "gate up", 8: "down", 10: "gain2"},
}
"""Arrangement → line → the weights that it holds"""


def words(arrangement: str, name: str, line: int, back: bool, wrong: bool) -> str:
    """What happens at a moment, short enough for a phone; `wrong`: the line's backward pass has a bug."""
    if not back:
        return f"forward, line {line}: " + {"add": "add the branch to the stream"}.get(name, name)
    if line in PLUSES[arrangement]:
        return f"back, line {line}: the plus sign {'halves' if wrong else 'copies'}"
    if line in FORKS:
        return f"back, line {line}: two routes meet{', and one is lost' if wrong else ' and add up'}"
    return f"back, line {line}: {name}"
