"""How long the paths are, and how long those that carry the gradient: by a formula, and in a network in training."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band, read
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import blocks, number, percent
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.gradients.opened_blocks import OpenedBlocks, opened
from sims.instruments.gradients.path_spectrum import (
    by_length,
    energy_by_length,
    length_within,
    mean_length,
    shares,
    sizes,
)
from sims.instruments.gradients.path_sums import counts, weighted
from sims.instruments.training.divergence import divergences
from sims.kept import results

CURVE = 25
"""Points of a curve over a whole run."""

POINTS = 16
"""Held-out images at which the gradient is split."""

WIDTH = 32
MOST = 0.9
"""The share of the sizes that the read-out "within" covers."""


class PathLengths(Training):
    """Path lengths, counted and weighed

    Against the number of branches on a path, a gray hill counts all paths, a curve weights them by a gain that you
    choose, and bars split the gradient of a real network exactly by path length, as shares of the whole; they change
    while it trains. The measures show the bars close up, the size of each part on a logarithmic scale, and the error.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "blocks": (8, 16, 54, 110),
        "gain": (0.02, 0.04, 0.06, 0.1, 0.2, 0.5, 1.0),
    }

    restarts = ("blocks", "norm", "branch_factor", "initialization", "learning_rate", "training_steps", "seeds", "seed")

    blocks = param.Integer(54, bounds=(2, 110), label="Blocks", doc="residual blocks of two layers, in both figures")
    gain = param.Number(
        0.2,
        bounds=(0.01, 1.0),
        step=0.01,
        label="Gain in the formula",
        doc="what a branch multiplies the gradient by in the formula; the network has its own",
    )
    norm = param.Selector(
        default="none",
        objects={"None": "none", "Pre-LN": "pre-layer"},
        label="Normalization",
        doc="whether each branch normalizes its input",
        precedence=1,
    )
    branch_factor = param.Selector(
        default="1/sqrt(blocks)",
        objects={"1/√L": "1/sqrt(blocks)", "1": "1"},
        label="Factor on the branches",
        doc="a fixed factor on every branch; L is the number of blocks",
        precedence=1,
    )
    initialization = usual_parameters.initialization("he", "default", "he", "zero-last", precedence=1)
    learning_rate = usual_parameters.learning_rate(0.001, [1e-4, 3e-4, 1e-3, 3e-3], precedence=1)
    training_steps = usual_parameters.training_steps(400, [200, 400, 800])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> TrainingState:
        architecture = Architecture(
            depth=2 * self.blocks + 2,
            width=WIDTH,
            skip="additive",
            norm=self.norm,
            unit="two-layer",
            initialization=self.initialization,
            branch_factor=self.branch_factor,
            final_norm=self.norm == "pre-layer",
        )
        recipe = Recipe("adam", self.learning_rate, 64, clip=1.0, record_every=self.training_steps // CURVE)
        return start(architecture, recipe, source("digits"), tuple(range(self.seed, self.seed + self.seeds)))

    def advance(self, state: TrainingState, steps: int) -> TrainingState:
        return advance(state, min(steps, self.training_steps - state.step))

    def frame(self, state: TrainingState) -> Frame:
        parts = [by_length(network) for network in _networks(state)]
        carried = np.stack([shares(part) for part in parts], axis=1)
        size = np.stack([sizes(part) for part in parts], axis=1)
        errors = np.stack([record.test_error for record in state.records])
        quantities = {
            "steps": Quantity(np.array([r.step for r in state.records]), "training step", "steps", ("record",)),
            "count": Quantity(
                counts(self.blocks) / 2.0**self.blocks, "share of all paths", "share of the paths", ("length",)
            ),
            **band(carried, "share", "share of the gradient, measured", "share of the gradient", "length"),
            **band(size, "size", "size of the part, against the whole gradient", "relative", "length"),
            **band(errors, "error", "held-out error", "share of wrong answers", "record"),
        }
        answers: dict[str, float | int] = {
            "mean_count": self.blocks / 2,
            "mean_measured": float(np.median([mean_length(column) for column in size.T])),
            "within": int(np.median([length_within(column, MOST) for column in size.T])),
            "direct": float(np.median(carried[0])),
            "test_error": float(np.median(state.now.test_error)),
        }
        return self.reread(Frame(quantities, answers, state.step, self.training_steps, divergences(state, "residual")))

    def reread(self, frame: Frame) -> Frame:
        formula = Quantity(weighted(self.blocks, self.gain), "share of the gradient, formula", "share", ("length",))
        mean = self.blocks * self.gain / (1 + self.gain)
        return replace(
            frame,
            quantities={**frame.quantities, "formula": formula},
            results={**frame.results, "mean_formula": mean},
        )

    def describe(self, frame: Frame) -> str:
        answers = frame.results
        low, high = (percent(float(bound[0])).replace("-", "\N{MINUS SIGN}") for bound in read(frame, "share")[1:])
        when = f"After {frame.step} steps" if frame.step else "Before the first step"
        mean = {name: number(float(answers[f"mean_{name}"]), 2) for name in ("count", "formula", "measured")}
        return (
            f"By count, the paths through {blocks(self.blocks)} have a mean length of {mean['count']}; with a gain of "
            f"{number(self.gain, 6)}, the formula gives {mean['formula']}. {when}, the network's own is "
            f"{mean['measured']} (the median seed), and lengths up to {answers['within']} hold {percent(MOST)} of the "
            f"parts' sizes; the direct path carries {low} to {high} of the gradient."
        )

    def disclosure(self) -> Disclosure:
        norm = "Pre-LN" if self.norm == "pre-layer" else "no norm"
        return Disclosure(
            network=f"A residual ReLU network of {self.blocks} two-layer blocks of width {WIDTH}, {norm}, each branch "
            f"times {self.branch_factor.replace('sqrt(blocks)', '√L')}; Adam at {number(self.learning_rate)}. The "
            "split covers all paths, by an exact recursion in double precision.",
            data=f"{source('digits').load().sentence}; the gradient is split at {POINTS} held-out images.",
            seeds=f"{self.seeds} (from {self.seed}); bars are the median of the seeds, whiskers their whole range.",
            cannot_show="Convolutional networks, or the network of Veit et al. With a norm, it also cannot show "
            "what the paths would be if the norm's scale did not depend on all paths.",
        )


def _networks(state: TrainingState) -> list[OpenedBlocks]:
    data = state.source.load()
    images, labels = data.test_inputs[:POINTS], data.test_labels[:POINTS]
    return [opened(state, seed, images, labels) for seed in range(len(state.seeds))]


def _trained(blocks: int, norm: str, branch_factor: str) -> Frame:
    return results.finished(PathLengths(blocks=blocks, norm=norm, branch_factor=branch_factor))


def gain_of_mean(blocks: int, length: float) -> float:
    """The gain g for which the formula's mean length, `blocks` · g / (1 + g), is `length`; infinite from there on."""
    return length / (blocks - length) if length < blocks else float("inf")


@calculation(long=True, readings=("what",), tolerance=0.3)
def measured(blocks: int, what: str, norm: str = "none", branch_factor: str = "1/sqrt(blocks)") -> float:
    """A result after a default run: "mean_measured", "within", "direct" or "test_error"; the median of 3 seeds."""
    return float(_trained(blocks, norm, branch_factor).results[what])


@calculation(long=True, readings=("length", "ending"), tolerance=0.3)
def carried(blocks: int, length: int, ending: str = "") -> float:
    """The share of the gradient that one length carries after a default run: median, "_low" or "_high" of 3 seeds."""
    return float(_trained(blocks, "none", "1/sqrt(blocks)")[f"share{ending}"][length])


@calculation(long=True, tolerance=0.01)
def mean_of_single_paths(blocks: int) -> float:
    """The mean path length that a sample of single paths gives: weights are the number of paths times the rms of their
    norms.

    After a default run, the median of 3 seeds. Paths do not cancel each other here (Veit et al. 1605.06431, section 4).
    """
    means = [
        mean_length(np.sqrt(counts(blocks) * energy_by_length(network).mean(axis=1)))
        for network in _networks(_run(blocks, trained=True))
    ]
    return float(np.median(means))


@calculation(long=True, readings=("trained",), tolerance=0.3)
def alignment(blocks: int, trained: bool) -> float:
    """How much the paths of one length agree: Σ‖v_k‖² over the lengths, divided by Σ‖path‖² over all single paths.

    It is 1 if paths have random directions, and the number of paths if all agree. Before or after a default run, the
    median of 3 seeds.
    """
    ratios = [
        (by_length(network) ** 2).sum() / energy_by_length(network).sum()
        for network in _networks(_run(blocks, trained))
    ]
    return float(np.median(ratios))


@lru_cache(maxsize=2)
def _run(blocks: int, trained: bool) -> TrainingState:
    simulation = PathLengths(blocks=blocks)
    state = simulation.start()
    return simulation.advance(state, simulation.training_steps) if trained else state
