"""A run among others that are compared with it, and what its steps took."""

import time
from dataclasses import dataclass, replace
from typing import Self

from sims.engines.either import onward
from sims.engines.state import TrainingState


@dataclass(frozen=True)
class Contender:
    """One entrant's run."""

    run: TrainingState
    seconds: tuple[float, ...] = ()
    """Of each chunk: seconds of processor time per step of one seed. Measured, so it differs from run to run; nothing
    depends on it."""

    def onward(self, steps: int) -> Self:
        """The contender `steps` steps later. A chunk in which a seed stops says nothing about the time of a step."""
        if steps < 1:
            return self
        began = time.thread_time()
        run = onward(self.run, steps)
        seconds = (time.thread_time() - began) / steps / len(run.seeds)
        if any(run.overflows):
            return replace(self, run=run)
        return replace(self, run=run, seconds=(*self.seconds, seconds))

    @property
    def milliseconds(self) -> float | None:
        """Processor time per step of one seed, the least over the chunks: what else the machine does only adds to it.

        None where no chunk was measured.
        """
        return 1000 * min(self.seconds) if self.seconds else None
