"""A contender of a race that is watched: with a small map of its answers at every record."""

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
    """One entrant's run, and the map of its middle seed at every record; no maps where the inputs are not a plane."""

    maps: tuple[np.ndarray, ...] = ()
    """Each (SIDE, SIDE), as `sims.instruments.networks.decision_map` makes them. Once the middle seed is across the
    finish line, the map stays as it was there."""

    def onward(self, steps: int) -> Self:
        """The racer `steps` steps later; drawing a map takes none of the time that is measured."""
        racer, last = self, self.run.step + steps
        while racer.run.step < last:
            interval = racer.run.recipe.record_every
            racer = super(Racer, racer).onward(min(interval - racer.run.step % interval, last - racer.run.step))
            if racer.run.step % interval == 0:
                racer = racer.watched()
        return racer

    def watched(self) -> Self:
        """With a map more, of now."""
        if self.run.source.load().features != 2:
            return self
        way = progress(np.stack([record.train_error for record in self.run.records]))
        if len(way) > 1 and np.median(way[-2]) == 1:
            return replace(self, maps=(*self.maps, self.maps[-1]))
        middle = int(np.argsort(way[-1], kind="stable")[way.shape[1] // 2])
        one = replace(self.run, seeds=(self.run.seeds[middle],), parameters=self.run.parameters[[middle]])
        return replace(self, maps=(*self.maps, decision_map(one, reach(one.source), SIDE)))


def entered(run: TrainingState) -> Racer:
    """A run that has not begun."""
    return Racer(run).watched()
