"""How many steps go into one chunk, so that pictures come evenly and workers spend their time on steps."""

import math
from dataclasses import dataclass

from sims.chunks.chunk import Chunk

LONGEST_CHUNK = 0.050
"""Seconds a chunk should last while few runs are under way: a worker then hardly ever waits for the next picture to be
due, and with the way there and back, and the drawing, which come on top, it leaves more than ten a second."""

SHORTEST_CHUNK = 0.020
"""Seconds below which a chunk is not cut however many runs are under way."""

SHORTEST_RUN = 3.0
"""Seconds a whole run takes at least: one that is over after two pictures shows nothing."""

GROWTH = 8.0
"""The most by which a chunk has more steps than the one before: the first measurements are of few steps."""


@dataclass(frozen=True)
class Load:
    """How busy the workers are: how many there are for how many runs, each of which may have a picture per `period`."""

    workers: int
    runs: int
    period: float

    @property
    def chunk_seconds(self) -> float:
        """What a chunk should last, so that every run gets its picture when its turn has come."""
        turn = self.workers * self.period / max(1, self.runs)
        return min(LONGEST_CHUNK, max(SHORTEST_CHUNK, turn))


class Pace:
    """The steps of a run's next chunk, from what the worker measured in the last one."""

    def __init__(self) -> None:
        self._steps = 0
        self._step_seconds = 0.0
        self._overhead = 0.0

    def learn(self, steps: int, chunk: Chunk) -> None:
        """Take in what a chunk of that many steps has cost."""
        if steps > 0:
            self._steps = steps
            self._step_seconds = chunk.stepping / steps
            self._overhead = chunk.seconds - chunk.stepping

    def steps(self, load: Load, steps_in_all: int) -> float:
        """Steps for the next chunk at full speed, at least 1; the first chunk has one step.

        A picture that costs more than a chunk should last is given as much again for steps: at least half of a
        worker's time goes into training.
        """
        if not self._steps:
            return 1.0
        useful = max(load.chunk_seconds - self._overhead, self._overhead, 1e-6)
        affordable = useful / max(self._step_seconds, 1e-9)
        watchable = math.ceil(steps_in_all * load.period / SHORTEST_RUN)
        return max(1.0, min(affordable, GROWTH * self._steps, watchable))
