"""A run that is compared with others, and the time that its steps take."""

import time
from dataclasses import dataclass, replace
from typing import Self

from sims.engines import dispatch
from sims.engines.state import TrainingState


@dataclass(frozen=True)
class Contender:
    """One entrant's run."""

    run: TrainingState
    seconds: tuple[float, ...] = ()
    """For each chunk, seconds of processor time per step of one seed. This is measured, so it differs from run to run;
    nothing else depends on it."""

    def onward(self, steps: int) -> Self:
        """Return the contender after `steps` more steps. A chunk in which a seed diverges is not timed, because that
        seed takes fewer steps."""
        if steps < 1:
            return self
        began = time.thread_time()
        run = dispatch.advance(self.run, steps)
        seconds = (time.thread_time() - began) / steps / len(run.seeds)
        if any(run.overflows):
            return replace(self, run=run)
        return replace(self, run=run, seconds=(*self.seconds, seconds))

    @property
    def milliseconds(self) -> float | None:
        """Processor time per step of one seed: the minimum over the chunks, since other load can only add to it.

        None if no chunk was measured.
        """
        return 1000 * min(self.seconds) if self.seconds else None
