"""One cell of a map: a run of a few seeds at one depth and one learning rate, and what has become of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

TRAINS, SLOW, STUCK, DIVERGED = "trains", "slow", "stuck", "diverged"
OUTCOMES = (TRAINS, SLOW, STUCK, DIVERGED)

OPEN = -1
"""Code of a cell of which nothing can be said yet"""


@dataclass(frozen=True)
class Outcome:
    """The training error, 0 to 1, median of the seeds (1 for a seed that diverged), and a word for it."""

    error: float
    word: str


def outcome(run: Any, classes: int) -> Outcome:
    """What has become of a run: "trains" below a tenth of a guesser's error, "stuck" above nine tenths of it,
    "diverged" where most seeds left the finite numbers, and "slow" between them."""
    lost = np.array([overflow is not None for overflow in run.overflows])
    error, guessing = float(np.median(np.where(lost, 1.0, run.now.train_error))), 1 - 1 / classes
    if lost.mean() > 0.5:
        return Outcome(error, DIVERGED)
    if error < 0.1 * guessing:
        return Outcome(error, TRAINS)
    return Outcome(error, SLOW if error < 0.9 * guessing else STUCK)


def code(word: str, ended: bool) -> int:
    """The number of an outcome, for an array: a run that goes on may still train, so that it is open until then."""
    return OUTCOMES.index(word) if ended or word in (TRAINS, DIVERGED) else OPEN
