"""Stochastic depth: in every step some blocks are left out at random (Huang et al. 1603.09382)."""

from dataclasses import dataclass, replace

import numpy as np

from sims.engines.perceptrons.engine import advance, evaluated, outputs, start
from sims.engines.perceptrons.layout import make_layout
from sims.engines.recipe import Recipe
from sims.engines.state import TrainingState

NEVER = 10**9
"""Steps between the records of the engine, which would look at networks with blocks missing."""

STREAM = 2
"""Which stream of a seed's random numbers chooses the blocks; weights and batches have others."""


@dataclass(frozen=True)
class Thinned:
    """A run whose step leaves block l of L out with probability l/L · (1 − `last`) (section 3, equation 4).

    `run` is an additive network of one-layer ReLU blocks without a norm behind the layer. Its records and `now` are
    those of the whole network, in which every branch is scaled by its probability to stay (equation 5), at step 0 and
    every `every` steps.
    """

    run: TrainingState
    last: float
    every: int

    @property
    def survival(self) -> np.ndarray:
        """(blocks,) the probability of each block to take part in a step."""
        blocks = self.run.architecture.blocks
        return 1 - np.arange(1, blocks + 1) / blocks * (1 - self.last)

    def onward(self, steps: int) -> "Thinned":
        """This `steps` steps later; the same bits come out in chunks of any size."""
        state = self
        for _ in range(steps):
            state = state._step()
        return state

    def _step(self) -> "Thinned":
        full, step = self.run.parameters, self.run.step + 1
        thin = full.copy()
        for row, seed in enumerate(self.run.seeds):
            stays = np.random.default_rng((seed, STREAM, step)).random(len(self.survival)) < self.survival
            for block in np.flatnonzero(~stays):
                self._scale(thin[row : row + 1], int(block), 0.0)
        after = advance(replace(self.run, parameters=thin), 1)
        moved = replace(after, parameters=full + (after.parameters - thin))
        now = Thinned(moved, self.last, self.every)
        return now.looked() if step % self.every == 0 else now

    def looked(self) -> "Thinned":
        """The same with a record of the whole network at this step."""
        whole = self.run.parameters.copy()
        for block, probability in enumerate(self.survival):
            self._scale(whole, block, float(probability))
        record = evaluated(replace(self.run, parameters=whole)).now
        return replace(self, run=replace(self.run, now=record, records=(*self.run.records, record)))

    def _scale(self, parameters: np.ndarray, block: int, factor: float) -> None:
        """Multiply what a branch adds: a ReLU hands a factor of 0 or more through."""
        data = self.run.source.load()
        layout = make_layout(self.run.architecture, data.features, outputs(self.run.recipe, data))
        layout.layers[block + 1].numbers(parameters)[:] *= factor


def thinned(state: TrainingState, last: float) -> Thinned:
    """A run at step 0 as the start of one with stochastic depth, in which the last block stays with probability `last`.

    Raises ValueError for any but an additive network of one-layer ReLU blocks without a norm behind the layer, and for
    a probability outside 0 to 1.
    """
    a = state.architecture
    if (a.skip, a.unit, a.activation) != ("additive", "one-layer", "relu") or a.norm not in ("none", "pre-layer"):
        raise ValueError("stochastic depth leaves out additive one-layer ReLU blocks without a norm behind the layer")
    if not 0 < last <= 1:
        raise ValueError(f"{last} is not over 0 and up to 1")
    quiet: Recipe = replace(state.recipe, record_every=NEVER)
    run = replace(start(a, quiet, state.source, state.seeds, state.parameters.dtype.type), records=())
    return Thinned(run, last, state.recipe.record_every).looked()
