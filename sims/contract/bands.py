"""Reduces several seeds to a median and the range around it."""

import statistics
from collections.abc import Callable

import numpy as np

from sims.contract.frame import Frame, Quantity
from sims.contract.wording import percent

STATISTICS: dict[str, Callable[[list[float]], float]] = {"median": statistics.median, "lowest": min, "highest": max}
"""Name → statistic that a sentence may give for several seeds"""

ENDINGS = {"median": "", "lowest": "_low", "highest": "_high"}
"""Statistic → suffix of the name of its quantity, for the three quantities of a band"""


def band(values: np.ndarray, name: str, label: str, unit: str, axis: str) -> dict[str, Quantity]:
    """Return median, lowest and highest over the seeds, the last dimension of `values` (points, seeds).

    The three quantities are called `name`, `name_low` and `name_high`, each of shape (points,).
    """
    return {
        name: Quantity(np.median(values, axis=1), f"{label}, median of the seeds", unit, (axis,)),
        f"{name}_low": Quantity(values.min(axis=1), f"{label}, lowest seed", unit, (axis,)),
        f"{name}_high": Quantity(values.max(axis=1), f"{label}, highest seed", unit, (axis,)),
    }


def read(frame: Frame, name: str) -> list[np.ndarray]:
    """Return median, lowest and highest of a band of a frame."""
    return [frame[name + ending] for ending in ENDINGS.values()]


def reading(frame: Frame, name: str, statistic: str, point: int = -1) -> float:
    """Return one number of a band, by default at its last point. Raises KeyError for an unknown statistic."""
    return float(frame[name + ENDINGS[statistic]][point])


def spread(frame: Frame, name: str, seeds: int) -> str:
    """Return the last point of a band of shares, in words."""
    middle, low, high = (percent(float(values[-1])) for values in read(frame, name))
    if seeds == 1:
        return middle
    return f"{middle} (all {seeds} seeds)" if low == high else f"{middle} ({low} to {high} over {seeds} seeds)"
