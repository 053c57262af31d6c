"""How rugged a slice is: numbers that do not change when the loss is multiplied by a constant, or shifted."""

from dataclasses import dataclass

import numpy as np

DEEP = 1e-3
"""A minimum counts if it lies below all its neighbors by this share of the slice's whole range."""

SETTLED = 0.25
"""A slice counts as resolved if its ruggedness changes by less than this share when the grid gets twice as fine."""

NOTHING = 0.02
"""Ruggedness below this is smooth at any rate; shares of such small numbers say nothing."""


def excess_variation(values: np.ndarray) -> float:
    """How much more a slice (n, n) goes up and down than it must: 0 where every grid line is a single valley.

    The total variation of all rows and columns, over the least that curves with their ends and their minima can have,
    less 1. NaN where a value is not finite.
    """
    if not np.isfinite(values).all():
        return float("nan")
    walked = needed = 0.0
    for lines in (values, values.T):
        walked += float(np.abs(np.diff(lines, axis=1)).sum())
        needed += float((lines[:, 0] + lines[:, -1] - 2 * lines.min(axis=1)).sum())
    return walked / needed - 1 if needed > 0 else 0.0


def minima(values: np.ndarray) -> int:
    """How many inner points of a slice (n, n) lie below all eight neighbors, by a thousandth of the range."""
    inner = values[1:-1, 1:-1]
    around = [
        values[1 + down : len(values) - 1 + down, 1 + right : len(values) - 1 + right]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down, right) != (0, 0)
    ]
    least = np.min(around, axis=0)
    with np.errstate(invalid="ignore"):
        return int((least - inner > DEEP * (values.max() - values.min())).sum())


def bent_down(values: np.ndarray) -> float:
    """The share of inner points where the second differences of a slice (n, n) are not those of a convex surface."""
    with np.errstate(invalid="ignore"):
        across = values[1:-1, 2:] - 2 * values[1:-1, 1:-1] + values[1:-1, :-2]
        along = values[2:, 1:-1] - 2 * values[1:-1, 1:-1] + values[:-2, 1:-1]
        mixed = (values[2:, 2:] - values[2:, :-2] - values[:-2, 2:] + values[:-2, :-2]) / 4
        lowest = (across + along) / 2 - np.sqrt(((across - along) / 2) ** 2 + mixed**2)
    return float((lowest < 0).mean())


@dataclass(frozen=True)
class Ruggedness:
    """What is said of a slice."""

    excess: float
    """`excess_variation`"""
    minima: int
    bent_down: float
    lowest: float
    highest: float
    resolved: bool
    """Whether the grid is fine enough: the excess on the grid half as fine is nearly the same."""

    @property
    def range(self) -> float:
        return self.highest - self.lowest


def ruggedness(values: np.ndarray) -> Ruggedness:
    """The numbers of a slice (n, n) with n odd, or of the coarsest one, which counts as not resolved."""
    excess = excess_variation(values)
    resolved = False
    if len(values) % 2:
        coarse = excess_variation(values[::2, ::2])
        resolved = bool(max(excess, coarse) < NOTHING or abs(excess - coarse) <= SETTLED * max(excess, coarse))
    return Ruggedness(
        excess, minima(values), bent_down(values), float(values.min()), float(values.max()), resolved
    )  # fmt: skip
