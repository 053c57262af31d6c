"""The loss of a network at many points of a plane through its weights."""

from dataclasses import dataclass, replace

import numpy as np

from sims.engines.kernels.losses import CROSS_ENTROPY
from sims.engines.perceptrons import TrainingState
from sims.engines.perceptrons.engine import plan_of
from sims.engines.perceptrons.kernels.steps import evaluate
from sims.engines.perceptrons.plan import make_workspace

BLOCK = 8
"""Perturbed networks that one matrix product makes. The number is fixed because a product of another shape may round
differently, and a slice must not depend on how its computation was split."""

SAMPLE = 256
"""The most training points on which a slice is evaluated: a multiple of what the compiled products process at once,
which is more than twice as fast as 300."""


class Judge:
    """The loss of one network at given weights: mean cross-entropy over the first `points` training points.

    The run (of one seed) provides the architecture and the data. With `frozen_at` (P,), batch norm keeps the statistics
    that it has at those weights; otherwise it uses those of each network that is evaluated.
    """

    def __init__(self, run: TrainingState, points: int | None = SAMPLE, frozen_at: np.ndarray | None = None) -> None:
        data = run.source.load()
        self.dtype = run.parameters.dtype
        self._inputs = np.array(data.train_inputs[:points].T, self.dtype, order="C")
        self._labels = data.train_labels[:points]
        self._plan = plan_of(run, data)
        self._workspace = make_workspace(self._plan, len(self._labels), False, self.dtype)
        if frozen_at is not None:
            self.losses(frozen_at[None])
            self._workspace = self._workspace._replace(frozen=True)

    def losses(self, parameters: np.ndarray) -> np.ndarray:
        """The loss (n,) at weights (n, P); infinity where a value overflowed."""
        losses, errors = np.empty(len(parameters)), np.empty(0)
        rows = parameters.astype(self.dtype, order="C", copy=False)
        evaluate(self._plan, CROSS_ENTROPY, self._inputs, self._labels, rows, self._workspace, losses, errors)
        return np.where(np.isfinite(losses), losses, np.inf)


@dataclass(frozen=True)
class Plane:
    """θ + a·d₁ + b·d₂ for one network θ, as the rows of `basis` (3, P): θ, d₁, d₂."""

    run: TrainingState
    """A run of one seed; only its architecture and data are used, not its weights."""
    basis: np.ndarray
    frozen: bool = False
    """Whether batch norm keeps its statistics at θ, instead of using those of the perturbed network."""

    def losses(self, coordinates: np.ndarray, points: int | None = SAMPLE) -> np.ndarray:
        """The loss (n,) at `coordinates` (n, 2) of a and b, as `Judge` computes it."""
        judge = Judge(self.run, points, self.basis[0] if self.frozen else None)
        basis = self.basis.astype(judge.dtype)
        blocks = -(-len(coordinates) // BLOCK)
        weights = np.ones((blocks * BLOCK, 3), judge.dtype)
        weights[: len(coordinates), 1:] = coordinates
        losses = [judge.losses(chunk @ basis) for chunk in np.split(weights, max(blocks, 1))]
        return np.concatenate(losses)[: len(coordinates)]


def of_seed(run: TrainingState, number: int = 0) -> TrainingState:
    """The run of a single seed, without its records."""
    return replace(
        run,
        seeds=run.seeds[number : number + 1],
        parameters=run.parameters[number : number + 1],
        records=(),
        overflows=run.overflows[number : number + 1],
    )
