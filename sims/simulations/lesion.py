"""Lesion: train, switch one block off, look; then several at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import param

from sims.comparisons.entrants import BATCH, ENTRANTS, WIDTH
from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Honesty, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines import perceptrons
from sims.engines.perceptrons import Architecture, Recipe, TrainingState
from sims.instruments.divergence import divergences
from sims.instruments.removed_blocks import errors_without
from sims.kept import results

PATIENTS = ("plain", "residual", "rezero", "highway", "dense", "residual_pre")
LOOKS = 10
"""Looks at the networks in a whole run."""


@dataclass(frozen=True)
class Ward:
    """The runs, and how they did without blocks at the last look."""

    runs: Mapping[str, TrainingState]
    step: int
    """Of the last look."""
    one: Mapping[str, np.ndarray]
    """(blocks, seeds) training error without each block."""
    several: Mapping[str, np.ndarray]
    """(choices, seeds) training error without growing numbers of blocks."""


def how_many(blocks: int) -> list[int]:
    """Numbers of blocks that are switched off together: none, then doubling, up to all of them."""
    doubling = [2**power for power in range(blocks.bit_length()) if 2**power < blocks]
    return [0, *doubling, blocks]


class Lesion(Training):
    """Switch a block off and ask the network again

    Six networks train. The left picture shows, for each block of each network, the training error when that block
    alone is switched off; the right one the error when a growing number of blocks, chosen at random, is switched off
    together. The line of the plain network jumps to chance with the first block.
    """

    depth = param.Integer(16, bounds=(4, 64), step=4, label="Depth", doc="blocks of every network")
    task = param.Selector(
        default="spirals",
        objects={"Spirals": "spirals", "Handwritten digits": "digits"},
        label="Task",
        doc="what everybody learns",
    )
    learning_rate = usual_parameters.learning_rate(0.001, [3e-4, 1e-3, 3e-3, 0.01])
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
        whole: int = self.training_steps
        last, every = min(step + steps, whole), whole // LOOKS
        while step < last:
            onward = min(every - step % every, last - step)
            runs = {name: perceptrons.advance(run, onward) for name, run in state.runs.items()}
            step += onward
            state = replace(state, runs=runs) if step % every else self._look(runs)
        return state

    @property
    def order(self) -> np.ndarray:
        """The blocks in the order in which they are switched off together, counted from 0."""
        return np.random.default_rng(self.seed).permutation(self.depth)

    def _look(self, runs: Mapping[str, TrainingState]) -> Ward:
        each = [[block] for block in range(self.depth)]
        several = [self.order[:number] for number in how_many(self.depth)]
        return Ward(
            runs,
            next(iter(runs.values())).step,
            {name: errors_without(run, each) for name, run in runs.items()},
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
            label, one, several = ENTRANTS[name].label, state.one[name], state.several[name]
            unit = "share of wrong answers"
            quantities |= band(one, f"{name}_one", f"{label}: training error without that block", unit, "block")
            quantities |= band(several, f"{name}_several", f"{label}: training error without them", unit, "choice")
            answers[f"{name}_whole"] = float(np.median(several[0]))
            answers[f"{name}_typical"] = float(np.median(one))
            answers[f"{name}_worst"] = float(np.median(one.max(axis=0)))
        any_run = state.runs[PATIENTS[0]]
        lost = tuple(each for name, run in state.runs.items() for each in divergences(run, ENTRANTS[name].label))
        return Frame(quantities, answers, any_run.step, self.training_steps, lost)

    def describe(self, frame: Frame) -> str:
        looked = int(frame.results["looked_at_step"])
        when = f"After {looked} of {frame.steps} steps" if looked else "Before the first step"
        said = [
            f"{ENTRANTS[name].label} {frame.results[f'{name}_whole']:.0%} whole, "
            f"{frame.results[f'{name}_typical']:.0%} without a typical block, "
            f"{frame.results[f'{name}_worst']:.0%} without its most needed one"
            for name in PATIENTS
        ]
        return f"{when}, training points wrong: {'; '.join(said)}."

    def honesty(self) -> Honesty:
        return Honesty(
            network=f"Multilayer perceptrons of width {WIDTH} with {self.depth} one-layer blocks, ReLU, no norm but in "
            "the Pre-LN one. Switched off means: the branch adds nothing (additive, ReZero, highway), appends zeros "
            "(dense), or the layer is the identity (plain). Nothing is trained again afterwards.",
            data=source(self.task).load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}); a line is their median, a band their whole range; Adam at "
            f"{number(self.learning_rate)} for all. Which blocks go together is drawn once, from the first seed.",
            cannot_show="What a network would do that had been trained without the block; and a block that can be "
            "missed is no proof that nothing was learned in it.",
        )


@calculation(long=True, readings=("entrant", "without"), absolute=0.05)
def error(entrant: str, without: str, depth: int = 16) -> float:
    """Training error, 0 to 1, median of 3 seeds, without: "nothing", "a typical block" or "the worst block"."""
    key = {"nothing": "whole", "a typical block": "typical", "the worst block": "worst"}[without]
    return float(results.finished(Lesion(depth=depth)).results[f"{entrant}_{key}"])
