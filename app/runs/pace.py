"""Chooses the number of steps per chunk, so that frames come evenly and workers spend their time on steps."""

import math
from dataclasses import dataclass

from sims.chunks.chunk import Chunk

LONGEST_CHUNK = 0.050
"""Target seconds of a chunk while there are few runs: a worker then rarely waits until the next frame is due. With
transfer and drawing added, this still gives more than ten frames a second."""

SHORTEST_CHUNK = 0.020
"""Shortest target, in seconds, for a chunk, however many runs there are."""

SHORTEST_RUN = 3.0
"""Minimum duration of a whole run in seconds: one that is over after two frames shows nothing."""

GROWTH = 8.0
"""The largest growth in steps from one chunk to the next: the first measurements cover only a few steps."""


@dataclass(frozen=True)
class Load:
    """Load of the workers: how many workers there are for how many runs, each of which gets one frame per `period`."""

    workers: int
    runs: int
    period: float

    @property
    def chunk_seconds(self) -> float:
        """Target duration of a chunk, so that every run gets its frame when it is its turn."""
        turn = self.workers * self.period / max(1, self.runs)
        return min(LONGEST_CHUNK, max(SHORTEST_CHUNK, turn))


class Pace:
    """Computes the steps of a run's next chunk from the worker's measurements of earlier ones."""

    def __init__(self) -> None:
        self._steps = 0
        self._step_seconds = 0.0
        self._overhead = 0.0

    def learn(self, steps: int, chunk: Chunk) -> None:
        """Update the estimates with the cost of a chunk of that many steps."""
        if steps > 0:
            self._steps = steps
            self._step_seconds = chunk.stepping / steps
            self._overhead = chunk.seconds - chunk.stepping

    def steps(self, load: Load, steps_in_all: int) -> float:
        """Steps for the next chunk at full speed, at least 1; the first chunk has one step.

        If a frame costs more than the target duration of a chunk, steps get as much time as the frame: at least half of
        a worker's time goes into training.
        """
        if not self.is_known:
            return 1.0
        return min(self._settled(load, steps_in_all), max(1.0, GROWTH * self._steps))

    @property
    def is_known(self) -> bool:
        """Whether a chunk has been measured."""
        return self._steps > 0

    def duration(self, load: Load, steps_in_all: int) -> float | None:
        """Estimate the seconds of a whole run at full speed from the chunks so far; None if there were none."""
        if not self.is_known:
            return None
        steps = self._settled(load, steps_in_all)
        return steps_in_all / steps * max(load.period, steps * self._step_seconds + self._overhead)

    def _settled(self, load: Load, steps_in_all: int) -> float:
        useful = max(load.chunk_seconds - self._overhead, self._overhead, 1e-6)
        affordable = useful / max(self._step_seconds, 1e-9)
        watchable = math.ceil(steps_in_all * load.period / SHORTEST_RUN)
        return max(1.0, min(affordable, watchable))
