"""One cell of a map: a short run of one seed at one depth and one learning rate, and what became of it."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

TRAINS, SLOW, STUCK, DIVERGED = "trains", "slow", "stuck", "diverged"
OUTCOMES = (TRAINS, SLOW, STUCK, DIVERGED)

MEMORY = 4096
"""Cells that a worker remembers; a cell is a function of its key alone, so remembering changes nothing but the time."""

_known: OrderedDict[Any, "Outcome"] = OrderedDict()


@dataclass(frozen=True)
class Outcome:
    """The training error at the end, 0 to 1 (1 where the run diverged), and a word for it."""

    error: float
    word: str


def outcome(run: Any, classes: int) -> Outcome:
    """What became of a run of one seed that has ended: "trains" below a tenth of a guesser's error, "stuck" above nine
    tenths of it, "diverged" where it left the finite numbers, and "slow" between them."""
    if run.overflows[0] is not None:
        return Outcome(1.0, DIVERGED)
    error, guessing = float(run.now.train_error[0]), 1 - 1 / classes
    if error < 0.1 * guessing:
        return Outcome(error, TRAINS)
    return Outcome(error, SLOW if error < 0.9 * guessing else STUCK)


def remembered(key: Any) -> Outcome | None:
    """The outcome of a cell that this process has already trained."""
    return _known.get(key)


def remember(key: Any, outcome: Outcome) -> None:
    """Keep the outcome of a cell; the oldest one is forgotten where there are too many."""
    _known[key] = outcome
    while len(_known) > MEMORY:
        _known.popitem(last=False)


def code(word: str) -> int:
    """The number of an outcome, for an array."""
    return OUTCOMES.index(word)
