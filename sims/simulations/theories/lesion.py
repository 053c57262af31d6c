"""Lesion: train, switch off one block, and evaluate; then several at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.entrants import BATCH, ENTRANTS, WIDTH
from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines import perceptrons
from sims.engines.perceptrons import Architecture, Recipe, TrainingState
from sims.instruments.networks.removed_blocks import errors_without
from sims.instruments.training.divergence import divergences
from sims.instruments.training.looks import to_looks
from sims.kept import results

PATIENTS = ("plain", "residual", "rezero", "highway", "dense", "residual_pre")
HURTS = 0.1
"""A block's removal hurts a network if it raises the training error by at least this share of the points."""

LOOKS = 10
"""Looks at the networks in a whole run."""


@dataclass(frozen=True)
class Ward:
    """The runs, and their errors without blocks at the last look."""

    runs: Mapping[str, TrainingState]
    step: int
    """Step of the last look."""
    one: Mapping[str, np.ndarray]
    """(blocks, seeds) training error without each block."""
    several: Mapping[str, np.ndarray]
    """(choices, seeds) training error with more and more blocks switched off."""


def how_many(blocks: int) -> list[int]:
    """The numbers of blocks to switch off together: none, then doubling, up to all of them."""
    doubling = [2**power for power in range(blocks.bit_length()) if 2**power < blocks]
    return [0, *doubling, blocks]


class Lesion(Training):
    """Switch off a block and test the network again

    Six networks train. Each has a row of blocks, and a block is filled in proportion to the training points that go
    wrong when it alone is switched off. One block is knocked out of every row; next to the rows are the errors with and
    without it. Further pictures show the error without each block, and without more and more blocks chosen at random.
    """

    restarts = ("depth", "task", "learning_rate", "initialization", "training_steps", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 16, 32)}

    depth = param.Integer(16, bounds=(4, 64), step=4, label="Depth", doc="blocks of every network")
    task = param.Selector(
        default="spirals",
        objects={"Spirals": "spirals", "Handwritten digits": "digits"},
        label="Task",
        doc="what everybody learns",
        precedence=1,
    )
    block = param.Integer(
        8, bounds=(0, 64), label="Block knocked out (0: none)", doc="the block that is switched off in every network"
    )
    learning_rate = usual_parameters.learning_rate(0.001, [3e-4, 1e-3, 3e-3, 0.01], precedence=1)
    initialization = usual_parameters.initialization("he", "default", "he", "xavier", precedence=1)
    training_steps = usual_parameters.training_steps(600, [300, 600, 1200])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Ward:
        recipe = Recipe("adam", self.learning_rate, BATCH[self.task], record_every=self.training_steps // LOOKS)
        seeds, data = tuple(range(self.seed, self.seed + self.seeds)), source(self.task)
        return self._look({name: perceptrons.start(self.architecture(name), recipe, data, seeds) for name in PATIENTS})

    def architecture(self, name: str) -> Architecture:
        """The network of that name."""
        choices = dict(ENTRANTS[name].choices)
        return Architecture(self.depth + 2, WIDTH, initialization=self.initialization, **choices)

    def advance(self, state: Ward, steps: int) -> Ward:
        step = next(iter(state.runs.values())).step
        for count, due in to_looks(step, min(step + steps, self.training_steps), self.training_steps // LOOKS):
            runs = {name: perceptrons.advance(run, count) for name, run in state.runs.items()}
            state = self._look(runs) if due else replace(state, runs=runs)
        return state

    @property
    def order(self) -> np.ndarray:
        """The blocks in the order in which they are switched off together, counted from 0."""
        return np.random.default_rng(self.seed).permutation(self.depth)

    def _look(self, runs: Mapping[str, TrainingState]) -> Ward:
        single = [[block] for block in range(self.depth)]
        several = [self.order[:number] for number in how_many(self.depth)]
        return Ward(
            runs,
            next(iter(runs.values())).step,
            {name: errors_without(run, single) for name, run in runs.items()},
            {name: errors_without(run, several) for name, run in runs.items()},
        )

    def frame(self, state: Ward) -> Frame:
        numbers = how_many(self.depth)
        quantities = {
            "blocks": Quantity(np.arange(1, self.depth + 1), "block switched off", "number", ("block",)),
            "numbers": Quantity(np.array(numbers), "blocks switched off together", "blocks", ("choice",)),
            "order": Quantity(self.order + 1, "order in which they are switched off", "number", ("block",)),
        }
        answers: dict[str, float] = {"looked_at_step": state.step}
        for name in PATIENTS:
            one, several, unit = state.one[name], state.several[name], "share of wrong answers"
            label = f"{ENTRANTS[name].title}: training error without"
            quantities |= band(one, f"{name}_one", f"{label} that block", unit, "block")
            quantities |= band(several, f"{name}_several", f"{label} them", unit, "choice")
            answers[f"{name}_whole"] = float(np.median(several[0]))
            answers[f"{name}_typical"] = float(np.median(one))
            answers[f"{name}_worst"] = float(np.median(one.max(axis=0)))
        any_run = state.runs[PATIENTS[0]]
        lost = tuple(
            divergence for name, run in state.runs.items() for divergence in divergences(run, ENTRANTS[name].title)
        )
        return Frame(quantities, answers, any_run.step, self.training_steps, lost)

    def describe(self, frame: Frame) -> str:
        looked = int(frame.results["looked_at_step"])
        if not looked:
            return f"Before the first step none of {len(PATIENTS)} networks knows anything, with or without a block."
        out = self.block if 1 <= self.block <= len(frame["blocks"]) else 0
        hurt, fine = [], []
        for name in PATIENTS:
            whole = float(frame.results[f"{name}_whole"])
            without = float(frame[f"{name}_one"][out - 1]) if out else float(frame.results[f"{name}_typical"])
            (hurt if without - whole >= HURTS else fine).append(ENTRANTS[name].title.replace(", ", " with "))
        which = f"block {out}" if out else "a typical block"
        return (
            f"After {looked} of {frame.steps} steps, without {which} at least a tenth more of the training points "
            f"go wrong for {_listed(hurt)}, but not for {_listed(fine)}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Multilayer perceptrons of width {WIDTH} with {self.depth} one-layer blocks, no norm except in "
            "the Pre-LN one. A block begins with its ReLU; a highway block, as published, ends with it. "
            "Switched off means that the branch adds nothing (additive, ReZero, highway), that it appends zeros "
            "(dense), or that the layer is the identity (plain). Nothing is retrained afterward.",
            data=source(self.task).load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}); a line is their median, a band their whole range; Adam at "
            f"{number(self.learning_rate)} for all. "
            "Which blocks are switched off together is chosen once, from the first seed.",
            cannot_show="What a network trained without the block would do. And if a network can do without a block, "
            "that does not prove that the block has learned nothing.",
        )


def _listed(names: list[str]) -> str:
    """The names as "a, b and c", or "nobody"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]])) or "nobody"


@calculation(long=True, readings=("entrant", "without"), absolute=0.05)
def error(entrant: str, without: str, depth: int = 16) -> float:
    """Training error, 0 to 1, median of 3 seeds, with a block switched off: "nothing", "a typical block" or "the worst
    block"."""
    key = {"nothing": "whole", "a typical block": "typical", "the worst block": "worst"}[without]
    return float(results.finished(Lesion(depth=depth)).results[f"{entrant}_{key}"])
