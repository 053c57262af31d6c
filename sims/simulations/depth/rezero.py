"""The learned factors of ReZero, each starting at zero, in a network during training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import reading
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start, start_from
from sims.engines.perceptrons.initialization import initial_parameters
from sims.engines.perceptrons.layout import Layout, make_layout
from sims.instruments.training.curves import record_band
from sims.instruments.training.divergence import divergences
from sims.instruments.training.looks import to_looks
from sims.kept import results

WIDTH = 32
LOOKS = 40
"""Looks at the factors in a whole run"""


@dataclass(frozen=True)
class Factors:
    """Two runs with the same initial weights, one with ReZero and one with zero last layers, and the factors at every
    look."""

    rezero: TrainingState
    zero: TrainingState
    steps: tuple[int, ...]
    factors: tuple[np.ndarray, ...]
    """(seeds, blocks) each"""


def architecture(kind: str, blocks: int) -> Architecture:
    """The network whose branches have learned factors, "rezero", or whose last layers start at 0."""
    skip, initial = ("rezero", "he") if kind == "rezero" else ("additive", "zero-last")
    return Architecture(depth=2 * blocks + 2, width=WIDTH, skip=skip, unit="two-layer", initialization=initial)  # type: ignore[arg-type]


def layout(blocks: int) -> Layout:
    """The positions of the ReZero network's parameters in a row of parameters."""
    data = source("digits").load()
    return make_layout(architecture("rezero", blocks), data.features, data.classes)


def factors(run: TrainingState) -> np.ndarray:
    """(seeds, blocks) the learned factors."""
    values: np.ndarray = run.parameters[:, layout(run.architecture.blocks).factors :].astype(float)
    return values


class Rezero(Training):
    """Every factor of ReZero, while it learns

    A line for each block of a network starts at zero and follows the factor that the block has learned, step by step:
    solid where it ends above zero, dashed where it ends below. Labels give both counts. The measures are the gradients
    of the weights, block by block, at the first step and now, and the training error next to that of a network whose
    last layers start at zero.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"blocks": (12, 64), "mirrored": (False, True)}

    blocks = Stops(default=64, objects=[12, 32, 64], label="Blocks", doc="residual blocks of two layers")
    mirrored = param.Boolean(
        False,
        label="Turn every branch around",
        doc="multiply the last layer of every branch by −1 at the start",
    )
    learning_rate = usual_parameters.learning_rate(0.001, [3e-4, 1e-3, 3e-3], precedence=1)
    training_steps = usual_parameters.training_steps(400, [200, 400, 800])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Factors:
        recipe = Recipe("adam", self.learning_rate, 64, clip=1.0, record_every=self.training_steps // LOOKS)
        digits, seeds = source("digits"), tuple(range(self.seed, self.seed + self.seeds))
        chosen, where = architecture("rezero", self.blocks), layout(self.blocks)
        parameters = np.stack([initial_parameters(chosen, where, seed) for seed in seeds]).astype(np.float32)
        if self.mirrored:
            for last in where.layers[2:-1:2]:
                last.numbers(parameters)[:] *= -1
        rezero = start_from(parameters, chosen, recipe, digits, seeds)
        zero = start(architecture("zero", self.blocks), recipe, digits, seeds)
        return Factors(rezero, zero, (0,), (factors(rezero),))

    def advance(self, state: Factors, steps: int) -> Factors:
        end = min(state.rezero.step + steps, self.training_steps)
        for count, due in to_looks(state.rezero.step, end, self.training_steps // LOOKS):
            state = replace(state, rezero=advance(state.rezero, count), zero=advance(state.zero, count))
            if due:
                state = replace(
                    state,
                    steps=(*state.steps, state.rezero.step),
                    factors=(*state.factors, factors(state.rezero)),
                )
        return state

    def frame(self, state: Factors) -> Frame:
        last, run = factors(state.rezero), state.rezero
        quantities = {
            "steps": Quantity(np.array(state.steps), "training step", "steps", ("look",)),
            "factors": Quantity(
                np.array([factor[0] for factor in state.factors]), "factor, first seed", "relative", ("look", "block")
            ),
            "records": Quantity(np.array([r.step for r in run.records]), "training step", "steps", ("record",)),
            **record_band(run.records, "train_error", "rezero_error", "ReZero: "),
            **record_band(state.zero.records, "train_error", "zero_error", "last layers from zero: "),
        }
        for name, record in (("at_start", run.records[0]), ("now", run.now)):
            for layer, first in (("first", 1), ("last", 2)):
                quantities[f"{layer}_{name}"] = Quantity(
                    np.median(record.weight_gradients[:, first:-1:2], axis=0),
                    f"gradient of the {layer} matrix of a branch, {name.replace('_', ' ')}, median of the seeds",
                    "loss per unit of weight",
                    ("block",),
                )
        answers: dict[str, float | int] = {
            "below": int((last[0] < 0).sum()),
            "above": int((last[0] > 0).sum()),
            "lowest_below": int((last < 0).sum(axis=1).min()),
            "highest_below": int((last < 0).sum(axis=1).max()),
            "size": float(np.abs(last).mean()),
            "rezero_error": float(np.median(run.now.train_error)),
            "zero_error": float(np.median(state.zero.now.train_error)),
        }
        diverged = (*divergences(run, "ReZero"), *divergences(state.zero, "zero last layers"))
        return Frame(quantities, answers, run.step, self.training_steps, diverged)

    def describe(self, frame: Frame) -> str:
        r = frame.results
        seeds = f"Over {self.seeds} seeds, {r['lowest_below']} to {r['highest_below']} are below. "
        if not frame.step:
            return f"Before the first step all {self.blocks} factors are exactly 0, and every branch is silent."
        return (
            f"After {frame.step} steps, {r['below']} of {self.blocks} factors are below 0 and {r['above']} above; "
            f"their mean size is {number(float(r['size']), 2)}. {seeds if self.seeds > 1 else ''}"
            f"Training errors: {percent(float(r['rezero_error']))} with ReZero, "
            f"{percent(float(r['zero_error']))} with last layers that start at zero."
        )

    def disclosure(self) -> Disclosure:
        turned = ", every last layer multiplied by −1 at the start" if self.mirrored else ""
        return Disclosure(
            network=f"A residual ReLU network of {self.blocks} two-layer blocks of width {WIDTH} without norms; He "
            f"weights{turned}, one learned factor for each branch, from 0. Adam at {number(self.learning_rate)} for "
            "weights and factors alike, batches of 64.",
            data=source("digits").load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}); lines show the first, errors the median and the whole range.",
            cannot_show="The transformers and convolutional networks of the paper, or what a factor's size says about "
            "its block: remove the block to learn that.",
        )


@calculation(long=True, readings=("what",), absolute=2.0)
def reading_of(what: str, blocks: int = 64, mirrored: bool = False) -> Number:
    """A result of a default run: "below" (first seed), "lowest_below", "highest_below" of three seeds, "size"."""
    return float(results.finished(Rezero(blocks=blocks, mirrored=mirrored)).results[what])


@calculation(long=True, readings=("kind", "statistic"), absolute=0.03)
def error(kind: str, blocks: int = 64, statistic: str = "median") -> Number:
    """Training error at the end of a default run with "rezero" or "zero", 0 to 1."""
    return reading(results.finished(Rezero(blocks=blocks)), f"{kind}_error", statistic)
