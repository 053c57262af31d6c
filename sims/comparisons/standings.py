"""Ranks the networks in a race by an explicit rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sims.engines.state import TrainingState

FINISH = 0.02
"""The finish line: a seed has crossed it at the first record with less than this share of wrong training answers."""

TOLD_APART = 0.9
"""Share of all pairings, a seed of one entrant against a seed of another, that one side must win so that the race tells
the two apart. With five seeds each that is 23 of 25, the limit of the rank-sum test of Mann and Whitney at 5%."""

RULE = (
    f"A seed finishes at the first record with under {FINISH:.0%} wrong answers on the training data. The "
    "network with more finished seeds ranks higher; in a tie, the one with the smaller median step; where no seed "
    "finishes, the one with the lower median loss. Going down that ranking, pair each seed of a network with "
    "each seed of the leader of the place above it: unless that leader wins "
    f"{TOLD_APART:.0%} of the pairings, the two share its place"
)


@dataclass(frozen=True)
class Score:
    """What an entrant has achieved so far."""

    finished: tuple[int, ...]
    """Steps at which its seeds crossed the finish line, in rising order; seeds that did not are left out"""
    losses: tuple[float, ...]
    """Current training loss of each seed: first those that finished, in their order, then the others in rising order;
    infinity for a seed that diverged"""

    @property
    def step(self) -> float:
        """Median step of the seeds that finished; infinity if none did."""
        return float(np.median(self.finished)) if self.finished else np.inf

    @property
    def loss(self) -> float:
        """Median loss."""
        return sorted(self.losses)[len(self.losses) // 2]

    @property
    def seeds(self) -> list[tuple[float, float]]:
        """Sort keys of the seeds, best first: those that finished by their step, then the others by their loss."""
        left = self.losses[len(self.finished) :]
        return [(float(step), 0.0) for step in self.finished] + [(np.inf, loss) for loss in left]

    @property
    def key(self) -> tuple[float, float, float]:
        """Sort key of the entrant; the best is the smallest."""
        return -len(self.finished), self.step, self.loss

    def beats(self, other: "Score") -> bool:
        """Whether its seeds show that it is better than the other entrant."""
        won = sum(mine < yours for mine in self.seeds for yours in other.seeds)
        return won >= TOLD_APART * len(self.seeds) * len(other.seeds)


def score(steps: Sequence[int], errors: np.ndarray, losses: np.ndarray) -> Score:
    """Return the score from training errors of all records (records, seeds) at `steps`, and current losses (seeds,)."""
    across = errors < FINISH
    loss = np.where(np.isfinite(losses), losses, np.inf).tolist()
    home = sorted((steps[int(below.argmax())], now) for below, now in zip(across.T, loss, strict=True) if below.any())
    left = sorted(now for below, now in zip(across.T, loss, strict=True) if not below.any())
    return Score(tuple(step for step, _now in home), (*(now for _step, now in home), *left))


def progress(errors: np.ndarray) -> np.ndarray:
    """Return the progress of every seed for training errors (records, seeds): its share of right answers, and 1 from
    the record at which it crosses the finish line."""
    across: np.ndarray = np.logical_or.accumulate(errors < FINISH, axis=0)
    return np.where(across, 1.0, 1 - errors)


def places(scores: Mapping[str, Score]) -> dict[str, int]:
    """Return name → place from 1. An entrant that the first one of a place does not beat shares that place; the places
    after it are then skipped, as in sports."""
    order = sorted(scores, key=lambda name: scores[name].key)
    ranks: dict[str, int] = {}
    leader = ""
    for number, name in enumerate(order, 1):
        if leader and not scores[leader].beats(scores[name]):
            ranks[name] = ranks[leader]
        else:
            ranks[name], leader = number, name
    return ranks


def score_of(run: TrainingState) -> Score:
    """Return the score of a run's seeds so far."""
    losses = np.array(run.now.train_loss)
    losses[[overflow is not None for overflow in run.overflows]] = np.inf
    return score(
        [record.step for record in run.records], np.stack([record.train_error for record in run.records]), losses
    )
