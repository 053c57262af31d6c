"""Interactions: every skip with every norm, all trained at once, so that each effect is seen with its partner."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start, usual_unit
from sims.instruments.networks.watched_run import FITS
from sims.instruments.training.divergence import divergences
from sims.kept import results

SKIPS = {"none": "no skip", "additive": "additive", "rezero": "ReZero", "highway": "highway", "dense": "dense"}
NORMS = {"none": "no norm", "batch": "BatchNorm", "pre-layer": "Pre-LN", "post-layer": "Post-LN"}
"""Kind in `Architecture` → name on the page, in the order of rows and of columns"""

IMPOSSIBLE = {("dense", "post-layer"): "no sum to\nnormalize"}
"""Combination → why it does not exist"""

CURVE = 30
"""Points of a curve over a whole run."""

Cell = tuple[str, str]
Cells = Mapping[Cell, TrainingState]


class Interactions(Training):
    """Every skip with every norm

    A table of small pictures has a row for each kind of skip connection and a column for each norm. In each cell, a
    curve of the training loss falls or stays high while these networks train; above it is the number of seeds that
    fit. A cell is blue once all of them do, pale blue if some do, and orange if none does at the end. Below each column
    is the number of its cells in which all seeds fit.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 16, 32), "learning_rate": (3e-3, 0.01)}

    depth = param.Integer(32, bounds=(4, 64), step=4, label="Depth", doc="linear layers from input to output")
    learning_rate = usual_parameters.learning_rate(0.01, [3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1])
    initialization = usual_parameters.initialization("he", "default", "he", "xavier", "orthogonal", precedence=1)
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    training_steps = usual_parameters.training_steps(600, [300, 600, 1200])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def architecture(self, skip: Any, norm: Any) -> Architecture:
        """The network of a cell. Raises ValueError, with the reason, if the combination does not exist."""
        return Architecture(self.depth, skip=skip, norm=norm, unit=usual_unit(skip), initialization=self.initialization)

    def start(self) -> Cells:
        recipe = Recipe(self.optimizer, self.learning_rate, 64, record_every=self.training_steps // CURVE)
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        cells = {}
        for skip in SKIPS:
            for norm in NORMS:
                if (skip, norm) not in IMPOSSIBLE:
                    cells[skip, norm] = start(self.architecture(skip, norm), recipe, source("spirals"), seeds)
        return cells

    def advance(self, state: Cells, steps: int) -> Cells:
        left = self.training_steps - next(iter(state.values())).step
        return {cell: advance(run, min(steps, left)) for cell, run in state.items()}

    def frame(self, state: Cells) -> Frame:
        any_run = next(iter(state.values()))
        steps = np.array([record.step for record in any_run.records])
        losses = np.full((3, len(SKIPS), len(NORMS), len(steps)), np.nan)
        fits = np.full((len(SKIPS), len(NORMS)), -1)
        lost = np.zeros_like(fits)
        for row, skip in enumerate(SKIPS):
            for column, norm in enumerate(NORMS):
                run = state.get((skip, norm))
                if run is None:
                    continue
                values = np.stack([record.train_loss for record in run.records])
                losses[:, row, column] = np.median(values, axis=1), values.min(axis=1), values.max(axis=1)
                lost[row, column] = sum(overflow is not None for overflow in run.overflows)
                fits[row, column] = int((run.now.train_error <= FITS).sum())
        axes = ("skip", "norm", "record")
        quantities = {
            "steps": Quantity(steps, "training step", "steps", ("record",)),
            "loss": Quantity(losses[0], "training loss, median of the seeds", "nats", axes),
            "loss_low": Quantity(losses[1], "training loss, lowest seed", "nats", axes),
            "loss_high": Quantity(losses[2], "training loss, highest seed", "nats", axes),
            "fits": Quantity(fits, "seeds that fit, -1 where there is no such network", "seeds", axes[:2]),
            "lost": Quantity(lost, "seeds that overflowed", "seeds", axes[:2]),
        }
        whole = int((fits == self.seeds).sum())
        answers = {"whole": whole, "nothing": int((fits == 0).sum()), "networks": len(state)}
        return Frame(quantities, answers, any_run.step, self.training_steps, self._divergences(state))

    @staticmethod
    def _divergences(state: Cells) -> tuple[Divergence, ...]:
        return tuple(
            divergence
            for (skip, norm), run in state.items()
            for divergence in divergences(run, f"{SKIPS[skip]}, {NORMS[norm]}")
        )

    def describe(self, frame: Frame) -> str:
        if not frame.step:
            return f"None of the {frame.results['networks']} combinations of depth {self.depth} has been trained yet."
        when = f"After {frame.step} of {frame.steps} steps"
        text = f"{when} at depth {self.depth}, {frame.results['whole']} of {frame.results['networks']} combinations fit"
        text += " with every seed."
        rows = []
        for skip, counts in zip(SKIPS.values(), frame["fits"].tolist(), strict=True):
            whole = [norm for norm, count in zip(NORMS.values(), counts, strict=True) if count == self.seeds]
            if whole:
                rows.append(f"{skip} with {', '.join(whole)}")
        return f"{text} Those are: {'; '.join(rows)}." if rows else text

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Multilayer perceptrons, {self.depth} linear layers of width 32, one-layer blocks (dense: 8 "
            "features each) that begin with a ReLU; a highway block ends in one, as published. There is no dense "
            "network with Post-LN: it has no sum to normalize.",
            data=source("spirals").load().sentence + "; batches of 64.",
            seeds=f"{self.seeds} (from {self.seed}), the same for all; a line is their median, a band their whole "
            f"range. A seed fits if at most {FITS:.0%} of its training points are misclassified after "
            f"{self.training_steps} steps at learning rate {number(self.learning_rate)}, which is the same for all "
            "networks and not tuned.",
            cannot_show="Which combination is best: every cell has a rate that suits it, and this is one rate.",
        )


@calculation(long=True, readings=("skip", "norm"), absolute=1)
def fits(skip: str, norm: str, depth: int = 32, learning_rate: float = 0.01) -> int:
    """How many of three seeds fit at the end of a run of 600 steps."""
    frame = results.finished(Interactions(depth=depth, learning_rate=learning_rate))
    return int(frame["fits"][list(SKIPS).index(skip), list(NORMS).index(norm)])


@calculation(long=True, absolute=1)
def whole(depth: int = 32, learning_rate: float = 0.01) -> int:
    """How many of the 19 combinations fit with all three seeds."""
    return int(results.finished(Interactions(depth=depth, learning_rate=learning_rate)).results["whole"])


@calculation(long=True, readings=("besides",))
def most_without_skip(besides: str, depth: int = 32) -> int:
    """The most seeds, of three, that fit without a skip in any column other than `besides`."""
    return max(int(fits(skip="none", norm=norm, depth=depth)) for norm in NORMS if norm != besides)


@calculation
def networks() -> int:
    """The number of combinations."""
    return sum((skip, norm) not in IMPOSSIBLE for skip in SKIPS for norm in NORMS)
