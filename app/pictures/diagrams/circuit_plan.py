"""The layout of a block's circuit: the places of its numbers, the wires between them, and when each is used."""

import numpy as np

from app.pictures.base.timed import Curve

ROWS = (4.9, 1.6)
"""Heights of the two numbers in each column"""

INPUT, SUM, END, PLUS, OUTPUT = 0.7, 4.35, 6.0, 7.5, 9.3
"""Horizontal positions of the columns"""

LEAVES, JOINS = 0.5, 0.24
"""Distances from the center of a circle at which a skip leaves and arrives"""

ARC = (7.7, -1.2)
"""Heights of the control points for the arc of each row's skip"""

ALONG = 0.36
"""Where on its wire a weight is written, 0 to 1"""

ASIDE = (30, -30)
"""Pixels from the center of a circle down to its gradient, for each row: toward the other row, away from the skips"""

UNDER = 16
"""Pixels from a weight down to its gradient"""

SAID_AT = (5.3, -1.45)
"""Position of the text that says what happens"""

WEIGHTS = {"w11": (0, 0), "w12": (0, 1), "w21": (1, 0), "w22": (1, 1)}
"""Name → row and column of the matrix"""

LAST = 7

ACTIVE = {
    1: ("weights",),
    2: ("end",),
    3: ("join", "skip"),
    4: ("back",),
    5: ("join", "skip"),
    6: ("end", "weights"),
    7: ("weights", "skip"),
}
"""Moment → the wires on which numbers move; from `BACK` on they move to the left"""

BACK = 4

FIRST = {"weights": 1, "end": 2, "join": 3, "skip": 3, "back": 4}
"""Kind of wire → the moment it is first used"""

MEETS = (PLUS - END) / (OUTPUT - END)
"""Position of the plus sign on the wire from the branch to the output, 0 to 1"""

SAID = {
    "residual": (
        "0: the input",
        "1: weights multiply, rows add up",
        "2: the last operation acts",
        "3: the plus sign adds the input",
        "4: a gradient arrives at the end",
        "5: the plus sign copies it",
        "6: every weight gets its gradient",
        "7: both routes meet at the input",
    ),
    "plain": (
        "0: the input",
        "1: weights multiply, rows add up",
        "2: the last operation acts",
        "3: the branch is the output",
        "4: a gradient arrives at the end",
        "5: all of it enters the branch",
        "6: every weight gets its gradient",
        "7: it reaches the input",
    ),
}
"""Wiring → what happens at each moment, short enough for a phone"""

WIRES = (
    *(("weights", (INPUT, ROWS[j], SUM, ROWS[i]), (i, j)) for i in range(2) for j in range(2)),
    *(("end", (SUM, y, END, y), (i, i)) for i, y in enumerate(ROWS)),
    *(("join", (END, y, OUTPUT, y), (i, i)) for i, y in enumerate(ROWS)),
)
"""Kind of wire, its ends, and the row and column of the value it carries"""

ARRIVALS = tuple((OUTPUT, y, 10.0, y) for y in ROWS)
"""Wires on which the gradient of the loss arrives"""

BACKWARD = {"join": 5, "end": 6, "weights": 7}
"""Kind of wire → the moment at which a gradient travels on it"""

ARCS: tuple[Curve, ...] = tuple(
    (INPUT, y + side * LEAVES, PLUS, y + side * JOINS, INPUT + 0.2, pull, PLUS - 0.2, pull)
    for y, side, pull in zip(ROWS, (1, -1), ARC, strict=True)
)
"""The skip of each number"""

THERE = (1, 0, 0.33), (2, 0.33, 0.66), (3, 0.66, 0.66 + 0.34 / MEETS)
HOME = (5, 1 + 0.34 * (1 - MEETS) / MEETS, 0.66), (6, 0.66, 0.33), (7, 0.33, 0)
"""Moment, and the shares of a skip between which a number travels in it. It reaches its end, 1, when the number of the
branch passes the plus sign"""


def weight_place(name: str) -> tuple[float, float]:
    """Where in the figure a weight is written."""
    row, column = WEIGHTS[name]
    return INPUT + ALONG * (SUM - INPUT), ROWS[column] + ALONG * (ROWS[row] - ROWS[column])


def head(ends: tuple[float, ...], back: bool) -> tuple[float, float, float]:
    """Place and angle of the arrow head on a wire."""
    x0, y0, x1, y1 = ends
    along = 0.72
    return x0 + along * (x1 - x0), y0 + along * (y1 - y0), (np.pi / 2 if back else -np.pi / 2)


def arc_head(arc: tuple[float, ...], back: bool) -> tuple[float, float, float]:
    """Place and angle of the arrow head on a skip: at its middle, where it is level."""
    x0, y0, x1, _y1, cx0, cy0, cx1, cy1 = arc
    return (x0 + 3 * cx0 + 3 * cx1 + x1) / 8, (y0 + 3 * cy0 + 3 * cy1 + y0) / 8, (np.pi / 2 if back else -np.pi / 2)
