"""Ancestors of the residual block in a race: forty years of wiring, one task, one recipe."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.builder.ancestor_file import ancestor_file
from sims.comparisons.ancestors import ANCESTORS
from sims.contract import usual_parameters
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import cited, number
from sims.data.datasets import source
from sims.instruments.networks.watched_run import FITS
from sims.instruments.training.ancestor_run import BATCH, WIDTH, AncestorRun, advance, begin

LOOKS = 20
"""Measurements in a whole run"""

Runs = dict[str, AncestorRun]


class Ancestors(Training):
    """Forty years of wiring on one track

    Each of eleven ways to wire a block has a row, oldest first: a dot is the training loss, the median of the seeds, on
    a logarithmic axis where better is further left; a line runs from the best to the worst seed. Below is the chosen
    block as a drawing: the stream from left to right, the branch above it, and where they meet. The measures are the
    losses over the steps, with the chosen block and the plain one highlighted.
    """

    divisible = True
    restarts = ("depth", "task", "learning_rate", "training_steps", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 16, 32), "block": tuple(ANCESTORS)}

    block = param.Selector(
        default="lstm",
        objects={f"{ancestor.year} {ancestor.label}": name for name, ancestor in ANCESTORS.items()},
        label="Block",
        doc="the block that is drawn; training is the same",
        precedence=1,
    )
    depth = Stops(default=32, objects=[8, 16, 32], label="Depth", doc="blocks of every network")
    task = param.Selector(
        default="spirals",
        objects={"Spirals": "spirals", "Handwritten digits": "digits"},
        label="Task",
        doc="what everybody learns",
    )
    learning_rate = usual_parameters.learning_rate(0.003, [3e-4, 1e-3, 3e-3, 0.01], precedence=1)
    training_steps = usual_parameters.training_steps(300, [100, 300, 600])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return {name: begin(name, source(self.task), self.depth, self.learning_rate, seeds) for name in ANCESTORS}

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // LOOKS
        return {name: advance(run, min(steps, self.training_steps - run.step), interval) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        runs = [state[name] for name in ANCESTORS]
        quantities = {"steps": Quantity(np.array(runs[0].steps), "training step", "steps", ("look",))}
        for key, label, unit in (("losses", "training loss", "nats"), ("errors", "training points wrong", "share")):
            values = np.array([getattr(run, key) for run in runs])
            bands = {"": np.median(values, axis=2), "_low": values.min(axis=2), "_high": values.max(axis=2)}
            words = {"": "median of the seeds", "_low": "lowest seed", "_high": "highest seed"}
            quantities |= {
                key + ending: Quantity(curve, f"{label}, {words[ending]}", unit, ("block", "look"))
                for ending, curve in bands.items()
            }
        fits = np.array([int((run.errors[-1] <= FITS).sum()) for run in runs])
        quantities["fits"] = Quantity(fits, "seeds that fit", "seeds", ("block",))
        sizes = np.array([run.parameters for run in runs])
        quantities["parameters"] = Quantity(sizes, "parameters", "numbers", ("block",))
        answers: dict[str, int | float] = {}
        for at, name in enumerate(ANCESTORS):
            answers[f"{name}_fits"] = int(fits[at])
            answers[f"{name}_loss"] = float(quantities["losses"].values[at, -1])
        lost = [divergence for name, run in state.items() for divergence in _lost(name, run)]
        return Frame(quantities, answers, runs[0].step, self.training_steps, tuple(lost))

    def describe(self, frame: Frame) -> str:
        chosen = ANCESTORS[self.block]
        drawing = f"The drawing shows {chosen.label} ({cited(chosen.source)}): {chosen.rule}. {chosen.idea}"
        if not frame.step:
            return f"Before the first step eleven {self.depth}-block networks are side by side. {drawing}"
        fits = [f"{ancestor.label} {frame.results[f'{name}_fits']}" for name, ancestor in ANCESTORS.items()]
        return (
            f"After {frame.step} of {frame.steps} steps with {self.depth} blocks, seeds that fit, of {self.seeds}: "
            f"{', '.join(fits)}. {drawing}"
        )

    def listing(self) -> str:
        chosen, seeds = ANCESTORS[self.block], range(self.seed, self.seed + self.seeds)
        words = (chosen.year, chosen.label, chosen.idea)
        race = (source(self.task), self.depth, WIDTH, BATCH, self.learning_rate, seeds, self.training_steps)
        return ancestor_file(self.block, words, *race)

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Fully connected networks of {self.depth} blocks after a stem of width {WIDTH}; a branch F is "
            "two layers with ReLU unless the idea says otherwise. ResNet and pre-activation have BatchNorm in "
            "the branch, and so does the dense block; norms have no learned gain. A cascade appends two features per "
            "block and is trained as a whole, not unit by unit; the LSTM cell has weights of its own in each block "
            "and no input but the stream; initial weights have the variance that "
            "suits their layer, and DeepNorm's are smaller.",
            data=f"{source(self.task).load().sentence}; batches of {BATCH}, in the same order for all.",
            seeds=f"{self.seeds} (from {self.seed}); Adam at {number(self.learning_rate)} for all, none tuned. A seed "
            f"fits if at most {FITS:.0%} of its training points are wrong.",
            cannot_show="Which idea is better on any other task, and the papers' experiments: these are their ideas in "
            "today's notation, with today's initial weights and optimizer, which the older ones did not have.",
        )


def _lost(name: str, run: AncestorRun) -> list[Divergence]:
    """The first look at which a loss was not finite."""
    for step, losses in zip(run.steps, run.losses, strict=True):
        if not np.isfinite(losses).all():
            return [
                Divergence(
                    step,
                    f"loss of {ANCESTORS[name].label}",
                    "Its steps were too long for so many blocks.",
                    "Try fewer blocks or a lower learning rate.",
                )
            ]
    return []


@calculation
def size(name: str, depth: int = 32, task: str = "spirals") -> Number:
    """The number of parameters of such a network."""
    data = source(task).load()
    stem, head = WIDTH * (data.features + 1), data.classes * (WIDTH + 1)
    layer = WIDTH * (WIDTH + 1)
    appended = {"cascade": 2, "dense": 8}.get(name)
    if appended:
        grown = sum(appended * (WIDTH + appended * at + 1) for at in range(depth))
        return stem + grown + data.classes * (WIDTH + appended * depth + 1)
    own = {"direct": data.classes * data.features, "rezero": depth}.get(name, 0)
    return stem + head + own + depth * layer * {"lstm": 3, "highway": 3}.get(name, 2)
