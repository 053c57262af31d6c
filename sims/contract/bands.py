"""Several seeds → a median and the range around it."""

import statistics
from collections.abc import Callable

import numpy as np

from sims.contract.frame import Frame, Quantity
from sims.contract.wording import percent

STATISTICS: dict[str, Callable[[list[float]], float]] = {"median": statistics.median, "lowest": min, "highest": max}
"""What a sentence may say of several seeds"""

ENDINGS = {"median": "", "lowest": "_low", "highest": "_high"}
"""Statistic → what the name of its quantity ends with, of the three that make a band"""


def band(values: np.ndarray, name: str, label: str, unit: str, axis: str) -> dict[str, Quantity]:
    """Median, lowest and highest over the seeds, which are the last dimension of `values`, shape (points, seeds).

    The three quantities are called `name`, `name_low` and `name_high`, each of shape (points,).
    """
    return {
        name: Quantity(np.median(values, axis=1), f"{label}, median of the seeds", unit, (axis,)),
        f"{name}_low": Quantity(values.min(axis=1), f"{label}, lowest seed", unit, (axis,)),
        f"{name}_high": Quantity(values.max(axis=1), f"{label}, highest seed", unit, (axis,)),
    }


def read(frame: Frame, name: str) -> list[np.ndarray]:
    """Median, lowest and highest of a band of a frame."""
    return [frame[name + ending] for ending in ENDINGS.values()]


def reading(frame: Frame, name: str, statistic: str, point: int = -1) -> float:
    """One number of a band, at its last point if not told otherwise. Raises KeyError for an unknown statistic."""
    return float(frame[name + ENDINGS[statistic]][point])


def spread(frame: Frame, name: str, seeds: int) -> str:
    """The last point of a band of shares, in words."""
    middle, low, high = (percent(float(values[-1])) for values in read(frame, name))
    return middle if seeds == 1 else f"{middle} ({low} to {high} over {seeds} seeds)"
