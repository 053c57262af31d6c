"""One cell of a map: a run of a few seeds at one depth and one learning rate, and its outcome."""

from dataclasses import dataclass
from typing import Any

import numpy as np

TRAINS, SLOW, STUCK, DIVERGED = "trains", "slow", "stuck", "diverged"
OUTCOMES = (TRAINS, SLOW, STUCK, DIVERGED)

OPEN = -1
"""Code of a cell whose outcome is not known yet"""


@dataclass(frozen=True)
class Outcome:
    """The training error, 0 to 1, median of the seeds (1 for a seed that diverged), and a word for the outcome."""

    error: float
    word: str


def outcome(run: Any, classes: int) -> Outcome:
    """Classify a run: "trains" below a tenth of the error of guessing, "stuck" above nine tenths of it, "diverged" if
    most seeds diverged, and "slow" in between."""
    lost = np.array([overflow is not None for overflow in run.overflows])
    error, guessing = float(np.median(np.where(lost, 1.0, run.now.train_error))), 1 - 1 / classes
    if lost.mean() > 0.5:
        return Outcome(error, DIVERGED)
    if error < 0.1 * guessing:
        return Outcome(error, TRAINS)
    return Outcome(error, SLOW if error < 0.9 * guessing else STUCK)


def code(word: str, ended: bool) -> int:
    """The code of an outcome, for an array. A run that goes on may still train, so "slow" and "stuck" are `OPEN` until
    it ends."""
    return OUTCOMES.index(word) if ended or word in (TRAINS, DIVERGED) else OPEN
