"""The loss of a network at many points of a plane through its weights."""

from dataclasses import dataclass, replace

import numpy as np

from sims.training import State
from sims.training.engine import plan_of
from sims.training.kernels.losses import CROSS_ENTROPY
from sims.training.kernels.steps import evaluate
from sims.training.plan import workspace

BLOCK = 8
"""Perturbed networks that are made at once, by one matrix product. Always as many: a product of another shape may round
differently, and a slice must not depend on how its computation was cut."""

SAMPLE = 300
"""Training points that a slice is evaluated on, at most."""


@dataclass(frozen=True)
class Plane:
    """θ + a·d₁ + b·d₂ for one network θ, as the rows of `basis` (3, P): θ, d₁, d₂."""

    run: State
    """A run of one seed: its architecture and data count, not its weights."""
    basis: np.ndarray
    frozen: bool = False
    """Whether batch norm keeps the statistics it has at θ, instead of taking those of the perturbed network."""

    def parameters(self, coordinates: np.ndarray) -> np.ndarray:
        """The weights (n, P) at `coordinates` (n, 2) of a and b, in the precision of the run."""
        kind = self.run.parameters.dtype
        return _weights(coordinates, kind) @ self.basis.astype(kind)

    def losses(self, coordinates: np.ndarray, points: int | None = SAMPLE) -> np.ndarray:
        """The mean cross-entropy (n,) at `coordinates` (n, 2), over the first `points` training points.

        Infinity stands where a number left the finite range.
        """
        data, kind = self.run.source.load(), self.run.parameters.dtype
        inputs = np.array(data.train_inputs[:points].T, kind, order="C")
        labels = data.train_labels[:points]
        how = plan_of(self.run, data)
        work = workspace(how, len(labels), False, kind)
        unused = np.empty(BLOCK)
        basis = self.basis.astype(kind)
        if self.frozen:
            evaluate(how, CROSS_ENTROPY, inputs, labels, basis[:1], work, unused, unused)
            work = work._replace(frozen=True)
        found = np.empty(-(-len(coordinates) // BLOCK) * BLOCK)
        rows = np.zeros((len(found), 2))
        rows[: len(coordinates)] = coordinates
        weights = _weights(rows, kind)
        for first in range(0, len(found), BLOCK):
            perturbed = weights[first : first + BLOCK] @ basis
            evaluate(how, CROSS_ENTROPY, inputs, labels, perturbed, work, found[first : first + BLOCK], unused)
        found = found[: len(coordinates)]
        return np.where(np.isfinite(found), found, np.inf)


def _weights(coordinates: np.ndarray, kind: np.dtype) -> np.ndarray:
    """(n, 3): 1, a and b."""
    return np.concatenate([np.ones((len(coordinates), 1)), coordinates], axis=1).astype(kind)


def of_seed(run: State, number: int = 0) -> State:
    """The run of one of its seeds alone, without its past."""
    return replace(
        run, seeds=run.seeds[number : number + 1], parameters=run.parameters[number : number + 1], records=(),
        overflows=run.overflows[number : number + 1],
    )  # fmt: skip
