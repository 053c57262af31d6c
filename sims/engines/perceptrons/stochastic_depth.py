"""Stochastic depth: every training step leaves out some blocks at random (Huang et al. 1603.09382)."""

from dataclasses import dataclass, replace

import numpy as np

from sims.engines.perceptrons.engine import advance, evaluated, outputs, start, start_from
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

    `run` is an additive network, kept as a ReZero network whose factors are 1. Its records and `now` are those of the
    whole network, in which every branch is scaled by its probability to stay (equation 5), at step 0 and every `every`
    steps.
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
        step = self.run.step + 1
        stays = [
            np.random.default_rng((seed, STREAM, step)).random(len(self.survival)) < self.survival
            for seed in self.run.seeds
        ]
        # With the factor 0, a branch adds nothing and gets no gradient. What the step does to the factors is dropped.
        after = advance(self._with_factors(np.stack(stays)), 1)
        now = Thinned(Thinned(after, self.last, self.every)._with_factors(np.ones(1)), self.last, self.every)
        return now.looked() if step % self.every == 0 else now

    def looked(self) -> "Thinned":
        """Return the same run with a record of the whole network at this step."""
        record = evaluated(self._with_factors(self.survival)).now
        return replace(self, run=replace(self.run, now=record, records=(*self.run.records, record)))

    def _with_factors(self, factors: np.ndarray) -> TrainingState:
        """Return the run with these factors of its branches, (seeds, blocks) or (blocks,) or (1,)."""
        data, parameters = self.run.source.load(), self.run.parameters.copy()
        layout = make_layout(self.run.architecture, data.features, outputs(self.run.recipe, data))
        parameters[:, layout.factors :] = factors
        return replace(self.run, parameters=parameters)


def thinned(state: TrainingState, last: float) -> Thinned:
    """Start a run with stochastic depth from a run at step 0; the last block stays with probability `last`.

    Raises ValueError for any network but an additive one without a factor on its branches and without batch norm, and
    for a probability that is not over 0 and up to 1.
    """
    a = state.architecture
    if a.skip != "additive" or a.branch_factor != "1" or a.scaled_skip != 1 or a.norm == "batch":
        raise ValueError("stochastic depth leaves out blocks of an additive network without factors and batch norm")
    if not 0 < last <= 1:
        raise ValueError(f"{last} is not over 0 and up to 1")
    quiet: Recipe = replace(state.recipe, record_every=NEVER)
    begun = start(a, quiet, state.source, state.seeds, state.parameters.dtype.type)
    factors = np.ones((len(state.seeds), a.blocks), begun.parameters.dtype)
    parameters = np.concatenate([begun.parameters, factors], axis=1)
    run = start_from(parameters, replace(a, skip="rezero"), quiet, state.source, state.seeds)
    return Thinned(replace(run, records=()), last, state.recipe.record_every).looked()
