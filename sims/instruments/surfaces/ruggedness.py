"""How rugged a slice is. Shares do not change when the loss is multiplied by a constant; depths of valleys do."""

from dataclasses import dataclass

import numpy as np

DEEP = 0.1
"""A valley counts if it is deeper than this, in the unit of the slice. In nats, climbing out of it costs the right
answer a tenth of its probability, on average."""

SETTLED = 0.25
"""A slice counts as resolved if its ruggedness changes by less than this share when the grid becomes twice as fine."""

NOTHING = 0.02
"""Ruggedness below this counts as smooth; relative changes of such small numbers mean nothing."""


def excess_variation(values: np.ndarray) -> float:
    """How much more a slice (n, n) goes up and down than necessary: 0 if every grid line is a single valley.

    It is the total variation of all rows and columns, divided by the least that curves with the same ends and minima
    can have, minus 1. NaN if a value is not finite.
    """
    if not np.isfinite(values).all():
        return float("nan")
    walked = needed = 0.0
    for lines in (values, values.T):
        walked += float(np.abs(np.diff(lines, axis=1)).sum())
        needed += float((lines[:, 0] + lines[:, -1] - 2 * lines.min(axis=1)).sum())
    return walked / needed - 1 if needed > 0 else 0.0


def minima(values: np.ndarray, deeper: float = DEEP) -> int:
    """The number of valleys of a slice (n, n) with their bottom inside it and deeper than `deeper`, in its unit.

    The depth of a valley is the least climb from its bottom on a path to a lower one, over neighbors on all eight sides
    (its persistence); the lowest of all counts unless the slice is flat. The depth is absolute: one relative to the
    range of the slice would hide valleys exactly where its rim is high.
    """
    if not np.isfinite(values).all():
        return 0
    size = len(values)
    flat = values.reshape(-1)
    valley = np.full((size + 2) ** 2, -1)
    bottom: list[int] = []
    above: list[int] = []
    """For every valley, the one it has run into, itself at first"""
    counted = 0

    def root(number: int) -> int:
        while above[number] != number:
            above[number] = number = above[above[number]]
        return number

    around = [down * (size + 2) + right for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
    for point in np.argsort(flat, kind="stable").tolist():
        index = (point // size + 1) * (size + 2) + point % size + 1
        meeting = sorted({root(number) for number in valley[[index + step for step in around]].tolist() if number >= 0})
        if not meeting:
            meeting = [len(bottom)]
            above.append(len(bottom))
            bottom.append(point)
        valley[index] = meeting[0]
        for number in meeting[1:]:
            above[number] = meeting[0]
            counted += int(flat[point] - flat[bottom[number]] > deeper and _inside(bottom[number], size))
    return counted + int(flat.max() > flat.min() and _inside(bottom[0], size))


def _inside(point: int, size: int) -> bool:
    return 0 < point // size < size - 1 and 0 < point % size < size - 1


def bent_down(values: np.ndarray) -> float:
    """The share of inner points at which the second differences of a slice (n, n) show that it is not convex."""
    with np.errstate(invalid="ignore"):
        across = values[1:-1, 2:] - 2 * values[1:-1, 1:-1] + values[1:-1, :-2]
        along = values[2:, 1:-1] - 2 * values[1:-1, 1:-1] + values[:-2, 1:-1]
        mixed = (values[2:, 2:] - values[2:, :-2] - values[:-2, 2:] + values[:-2, :-2]) / 4
        lowest = (across + along) / 2 - np.sqrt(((across - along) / 2) ** 2 + mixed**2)
    return float((lowest < 0).mean())


@dataclass(frozen=True)
class Ruggedness:
    """The ruggedness measures of a slice."""

    excess: float
    """`excess_variation`"""
    minima: int
    """`minima` deeper than the requested depth (`DEEP` by default)"""
    bent_down: float
    lowest: float
    highest: float
    resolved: bool
    """Whether the grid is fine enough: the excess on a grid half as fine is nearly the same."""

    @property
    def range(self) -> float:
        """The highest value minus the lowest."""
        return self.highest - self.lowest


def ruggedness(values: np.ndarray, deeper: float = DEEP) -> Ruggedness:
    """Measure a slice (n, n) with n odd, or one on the coarsest grid, which counts as not resolved.

    Valleys count from a depth of `deeper`, in the unit of the slice.
    """
    excess = excess_variation(values)
    resolved = False
    if len(values) % 2:
        coarse = excess_variation(values[::2, ::2])
        resolved = bool(max(excess, coarse) < NOTHING or abs(excess - coarse) <= SETTLED * max(excess, coarse))
    lowest, highest = float(values.min()), float(values.max())
    return Ruggedness(excess, minima(values, deeper), bent_down(values), lowest, highest, resolved)
