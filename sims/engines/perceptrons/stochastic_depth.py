"""Stochastic depth: every training step leaves out some blocks at random (Huang et al. 1603.09382)."""

from dataclasses import dataclass, replace

import numpy as np

from sims.engines.perceptrons.engine import advance, evaluated, outputs, start
from sims.engines.perceptrons.layout import make_layout
from sims.engines.recipe import Recipe
from sims.engines.state import TrainingState

NEVER = 10**9
"""More steps than any run has, between the engine's own records: those would measure networks with missing blocks."""

STREAM = 2
"""Which stream of a seed's random numbers chooses the blocks; weights (0) and batches (1) have others."""


@dataclass(frozen=True)
class Thinned:
    """A run in which every step leaves out block l of L with probability l/L · (1 − `last`) (section 3, equation 4).

    `run` is an additive network of one-layer ReLU blocks without a norm after the layer. Its records and `now` are
    those of the whole network, in which every branch is scaled by its probability to stay (equation 5), at step 0 and
    every `every` steps.
    """

    run: TrainingState
    last: float
    every: int

    @property
    def survival(self) -> np.ndarray:
        """(blocks,) the probability that a block takes part in a step."""
        blocks = self.run.architecture.blocks
        return 1 - np.arange(1, blocks + 1) / blocks * (1 - self.last)

    def onward(self, steps: int) -> "Thinned":
        """Return the run after `steps` more steps; the same bits come out in chunks of any size."""
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
        # The engine has trained a copy in which the missing blocks are zero. Its update is added to all parameters.
        moved = replace(after, parameters=full + (after.parameters - thin))
        now = Thinned(moved, self.last, self.every)
        return now.looked() if step % self.every == 0 else now

    def looked(self) -> "Thinned":
        """Return the same run with a record of the whole network at this step."""
        whole = self.run.parameters.copy()
        for block, probability in enumerate(self.survival):
            self._scale(whole, block, float(probability))
        record = evaluated(replace(self.run, parameters=whole)).now
        return replace(self, run=replace(self.run, now=record, records=(*self.run.records, record)))

    def _scale(self, parameters: np.ndarray, block: int, factor: float) -> None:
        """Multiply a branch's output, by scaling its weights and biases: ReLU(a x) = a ReLU(x) for a ≥ 0."""
        data = self.run.source.load()
        layout = make_layout(self.run.architecture, data.features, outputs(self.run.recipe, data))
        layout.layers[block + 1].numbers(parameters)[:] *= factor


def thinned(state: TrainingState, last: float) -> Thinned:
    """Start a run with stochastic depth from a run at step 0; the last block stays with probability `last`.

    Raises ValueError for any network but an additive one of one-layer ReLU blocks without a norm after the layer, and
    for a probability that is not over 0 and up to 1.
    """
    a = state.architecture
    if (a.skip, a.unit, a.activation) != ("additive", "one-layer", "relu") or a.norm not in ("none", "pre-layer"):
        raise ValueError("stochastic depth leaves out additive one-layer ReLU blocks without a norm behind the layer")
    if not 0 < last <= 1:
        raise ValueError(f"{last} is not over 0 and up to 1")
    quiet: Recipe = replace(state.recipe, record_every=NEVER)
    run = replace(start(a, quiet, state.source, state.seeds, state.parameters.dtype.type), records=())
    return Thinned(run, last, state.recipe.record_every).looked()
