"""A run among others that are compared with it, and what its steps took."""

import time
from dataclasses import dataclass, replace

from sims.engines.either import onward
from sims.engines.state import TrainingState


@dataclass(frozen=True)
class Contender:
    """One entrant's run."""

    run: TrainingState
    seconds: tuple[float, ...] = ()
    """Of each chunk: seconds per step of one seed. Measured, so it differs from run to run; nothing depends on it."""

    def onward(self, steps: int) -> "Contender":
        """The contender `steps` steps later. A chunk in which a seed stops says nothing about the time of a step."""
        if steps < 1:
            return self
        began = time.perf_counter()
        run = onward(self.run, steps)
        taken = (time.perf_counter() - began) / steps / len(run.seeds)
        if any(run.overflows):
            return replace(self, run=run)
        return Contender(run, (*self.seconds, taken))
