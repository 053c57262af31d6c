"""The layout of a transformer block: the places of its ten lines, the wires between them, and what each reads and
writes."""

from collections.abc import Mapping
from dataclasses import dataclass

LINES = 10
LAST = 2 * LINES
"""The last moment: line 1 in the backward pass"""

FIRST_FORK, FIRST_PLUS, SECOND_FORK, SECOND_PLUS = 1.0, 2.9, 4.75, 6.65
LOW, HIGH = 1.15, 2.35
"""Heights of boxes above the stream, whose height is 0"""

BOX, TALL = 1.66, 0.62
"""Width and height of a box"""

PLUS = 0.22
"""Radius of a plus sign"""

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Wire:
    """A wire that tensors travel: its ends, when they and their gradients first do, and its route, if it is one of two
    ("skip" or "branch")."""

    tensors: tuple[str, ...]
    points: Points
    forward: int
    """The moment at which tensors travel it"""
    back: int
    """The moment at which their gradients do"""
    route: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The simulation's names of the values checked on this wire."""
        return tuple(f"{name} {self.route}" if self.route else name for name in self.tensors)


@dataclass(frozen=True)
class Layout:
    """Boxes and signs by their line number, wires, and the right end of the drawing."""

    boxes: Mapping[int, tuple[float, float, float]]
    """Line → x, y and width"""
    pluses: Mapping[int, float]
    forks: Mapping[int, float]
    """The line at which two routes meet again in the backward pass → x"""
    wires: tuple[Wire, ...]
    end: float


def moment_back(line: int) -> int:
    """The moment of a line in the backward pass."""
    return LAST + 1 - line


def _wire(tensors: str, reader: int, points: Points, finished: int, route: str = "") -> Wire:
    """A wire into the line `reader`, whose gradients are written by the line `finished` in the backward pass."""
    return Wire(tuple(tensors.split()), points, reader, moment_back(finished), route)


def _pre() -> Layout:
    boxes: dict[int, tuple[float, float, float]] = {}
    wires: list[Wire] = []
    edge = TALL / 2
    for first, fork, plus, names in (
        (1, FIRST_FORK, FIRST_PLUS, ("x", "n1", "q k v", "a", "o")),
        (6, SECOND_FORK, SECOND_PLUS, ("r", "n2", "g u", "s", "m")),
    ):
        places = ((fork, LOW), (fork, HIGH), (plus, HIGH), (plus, LOW))
        boxes |= {first + at: (*place, BOX) for at, place in enumerate(places)}
        start, normed, wide, mixed, out = names
        wires += [
            _wire(start, first, ((fork, 0), (fork, LOW - edge)), first, "branch"),
            _wire(start, first + 4, ((fork, 0), (plus - PLUS, 0)), first + 4, "skip"),
            _wire(normed, first + 1, ((fork, LOW + edge), (fork, HIGH - edge)), first + 1),
            _wire(wide, first + 2, ((fork + BOX / 2, HIGH), (plus - BOX / 2, HIGH)), first + 2),
            _wire(mixed, first + 3, ((plus, HIGH - edge), (plus, LOW + edge)), first + 3),
            _wire(out, first + 4, ((plus, LOW - edge), (plus, PLUS)), first + 4),
        ]
    wires += [
        _wire("x", 1, ((0.1, 0), (FIRST_FORK, 0)), 1),
        _wire("r", 6, ((FIRST_PLUS + PLUS, 0), (SECOND_FORK, 0)), 6),
        Wire(("y",), ((SECOND_PLUS + PLUS, 0), (7.55, 0)), LINES, moment_back(LINES)),
    ]
    return Layout(boxes, {5: FIRST_PLUS, 10: SECOND_PLUS}, {1: FIRST_FORK, 6: SECOND_FORK}, tuple(wires), 7.65)


def _post() -> Layout:
    boxes: dict[int, tuple[float, float, float]] = {}
    wires: list[Wire] = []
    pluses: dict[int, float] = {}
    forks: dict[int, float] = {}
    edge, wide, side, norm = TALL / 2, 1.6, 0.3, 0.95
    for first, fork, names in ((1, 0.9, ("x", "q k v", "a", "o", "z1")), (6, 4.75, ("r", "g u", "s", "m", "z2"))):
        plus = fork + 1.7
        middle, after = (fork + plus) / 2, plus + 0.95
        boxes |= {first: (fork, LOW, wide), first + 1: (middle, HIGH, wide), first + 2: (plus, LOW, wide)}
        boxes[first + 4] = (after, 0, norm)
        pluses[first + 3], forks[first] = plus, fork
        start, parts, mixed, out, total = names
        wires += [
            _wire(start, first, ((fork, 0), (fork, LOW - edge)), first, "branch"),
            _wire(start, first + 3, ((fork, 0), (plus - PLUS, 0)), first + 3, "skip"),
            _wire(parts, first + 1, ((fork + side, LOW + edge), (fork + side, HIGH - edge)), first + 1),
            _wire(mixed, first + 2, ((plus - side, HIGH - edge), (plus - side, LOW + edge)), first + 2),
            _wire(out, first + 3, ((plus, LOW - edge), (plus, PLUS)), first + 3),
            _wire(total, first + 4, ((plus + PLUS, 0), (after - norm / 2, 0)), first + 4),
        ]
    last = boxes[LINES][0] + norm / 2
    wires += [
        _wire("x", 1, ((0.1, 0), (forks[1], 0)), 1),
        _wire("r", 6, ((boxes[5][0] + norm / 2, 0), (forks[6], 0)), 6),
        Wire(("y",), ((last, 0), (last + 0.5, 0)), LINES, moment_back(LINES)),
    ]
    return Layout(boxes, pluses, forks, tuple(wires), last + 0.6)


LAYOUTS: Mapping[str, Layout] = {"pre": _pre(), "post": _post()}

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


def words(arrangement: str, name: str, line: int, back: bool) -> str:
    """What happens at a moment, short enough for a phone."""
    layout = LAYOUTS[arrangement]
    if not back:
        return f"forward, line {line}: " + {"add": "add the branch to the stream"}.get(name, name)
    if line in layout.pluses:
        return f"back, line {line}: the plus sign copies"
    if line in layout.forks:
        return f"back, line {line}: two routes meet and add up"
    return f"back, line {line}: {name}"
