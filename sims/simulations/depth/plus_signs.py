"""A deep network with a switch at every plus sign: what light and gradient meet in it, and whether it learns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS, band, reading, spread
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.number_list import NumberList
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, times_as_large
from sims.data.datasets import source
from sims.engines.perceptrons.weighted_stack import Answers, StackState, WeightedStack, advance, answers, start
from sims.instruments.networks.likeness import COMPARED
from sims.instruments.networks.weighted_passes import LIBRARY, SIGNALS, WeightedPasses, angle, weighted_passes
from sims.instruments.networks.wirings import in_words, missing, skips, wiring
from sims.instruments.training.looks import to_looks
from sims.kept import results

BLOCKS = (7, 14, 28)

STRENGTHS = {"0.1": 0.1, "a library’s default": LIBRARY, "0.5": 0.5, "1": 1.0, "1.5": 1.5}
"""Name → factor on branches that keep the size of what they read"""

LOOKS = 20
"""Looks at the networks in a whole run, besides the one before it"""

BATCH = 64


@dataclass(frozen=True)
class Looked:
    """A run, what its networks did to signals before it, and what they knew at every look."""

    run: StackState
    before: WeightedPasses
    steps: tuple[int, ...]
    known: tuple[Answers, ...]


class PlusSigns(Training):
    """A network with a switch at every plus sign

    A row of blocks lies across the picture, each under an arc, its skip connection; where a plus sign was taken out,
    the arc is a dotted line. Above the network, two lines run from left to right: two different images in the forward
    pass. Their thickness shows how large the stream is, and the gap between them shows how much the streams differ;
    where they meet, the network no longer tells images apart. Below the network, a line runs from right to left; its
    thickness shows how large the gradient is. Stream and gradient are measured before training. A bar at the bottom
    shows the share of training images that the network gets wrong now. The measures show all of this as curves, before
    training and now, along with the error and the loss.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"cut": ("", "1-28", "14", "1-14"), "strength": (LIBRARY, 1.0)}

    cut = NumberList(
        "", max(BLOCKS), label="Blocks without a plus sign", doc="blocks whose output replaces what they read"
    )
    strength = param.Selector(
        default=LIBRARY,
        objects=STRENGTHS,
        label="Strength of the branches",
        doc="how large the output of a block's branch is at first, relative to what it reads",
    )
    blocks = Stops(default=28, objects=list(BLOCKS), label="Blocks", doc="blocks of two layers each", precedence=1)
    norm = param.Boolean(
        False, label="Norm before the branches", doc="LayerNorm, and another one before the head", precedence=1
    )
    learning_rate = usual_parameters.learning_rate(0.001, [1e-4, 3e-4, 1e-3, 3e-3, 0.01], precedence=1)
    training_steps = usual_parameters.training_steps(400, [200, 400, 800, 1600])
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    @property
    def without(self) -> list[int]:
        """The blocks without a plus sign, counted from 1, in rising order."""
        return missing(self.cut, self.blocks)

    @property
    def guessing(self) -> float:
        """The error of a guess among the classes."""
        return 1 - 1 / source("digits").load().classes

    def untrained(self) -> StackState:
        """The networks before the first step."""
        stack = WeightedStack(skips(self.without, self.blocks), self.strength, self.norm)
        seeds = range(self.seed, self.seed + self.seeds)
        return start(stack, source("digits"), seeds, self.learning_rate, BATCH)

    def start(self) -> Looked:
        run = self.untrained()
        return Looked(run, _passes(run), (0,), (answers(run),))

    def advance(self, state: Looked, steps: int) -> Looked:
        end = min(state.run.step + steps, self.training_steps)
        for count, due in to_looks(state.run.step, end, self.training_steps // LOOKS):
            run = advance(state.run, count)
            state = replace(state, run=run)
            if due:
                state = replace(state, steps=(*state.steps, run.step), known=(*state.known, answers(run)))
        return state

    def frame(self, state: Looked) -> Frame:
        quantities = {"steps": Quantity(np.array(state.steps), "training step", "steps", ("look",))}
        for name, label in (("train_error", "training error"), ("test_error", "held-out error")):
            values = np.array([getattr(known, name) for known in state.known])
            quantities |= band(values, name, label, "share of wrong answers", "look")
        losses = np.array([known.train_loss for known in state.known])
        quantities |= band(losses, "train_loss", "training loss", "nats", "look")
        now = _passes(state.run) if state.run.step else state.before
        for time, passes in (("at start", state.before), ("now", now)):
            for name, values in passes.relative().items():
                label = f"{SIGNALS[name].label}, {time}, median of the seeds"
                quantities[f"{name} {time}"] = Quantity(
                    np.median(values, axis=0), label, SIGNALS[name].unit, ("place",)
                )
        results = {
            "plus_signs": self.blocks - len(self.without),
            "training_error": float(quantities["train_error"].values[-1]),
            "came": angle(float(quantities["likeness at start"].values[0])),
            "apart": angle(float(quantities["likeness at start"].values[-1])),
            "stream": float(quantities["stream at start"].values[-1]),
            "gradient": float(quantities["gradient at start"].values[0]),
        }
        lost = tuple(
            Divergence(
                int(step),
                f"loss from seed {seed}",
                "Its stream or its gradient left the range of single precision.",
                "Try weaker branches, a norm, or a lower learning rate.",
            )
            for seed, step in zip(state.run.seeds, state.run.lost, strict=True)
            if step
        )
        return Frame(quantities, results, state.run.step, self.training_steps, lost)

    def describe(self, frame: Frame) -> str:
        measured = f"{wiring(self.without, self.blocks)}: before training, {in_words(frame.results)}."
        error = spread(frame, "train_error", self.seeds)
        if not frame.step:
            return f"{measured} Untrained, the network gets {error} of the training images wrong."
        return f"{measured} After {frame.step} of {frame.steps} steps the training error is {error}."

    def disclosure(self) -> Disclosure:
        norm = "a LayerNorm before each branch and before the head" if self.norm else "no norm"
        return Disclosure(
            network=f"{self.blocks} blocks of Linear–ReLU–Linear without biases on a stream of 32 numbers, {norm}; a "
            f"linear stem and head. A block without a plus sign outputs its branch alone. Weights are normally "
            f"distributed; a branch's output is {times_as_large(self.strength)} as its input, on average. "
            f"Adam at a rate of {number(self.learning_rate)}, batches of {BATCH}.",
            data=f"{source('digits').load().sentence}. Signals are measured on {COMPARED} held-out images.",
            seeds=f"{self.seeds} (from {self.seed}); lines and numbers are their median.",
            cannot_show="Which images become alike, and which way a gradient points: sizes and angles are averages. "
            "Networks that fail at this learning rate may train at another.",
        )


def _passes(run: StackState) -> WeightedPasses:
    data = run.source.load()
    return weighted_passes(run, data.test_inputs[:COMPARED], data.test_labels[:COMPARED])


@calculation(long=True, readings=("what", "statistic"), absolute=0.1)
def outcome(
    cut: str, what: str = "train_error", statistic: str = "median", strength: float = LIBRARY, norm: bool = False
) -> Number:
    """A number at the end of a default run: "train_error" or "test_error", 0 to 1; over five seeds."""
    frame = results.finished(PlusSigns(cut=cut, strength=strength, norm=norm))
    return reading(frame, what, statistic)


@calculation(long=True, readings=("statistic",), tolerance=1e-3)
def reached(cut: str, statistic: str = "median", strength: float = LIBRARY, norm: bool = False) -> Number:
    """The gradient of the stream before the first of 28 blocks over that after the last, untrained; five seeds."""
    passes = _passes(PlusSigns(cut=cut, strength=strength, norm=norm).untrained())
    return STATISTICS[statistic](passes.relative()["gradient"][:, 0].tolist())
