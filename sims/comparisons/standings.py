"""Who is ahead in a race of networks, by a rule that is stated and computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sims.engines.state import TrainingState

FINISH = 0.02
"""The finish line: a seed has crossed it at the first record with less than this share of wrong training answers."""

RULE = (
    f"A seed finishes at the first record with under {FINISH:.0%} wrong answers on the training data. More finished "
    "seeds rank higher; with equally many, the smaller median step does; where no seed finishes, the lower median "
    "loss. Those whose seeds overlap with the leader's of a place in that measure share it"
)


@dataclass(frozen=True)
class Score:
    """What an entrant has reached so far."""

    seeds: int
    finished: tuple[int, ...]
    """Steps at which its seeds crossed the finish line, in rising order; seeds that did not are left out"""
    losses: tuple[float, ...]
    """Training loss of each seed now, in rising order; infinity for one that left the finite numbers"""

    @property
    def step(self) -> float:
        """Median step of the seeds that finished; infinity where none did."""
        return float(np.median(self.finished)) if self.finished else np.inf

    @property
    def loss(self) -> float:
        """Median loss."""
        return self.losses[len(self.losses) // 2]

    @property
    def key(self) -> tuple[float, float, float]:
        """What entrants are sorted by, best first."""
        return -len(self.finished), self.step, self.loss

    def ties_with(self, other: "Score") -> bool:
        """Whether their seeds do not tell the two apart."""
        if len(self.finished) != len(other.finished):
            return False
        mine, yours = (each.finished or each.losses for each in (self, other))
        return mine[0] <= yours[-1] and yours[0] <= mine[-1]


def score(steps: Sequence[int], errors: np.ndarray, losses: np.ndarray) -> Score:
    """The score from training errors of all records (records, seeds), taken at `steps`, and the losses now (seeds,)."""
    across = errors < FINISH
    finished = [steps[int(column.argmax())] for column in across.T if column.any()]
    loss = np.where(np.isfinite(losses), losses, np.inf)
    return Score(errors.shape[1], tuple(sorted(finished)), tuple(sorted(loss.tolist())))


def progress(errors: np.ndarray) -> np.ndarray:
    """How far every seed has come, for training errors (records, seeds): its share of right answers, and 1 from the
    record on at which it has crossed the finish line."""
    across: np.ndarray = np.logical_or.accumulate(errors < FINISH, axis=0)
    return np.where(across, 1.0, 1 - errors)


def places(scores: Mapping[str, Score]) -> dict[str, int]:
    """Name → place from 1, best first; those that tie with the first of a place share it, and the next is left out."""
    order = sorted(scores, key=lambda name: scores[name].key)
    found: dict[str, int] = {}
    leader = ""
    for number, name in enumerate(order, 1):
        if leader and scores[name].ties_with(scores[leader]):
            found[name] = found[leader]
        else:
            found[name], leader = number, name
    return found


def score_of(run: TrainingState) -> Score:
    """The score of a run's seeds so far."""
    losses = np.array(run.now.train_loss)
    losses[[overflow is not None for overflow in run.overflows]] = np.inf
    return score([each.step for each in run.records], np.stack([each.train_error for each in run.records]), losses)
