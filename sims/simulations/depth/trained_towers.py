"""How training changes the towers: the recipes' stream and gradient block by block, before and after some steps."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.trained_recipes import RECIPES, setup
from sims.contract import usual_parameters
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.instruments.training.stack_run import BATCH, LOOKED_AT, WIDTH, StackRun, advance, begin

LOOKS = 10
"""Looks at the networks in a whole run"""

SIZES = {
    "stream": ("size of the stream", "relative to the foot"),
    "gradient": ("size of the stream's gradient", "relative to the top"),
}
WEIGHTS = {"first": "gradient of the first matrix of a branch", "last": "gradient of the last matrix of a branch"}

Runs = dict[str, StackRun]


class TrainedTowers(Training):
    """The towers after training, recipe by recipe

    Ten small towers of blocks are trained, one for each recipe: α = 1, 1/√L, 1/L, Fixup, ReZero, LayerScale, Pre-LN,
    LayerNorm Scaling, Post-LN and DeepNorm, counted from 0 in the tables. Five are side by side; if another one is
    chosen, it replaces the first of them. The left half of a tower is as wide as its stream, the right half as its
    gradient, on a scale that is logarithmic near 1; dotted lines show where both began. Below each tower is its
    training loss. The measures are all losses over the steps, and for one chosen recipe the stream, its gradient and
    the gradients of the weights, block by block, before and after.
    """

    divisible = True
    restarts = ("depth", "learning_rate", "training_steps", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (16, 64)}

    depth = Stops(default=64, objects=[16, 64], label="Blocks", doc="residual blocks of two layers")
    recipe = param.Selector(
        default="root",
        objects={entry.label: name for name, entry in RECIPES.items()},
        label="Look closer at",
        doc="the recipe whose gradients are measured; training is the same",
    )
    learning_rate = usual_parameters.learning_rate(0.001, [3e-4, 1e-3, 3e-3], precedence=1)
    training_steps = usual_parameters.training_steps(100, [20, 50, 100])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return {recipe: begin(setup(recipe, self.depth, self.learning_rate, seeds)) for recipe in RECIPES}

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // LOOKS
        return {name: advance(run, min(steps, self.training_steps - run.step), interval) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        runs = [state[recipe] for recipe in RECIPES]
        steps = runs[0].steps
        quantities = {"steps": Quantity(np.array(steps), "training step", "steps", ("look",))}
        losses = np.array([run.losses for run in runs])
        quantities |= _bands(losses, "loss", "training loss", "nats", "look")
        for when, words in (("start", "at the start"), ("now", "now")):
            looks = [getattr(run, when) for run in runs]
            for name, (label, unit) in SIZES.items():
                values = np.array([getattr(look, name).T for look in looks])
                quantities |= _bands(values, f"{name}_{when}", f"{label}, {words}", unit, "place")
            for name, label in WEIGHTS.items():
                values = np.array([getattr(look, name).T for look in looks])
                quantities |= _bands(values, f"{name}_{when}", f"{label}, {words}", "nats per unit of weight", "block")
        answers: dict[str, float] = {}
        for at, recipe in enumerate(RECIPES):
            key = recipe.replace("-", "_")
            answers[f"{key}_loss"] = float(quantities["loss"].values[at, -1])
            answers[f"{key}_top"] = float(quantities["stream_now"].values[at, -1])
            answers[f"{key}_foot"] = float(quantities["gradient_now"].values[at, 0])
        lost = [divergence for recipe, run in state.items() for divergence in _lost(recipe, run)]
        return Frame(quantities, answers, runs[0].step, self.training_steps, tuple(lost))

    def describe(self, frame: Frame) -> str:
        losses, looked = frame["loss"][:, -1], int(frame["steps"][-1])
        labels = [recipe.label for recipe in RECIPES.values()]
        if not looked:
            size = number(float(frame["stream_start"][0, -1]), 2)
            return (
                f"Before the first step {len(RECIPES)} stacks of {self.depth} blocks are side by side. With α = 1 "
                f"the stream at the top is {size} times as large as at the foot."
            )
        best, worst = (labels[int(index)] for index in (np.nanargmin(losses), _worst(losses)))
        chosen = list(RECIPES).index(self.recipe)
        ends = [
            number(float(frame[name][chosen, place]), 2)
            for name, place in (
                ("stream_start", -1),
                ("stream_now", -1),
                ("gradient_start", 0),
                ("gradient_now", 0),
            )
        ]
        return (
            f"After {looked} of {frame.steps} steps the training loss is lowest with {best}, "
            f"{number(float(np.nanmin(losses)), 2)} nats, and highest with {worst}, "
            f"{number(float(losses[_worst(losses)]), 2)}. With {labels[chosen]} the stream at the top went from "
            f"{ends[0]} to {ends[1]} times its size at the foot, and the gradient at the foot from {ends[2]} to "
            f"{ends[3]} times that at the top."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Stacks of {self.depth} blocks of Linear–ReLU–Linear without biases, {WIDTH} wide, full-size "
            "weights; a linear stem and head; norms have no gain or shift, and with a norm before the branches "
            "there is one before the head. ReZero learns a factor per block, LayerScale one per channel, Fixup a "
            f"factor and four scalar biases per block. Adam at {number(self.learning_rate)} without decay or clipping, "
            f"batches of {BATCH}.",
            data=f"{source('digits').load().sentence}; sizes and losses are those of the first {LOOKED_AT} of its "
            "training images.",
            seeds=f"{self.seeds} (from {self.seed}); a tower is their median, a band their whole range.",
            cannot_show="Long training, attention, or the learning rate that would suit each recipe best: all have the "
            "same one, so do not rank them by their losses.",
        )


def _bands(values: np.ndarray, name: str, label: str, unit: str, axis: str) -> dict[str, Quantity]:
    """Median, lowest and highest over the last dimension of values (recipes, points, seeds), as (recipes, points)."""
    bands = {"": np.median(values, axis=2), "_low": values.min(axis=2), "_high": values.max(axis=2)}
    words = {"": "median of the seeds", "_low": "lowest seed", "_high": "highest seed"}
    return {
        name + ending: Quantity(curve, f"{label}, {words[ending]}", unit, ("recipe", axis))
        for ending, curve in bands.items()
    }


def _worst(losses: np.ndarray) -> int:
    """The recipe with the highest loss, among those that have a finite one."""
    return int(np.nanargmax(losses))


def _lost(recipe: str, run: StackRun) -> list[Divergence]:
    """The first look at which a loss was not finite."""
    for step, losses in zip(run.steps, run.losses, strict=True):
        if not np.isfinite(losses).all():
            return [
                Divergence(
                    step,
                    f"loss with {RECIPES[recipe].label}",
                    "Its stream or its gradient left the range of single precision.",
                    "Try fewer blocks or a lower learning rate.",
                )
            ]
    return []
