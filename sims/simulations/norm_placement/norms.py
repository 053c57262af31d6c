"""Where norms are placed, and the effect on the stream: its growth and the size of every update, before and after
training."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.placings import PLACINGS, setup
from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import blocks, number, times_as_large
from sims.data.datasets import source
from sims.instruments.training.placed_run import BATCH, LOOKED_AT, WIDTH, PlacedRun, advance, begin

LOOKS = 10
"""Looks at the networks in a whole run"""

SEEDS = range(10)
"""Seeds of the numbers of untrained networks in the prose"""

Runs = dict[str, PlacedRun]


class Norms(Training):
    """Where the norms are, and how the stream grows

    Seven lines run from the first block to the last, one for each placement: Pre-LN, LayerNorm Scaling, Peri-LN, a norm
    after the branch only, Post-LN, DeepNorm, and updates on a sphere. On the left is the mean square of the stream, on
    a logarithmic axis, with the chosen placement as a thick line and its law for untrained networks dotted; on the
    right is how large a branch is relative to what it is added to. The measures are the chosen placement before and
    after training, with all seeds, and the losses.
    """

    divisible = True
    restarts = ("variance", "depth", "learning_rate", "training_steps", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 16, 32), "variance": (0.5, 1.0, 2.0)}

    placing = param.Selector(
        default="peri",
        objects={entry.label: name for name, entry in PLACINGS.items()},
        label="Look closer at",
        doc="the placement with the thick lines; training is the same",
    )
    variance = Stops(
        default=2.0,
        objects=[0.25, 0.5, 1.0, 2.0, 4.0],
        label="Variance v of a branch",
        doc="mean square of an initial branch, for an input with a mean square of 1",
        precedence=1,
    )
    depth = Stops(default=32, objects=[8, 16, 32, 96], label="Blocks", doc="residual blocks of two layers")
    learning_rate = usual_parameters.learning_rate(0.001, [3e-4, 1e-3, 3e-3], precedence=1)
    training_steps = usual_parameters.training_steps(60, [20, 60, 100])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return {name: begin(setup(name, self.variance, self.depth, self.learning_rate, seeds)) for name in PLACINGS}

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // LOOKS
        return {name: advance(run, min(steps, self.training_steps - run.step), interval) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        runs = [state[name] for name in PLACINGS]
        laws = [[placing.law(self.variance, at) for at in range(self.depth + 1)] for placing in PLACINGS.values()]
        quantities = {
            "steps": Quantity(np.array(runs[0].steps), "training step", "steps", ("look",)),
            "law": Quantity(np.array(laws), "law for the mean square of the stream", "relative", ("placing", "place")),
        }
        losses = np.array([run.losses for run in runs])
        quantities |= _bands(losses, "loss", "training loss", "nats", "look")
        for when, words in (("start", "at the start"), ("now", "now")):
            looks = [getattr(run, when) for run in runs]
            streams, updates = (np.array([getattr(look, key).T for look in looks]) for key in ("stream", "update"))
            quantities |= _bands(streams, f"stream_{when}", f"mean square of the stream, {words}", "relative", "place")
            quantities |= _bands(updates, f"update_{when}", f"branch over what it joins, {words}", "relative", "block")
        answers: dict[str, float] = {}
        for at, name in enumerate(PLACINGS):
            answers[f"{name}_top"] = float(quantities["stream_now"].values[at, -1])
            answers[f"{name}_top_at_start"] = float(quantities["stream_start"].values[at, -1])
            answers[f"{name}_update"] = float(quantities["update_now"].values[at, -1])
            answers[f"{name}_loss"] = float(quantities["loss"].values[at, -1])
        diverged = [divergence for name, run in state.items() for divergence in _lost(name, run)]
        return Frame(quantities, answers, runs[0].step, self.training_steps, tuple(diverged))

    def describe(self, frame: Frame) -> str:
        at, chosen = list(PLACINGS).index(self.placing), PLACINGS[self.placing]
        start, now, law = (float(frame[name][at, -1]) for name in ("stream_start", "stream_now", "law"))
        first, last = (float(frame["update_now"][at, place]) for place in (0, -1))
        begun = (
            f"{chosen.label}, {chosen.formula}: before training the mean square of the stream goes from 1 to "
            f"{number(start, 2)} after {blocks(self.depth)}; the law says {number(law, 2)}."
        )
        if not all(map(np.isfinite, (now, first, last))):
            return f"{begun} After {frame.step} steps its numbers are no longer finite."
        sizes = f"The first branch is {times_as_large(first)} as what it joins, the last {number(last, 2)} times."
        if not frame.step:
            return f"{begun} {sizes}"
        return (
            f"{begun} After {frame.step} of {frame.steps} steps it is {number(now, 2)}, with a training loss of "
            f"{number(float(frame['loss'][at, -1]), 2)} nats. {sizes}"
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Stacks of {self.depth} Linear–ReLU–Linear blocks without biases, {WIDTH} wide; a linear stem "
            "with a norm, so that every stream begins with a mean square of 1, and a norm before the linear "
            "head. Norms have no gain or shift; on the sphere a vector α for each block is learned, starting at 1/L, "
            "and "
            f"weights are not normalized. Adam at {number(self.learning_rate)} without decay, batches of {BATCH}.",
            data=f"{source('digits').load().sentence}; sizes and losses are those of the first {LOOKED_AT} of its "
            "training images.",
            seeds=f"{self.seeds} (from {self.seed}), the same for all placements; lines are their median, bands their "
            "whole range.",
            cannot_show="QK-norm, since there is no attention; learned gains, with which a model may undo a norm; long "
            "training; and the learning rate that would suit each placement, so do not rank the losses.",
        )


def _bands(values: np.ndarray, name: str, label: str, unit: str, axis: str) -> dict[str, Quantity]:
    """Median, lowest and highest over the last dimension of values (placings, points, seeds)."""
    bands = {"": np.median(values, axis=2), "_low": values.min(axis=2), "_high": values.max(axis=2)}
    words = {"": "median of the seeds", "_low": "lowest seed", "_high": "highest seed"}
    return {
        name + ending: Quantity(curve, f"{label}, {words[ending]}", unit, ("placing", axis))
        for ending, curve in bands.items()
    }


def _lost(name: str, run: PlacedRun) -> list[Divergence]:
    """The first look at which a loss was not finite."""
    for step, losses in zip(run.steps, run.losses, strict=True):
        if not np.isfinite(losses).all():
            return [
                Divergence(
                    step,
                    f"loss with {PLACINGS[name].label}",
                    "Its stream or its gradient left the range of single precision.",
                    "Try fewer blocks or a lower learning rate.",
                )
            ]
    return []


@calculation
def law(placing: str, block: int = 32, variance: float = 2.0) -> Number:
    """The expected mean square of an untrained stream after a block, over random weights.

    `placing`: "pre", "scaled", "peri", "output", "post", "deep" or "sphere".
    """
    return float(PLACINGS[placing].law(variance, block))


@calculation(long=True, readings=("statistic",), tolerance=1e-3)
def untrained(
    placing: str, what: str = "stream", block: int = 32, variance: float = 2.0, statistic: str = "median"
) -> Number:
    """A measurement before training of stacks of `block` blocks, the "median", "lowest" or "highest" of ten seeds.

    `what`: "stream", its mean square after the last block, or "update", the size of the last branch over that of the
    stream it is added to.
    """
    start = begin(setup(placing, variance, block, 0.001, tuple(SEEDS))).start
    return STATISTICS[statistic](getattr(start, what)[:, -1].tolist())
