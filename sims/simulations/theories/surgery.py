"""Surgery: trained convolutional networks, evaluated again after blocks are removed or swapped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.instruments.networks.changed_blocks import ASKED, errors, stages, swapped, swaps, without
from sims.instruments.training.convolution_run import BATCH, MOMENTUM, ConvolutionRun, Setup, advance, begin
from sims.instruments.training.looks import to_looks

NETWORKS = ("plain", "residual")
WIDTH, RATE = 8, 0.1
LOOKS = 3
"""Operations in a whole run"""

NEVER = 10**9
"""Steps between a run's own looks: so many that none happens"""

OPERATIONS = {"delete": "taken out", "swap": "swapped with the next"}


@dataclass(frozen=True)
class Patient:
    """A network, and its results at the last operation: share of images misclassified, (orders,) for each kind."""

    run: ConvolutionRun
    step: int
    answers: Mapping[str, np.ndarray]


Ward = dict[str, Patient]


class Surgery(Training):
    """Take out a block, or swap two

    A plain and a residual convolutional network train. Two curves show how many images are misclassified with each
    block taken out, or swapped with its neighbor; two more show what happens as this is done to more and more blocks,
    chosen at random.
    """

    divisible = True
    restarts = ("depth", "training_steps", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"operation": tuple(OPERATIONS)}

    operation = param.Selector(
        default="delete",
        objects={"take out": "delete", "swap neighbors": "swap"},
        label="Operation",
        doc="what is done to blocks of the trained networks",
    )
    depth = param.Integer(20, bounds=(14, 56), step=6, label="Depth", doc="layers, 6n + 2; a block has two")
    training_steps = usual_parameters.training_steps(300, [150, 300, 600])
    seeds = param.Integer(
        3, bounds=(1, 5), label="Seeds", doc="networks of a kind, from different starts", precedence=1
    )
    seed = usual_parameters.seed()

    def start(self) -> Ward:
        return {
            f"{name} {seed}": self._operated(begin(Setup(self.depth, WIDTH, name == "residual", RATE, seed)))
            for name in NETWORKS
            for seed in range(self.seed, self.seed + self.seeds)
        }

    def advance(self, state: Ward, steps: int) -> Ward:
        return {name: self._onward(patient, steps) for name, patient in state.items()}

    def _onward(self, patient: Patient, steps: int) -> Patient:
        run = patient.run
        last = min(run.step + steps, self.training_steps)
        for count, due in to_looks(run.step, last, self.training_steps // LOOKS):
            run = advance(run, count, NEVER)
            patient = self._operated(run) if due else replace(patient, run=run)
        return patient

    def plans(self) -> dict[str, list[list[int]]]:
        """Kind of operation → the orders of blocks to try: one for each single operation, and for more and more, from
        none on."""
        depth, random = self.depth, np.random.default_rng((self.seed, 2))
        movable = [block for stage in stages(depth) for block in stage]
        removed = random.permutation(movable)
        places = [swaps(depth)[place] for place in random.integers(len(swaps(depth)), size=how_many(depth)[-1])]
        return {
            "delete": [without(depth, [block]) for block in movable],
            "swap": [swapped(depth, [pair]) for pair in swaps(depth)],
            "delete_several": [without(depth, removed[:count].tolist()) for count in how_many(depth)],
            "swap_several": [swapped(depth, places[:count]) for count in how_many(depth)],
        }

    def _operated(self, run: ConvolutionRun) -> Patient:
        return Patient(run, run.step, {kind: errors(run, orders) for kind, orders in self.plans().items()})

    def frame(self, state: Ward) -> Frame:
        first = next(iter(state.values()))
        movable = np.array([block for stage in stages(self.depth) for block in stage])
        quantities = {
            "delete_places": Quantity(movable + 1, "block taken out", "number", ("block",)),
            "swap_places": Quantity(
                np.array([one + 1.5 for one, _ in swaps(self.depth)]), "between the swapped blocks", "number", ("pair",)
            ),
            "numbers": Quantity(np.array(how_many(self.depth)), "blocks, or swaps", "number", ("choice",)),
        }
        answers: dict[str, float] = {"looked_at_step": first.step}
        axes = {"delete": "block", "swap": "pair", "delete_several": "choice", "swap_several": "choice"}
        for name in NETWORKS:
            patients = [patient for key, patient in state.items() if key.startswith(name)]
            for kind, axis in axes.items():
                values = np.stack([patient.answers[kind] for patient in patients], axis=1)
                label = f"{name}: images wrong, {kind.replace('_', ' ')}"
                quantities |= band(values, f"{name}_{kind}", label, "share of wrong answers", axis)
            answers[f"{name}_whole"] = float(quantities[f"{name}_delete_several"].values[0])
            for kind in OPERATIONS:
                answers[f"{name}_{kind}"] = float(np.median(quantities[f"{name}_{kind}"].values))
        return Frame(quantities, answers, first.run.step, self.training_steps)

    def describe(self, frame: Frame) -> str:
        looked = int(frame.results["looked_at_step"])
        if not looked:
            return "Before the first step neither network knows anything, with or without any of its blocks."
        changes = [
            f"{percent(float(frame.results[f'{name}_whole']))} to "
            f"{percent(float(frame.results[f'{name}_{self.operation}']))} in the {name} network"
            for name in NETWORKS
        ]
        return (
            f"After {looked} of {frame.steps} steps, a typical block {OPERATIONS[self.operation]} changes the share of "
            f"misclassified images from {' and from '.join(changes)}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Convolutional networks of {self.depth} layers in the shape of He et al.'s for CIFAR-10, "
            f"{WIDTH} channels in the first stage, BatchNorm with running statistics. A block is two layers; blocks "
            "that change the image's size stay in place. "
            "In the plain network, a block without its layers passes on its input.",
            data=f"{source('digits').load().sentence}; tested on the first {ASKED} training images.",
            seeds=f"{self.seeds} (from {self.seed}); a line is their median, a band their whole range; "
            f"{self.training_steps} steps of SGD at {number(RATE)} with momentum {MOMENTUM:g} and batches of {BATCH}. "
            "Which blocks are taken out or swapped together is chosen once, from the first seed.",
            cannot_show="What a network trained without the block would do. And if a network can do without a block, "
            "that does not prove that the block has learned nothing.",
        )


def how_many(depth: int) -> list[int]:
    """The numbers of blocks, or swaps, to try: none, then doubling, up to as many as there are movable blocks."""
    movable = sum(map(len, stages(depth)))
    return [0, *(2**power for power in range(movable.bit_length()) if 2**power < movable), movable]
