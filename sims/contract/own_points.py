"""The reader's own points: a text that is short enough for a link, and the arrays that it encodes."""

import re

import numpy as np

from sims.contract.spelled import TextParameter

CLASSES = "abcd"
CELLS = 100
"""Number of possible positions of points along each side of the square."""

REACH = 2.0
"""The square extends from -REACH to REACH in both directions."""

MOST = 200
"""Points that a text may hold."""

POINT = re.compile(f"[{CLASSES}][0-9]{{4}}")
TEXT = re.compile(f"(?:{POINT.pattern}){{0,{MOST}}}")
LONGEST = 5 * MOST
"""Characters of the longest text."""


class Points(TextParameter):
    """A parameter that holds points as a text.

    A point is the letter of its class, a to d, and two digits each for its column and its row, counted from the lower
    left: `a0000` is in a corner, `b5050` in the middle. Nothing separates one point from the next.
    """

    longest = 2 * LONGEST

    def __init__(self, default: str = "", **options: object) -> None:
        super().__init__(default, regex=rf"\A{TEXT.pattern}\Z", **options)  # type: ignore[call-overload]

    def admitted(self, text: str) -> tuple[str, str]:
        points, left = admit(text)
        if left and not points:
            raise ValueError("no points stand here")
        return points, f"no points stand from “{left[:10]}” on" if left else ""

    def described(self) -> str:
        return f"up to {MOST} points, each a letter from a to d and four digits"


def admit(text: str) -> tuple[str, str]:
    """Return the points that the text begins with, at most MOST, and the rest that was left out ("" if nothing was)."""
    match = TEXT.match(text[: LONGEST + 1])
    points = match[0] if match else ""
    return points, text[len(points) :]


def parse(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return points (n, 2), in the middle of their cells, and classes (n,) from a text in the format of `Points`."""
    numbers = np.array(
        [(int(point[1:3]), int(point[3:5]), CLASSES.index(point[0])) for point in POINT.findall(text)], np.int64
    ).reshape(-1, 3)
    return ((numbers[:, :2] + 0.5) / CELLS * 2 - 1) * REACH, numbers[:, 2]


def cell(x: float, y: float) -> tuple[int, int] | None:
    """Return the column and row of a location; None outside the square."""
    if not (-REACH <= x < REACH and -REACH <= y < REACH):
        return None
    column, row = (min(int((coordinate / REACH + 1) / 2 * CELLS), CELLS - 1) for coordinate in (x, y))
    return column, row


def added(text: str, kind: str, x: float, y: float) -> str:
    """Return the text with one more point; the same text outside the square, or if there are MOST points already."""
    indices = cell(x, y)
    if indices is None or len(text) >= LONGEST:
        return text
    return f"{text}{kind}{indices[0]:02d}{indices[1]:02d}"


def erased(text: str, x: float, y: float, within: float) -> str:
    """Return the text without the point nearest to a location; the same text if none is as near as `within`."""
    points, _ = parse(text)
    distances = np.hypot(points[:, 0] - x, points[:, 1] - y)
    if not len(distances) or distances.min() > within:
        return text
    start = 5 * int(distances.argmin())
    return text[:start] + text[start + 5 :]
