"""The loss of a network at many points of a plane through its weights."""

from dataclasses import dataclass, replace

import numpy as np

from sims.engines.kernels.losses import CROSS_ENTROPY
from sims.engines.perceptrons import TrainingState
from sims.engines.perceptrons.engine import plan_of
from sims.engines.perceptrons.kernels.steps import evaluate
from sims.engines.perceptrons.plan import make_workspace

BLOCK = 8
"""Perturbed networks that are made at once, by one matrix product. Always as many: a product of another shape may round
differently, and a slice must not depend on how its computation was cut."""

SAMPLE = 256
"""Training points that a slice is evaluated on, at most: a multiple of what the compiled products take at once, which
is more than twice as fast as 300."""


class Judge:
    """The loss of one network at given weights: mean cross-entropy over the first `points` training points.

    Of the run (of one seed) the architecture and the data count, and the weights only if batch norm shall keep the
    statistics it has at `frozen_at` (P,) instead of taking those of every new network.
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
        """The loss (n,) at weights (n, P); infinity stands where a number left the finite range."""
        losses, errors = np.empty(len(parameters)), np.empty(0)
        rows = parameters.astype(self.dtype, order="C", copy=False)
        evaluate(self._plan, CROSS_ENTROPY, self._inputs, self._labels, rows, self._workspace, losses, errors)
        return np.where(np.isfinite(losses), losses, np.inf)


@dataclass(frozen=True)
class Plane:
    """θ + a·d₁ + b·d₂ for one network θ, as the rows of `basis` (3, P): θ, d₁, d₂."""

    run: TrainingState
    """A run of one seed: its architecture and data count, not its weights."""
    basis: np.ndarray
    frozen: bool = False
    """Whether batch norm keeps the statistics it has at θ, instead of taking those of the perturbed network."""

    def losses(self, coordinates: np.ndarray, points: int | None = SAMPLE) -> np.ndarray:
        """The loss (n,) at `coordinates` (n, 2) of a and b, as `Judge` finds it."""
        judge = Judge(self.run, points, self.basis[0] if self.frozen else None)
        basis = self.basis.astype(judge.dtype)
        blocks = -(-len(coordinates) // BLOCK)
        weights = np.ones((blocks * BLOCK, 3), judge.dtype)
        weights[: len(coordinates), 1:] = coordinates
        losses = [judge.losses(chunk @ basis) for chunk in np.split(weights, max(blocks, 1))]
        return np.concatenate(losses)[: len(coordinates)]


def of_seed(run: TrainingState, number: int = 0) -> TrainingState:
    """The run of one of its seeds alone, without its past."""
    return replace(
        run,
        seeds=run.seeds[number : number + 1],
        parameters=run.parameters[number : number + 1],
        records=(),
        overflows=run.overflows[number : number + 1],
    )
