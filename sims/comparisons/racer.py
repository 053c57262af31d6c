"""A contender in a race with spectators: it has a small map of its answers at every record."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from sims.comparisons.contender import Contender
from sims.comparisons.standings import progress
from sims.engines.state import TrainingState
from sims.instruments.networks.decision_map import decision_map
from sims.instruments.networks.watched_run import reach

SIDE = 24
"""Points along each side of a map"""


@dataclass(frozen=True)
class Racer(Contender):
    """One entrant's run, and the map of its middle seed at every record; no maps if the inputs are not in a plane."""

    maps: tuple[np.ndarray, ...] = ()
    """Each (SIDE, SIDE), from `sims.instruments.networks.decision_map`. Once the middle seed has crossed the finish
    line, the map does not change any more."""

    def onward(self, steps: int) -> Self:
        """Return the racer after `steps` more steps; the time for drawing maps is not measured."""
        racer, last = self, self.run.step + steps
        while racer.run.step < last:
            interval = racer.run.recipe.record_every
            racer = super(Racer, racer).onward(min(interval - racer.run.step % interval, last - racer.run.step))
            if racer.run.step % interval == 0:
                racer = racer.watched()
        return racer

    def watched(self) -> Self:
        """Return the racer with one more map, of its current state."""
        if self.run.source.load().features != 2:
            return self
        way = progress(np.stack([record.train_error for record in self.run.records]))
        # The middle seed had finished at the previous record already: keep its map.
        if len(way) > 1 and np.median(way[-2]) == 1:
            return replace(self, maps=(*self.maps, self.maps[-1]))
        middle = int(np.argsort(way[-1], kind="stable")[way.shape[1] // 2])
        one = replace(self.run, seeds=(self.run.seeds[middle],), parameters=self.run.parameters[[middle]])
        return replace(self, maps=(*self.maps, decision_map(one, reach(one.source), SIDE)))


def entered(run: TrainingState) -> Racer:
    """Return the racer for a run that has not started yet."""
    return Racer(run).watched()
