"""Spectra of real Jacobians: singular values of every block and of all blocks together, during training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band, reading, spread
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.gradients.jacobian_spectra import Spectra, effective_rank, near_one, spectra
from sims.instruments.gradients.opened_blocks import opened
from sims.instruments.training.curves import record_band
from sims.instruments.training.divergence import divergences
from sims.instruments.training.looks import to_looks
from sims.kept import results

POINTS, WIDTH = 4, 32
LOOKS = 8
"""Looks at the networks in a whole run, besides the one before it"""

NETWORKS = {"plain": "none", "residual": "additive"}
READINGS = {
    "near": ("share of the blocks' singular values between 1/2 and 2", "share"),
    "block_rank": ("effective rank of a block's Jacobian, mean over the blocks", "directions"),
    "whole_rank": ("effective rank of all blocks together", "directions"),
    "largest": ("largest singular value of all blocks together", "relative"),
}
"""Name → its words and its unit: each a number for every seed, the mean over points"""


@dataclass(frozen=True)
class WatchedRuns:
    """The runs, and the measurements at every look so far."""

    runs: Mapping[str, TrainingState]
    steps: tuple[int, ...]
    """Steps of the looks"""
    looks: tuple[Mapping[str, np.ndarray], ...]
    """Per look: network → (readings, seeds)"""


def found(run: TrainingState) -> list[Spectra]:
    """The spectra of every seed of a run, at the first held-out points."""
    data = run.source.load()
    points, labels = data.test_inputs[:POINTS], data.test_labels[:POINTS]
    return [spectra(opened(run, seed, points, labels)) for seed in range(len(run.seeds))]


def readings(of_seed: Spectra) -> list[float]:
    """The values of `READINGS`, in their order."""
    return [
        near_one(of_seed.blocks),
        float(effective_rank(of_seed.blocks).mean()),
        float(effective_rank(of_seed.whole).mean()),
        float(of_seed.whole[:, 0].mean()),
    ]


class Spectrum(Training):
    """Singular values, block by block

    For a plain network and its residual twin, every block has a column of dots on a logarithmic scale: the factors by
    which it stretches or shrinks directions. A last column has those of all blocks together. A line marks the factor 1,
    and crosses at the bottom are directions that are lost. Labels give the effective rank of a block and of all blocks
    together. Further figures follow the effective rank, the share of values near 1 and the training error during the
    run.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "branch_factor": ("1", "1/sqrt(blocks)", "1/blocks"),
        "initialization": ("he", "zero-last"),
        "blocks": (4, 16, 32),
    }

    blocks = Stops(default=16, objects=[2, 4, 8, 16, 32], label="Blocks", doc="of two layers each", precedence=1)
    branch_factor = param.Selector(
        default="1",
        objects={"1": "1", "1/√L": "1/sqrt(blocks)", "1/L": "1/blocks"},
        label="Factor on the branches",
        doc="a fixed factor on every residual branch; L is the number of blocks",
    )
    initialization = usual_parameters.initialization("he", "default", "he", "orthogonal", "zero-last")
    learning_rate = usual_parameters.learning_rate(0.001, [1e-4, 3e-4, 1e-3, 3e-3], precedence=1)
    training_steps = usual_parameters.training_steps(400, [200, 400, 800])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> WatchedRuns:
        recipe = Recipe("adam", self.learning_rate, 64, clip=1.0, record_every=self.training_steps // LOOKS)
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        runs = {name: start(self._architecture(name), recipe, source("digits"), seeds) for name in NETWORKS}
        return self._looked(runs, WatchedRuns(runs, (), ()))

    def _architecture(self, name: str) -> Architecture:
        plain = name == "plain"
        skip: Any = NETWORKS[name]
        return Architecture(
            depth=2 * self.blocks + 2,
            width=WIDTH,
            skip=skip,
            norm="none",
            unit="two-layer",
            initialization="he" if plain and self.initialization == "zero-last" else self.initialization,
            branch_factor="1" if plain else self.branch_factor,
        )

    def advance(self, state: WatchedRuns, steps: int) -> WatchedRuns:
        step = state.runs["plain"].step
        for count, due in to_looks(step, min(step + steps, self.training_steps), self.training_steps // LOOKS):
            runs = {name: advance(run, count) for name, run in state.runs.items()}
            state = self._looked(runs, state) if due else WatchedRuns(runs, state.steps, state.looks)
        return state

    def _looked(self, runs: Mapping[str, TrainingState], before: WatchedRuns) -> WatchedRuns:
        look = {name: np.transpose([readings(spectrum) for spectrum in found(run)]) for name, run in runs.items()}
        return WatchedRuns(runs, (*before.steps, runs["plain"].step), (*before.looks, look))

    def frame(self, state: WatchedRuns) -> Frame:
        any_run = state.runs["plain"]
        quantities = {
            "looks": Quantity(np.array(state.steps), "step of the look", "steps", ("look",)),
            "steps": Quantity(np.array([r.step for r in any_run.records]), "training step", "steps", ("record",)),
        }
        answers: dict[str, float] = {}
        for name, run in state.runs.items():
            now = found(run)
            blocks = np.median(np.concatenate([spectrum.blocks for spectrum in now], axis=1), axis=1)
            whole = np.median(np.concatenate([spectrum.whole for spectrum in now]), axis=0)
            quantities[f"{name}_blocks"] = Quantity(
                blocks, f"{name}: singular values of a block", axes=("block", "place")
            )
            quantities[f"{name}_whole"] = Quantity(
                whole, f"{name}: singular values of all blocks together", axes=("place",)
            )
            current = np.array([readings(spectrum) for spectrum in now])
            for at, (key, (label, unit)) in enumerate(READINGS.items()):
                values = np.stack([look[name][at] for look in state.looks])
                quantities |= band(values, f"{name}_{key}", f"{name}: {label}", unit, "look")
                answers[f"{name}_{key}"] = float(np.median(current[:, at]))
            quantities |= record_band(run.records, "train_error", f"{name}_error", f"{name}: ")
        diverged = tuple(divergence for name, run in state.runs.items() for divergence in divergences(run, name))
        return Frame(quantities, answers, any_run.step, self.training_steps, diverged)

    def describe(self, frame: Frame) -> str:
        when = f"After {frame.step} steps" if frame.step else "Before the first step"
        near, rank, whole = (
            {name: float(frame.results[f"{name}_{key}"]) for name in NETWORKS}
            for key in ("near", "block_rank", "whole_rank")
        )
        errors = " and ".join(
            f"{spread(frame, f'{name}_error', self.seeds)} for the {name} network" for name in NETWORKS
        )
        return (
            f"{when}, {percent(near['residual'])} of the singular values of the residual blocks lie between 1/2 and 2, "
            f"and {percent(near['plain'])} of the plain ones. Of {WIDTH} directions, a residual block has an effective "
            f"rank of {number(rank['residual'])} and all {self.blocks} together {number(whole['residual'])}; a plain "
            f"block {number(rank['plain'])} and all together {number(whole['plain'])}. The training error is {errors}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"ReLU networks of {self.blocks} blocks of two layers, width {WIDTH}, without a norm, identical "
            f"except for the skip (and a residual branch's factor); Adam at {number(self.learning_rate)}. Every "
            "Jacobian is exact; it goes from the first block's input to the last one's output, without stem and head.",
            data=f"{source('digits').load().sentence}; Jacobians at {POINTS} held-out images.",
            seeds=f"{self.seeds} (from {self.seed}); the first dot is the median of the largest value over seeds and "
            "images, the next that of the second largest, and so on; "
            "numbers are means over the images and medians over the seeds.",
            cannot_show="Networks with a norm, convolutions, or what larger widths do. Where the last layers start at "
            "zero, the plain network starts from He initialization, since zeros would cut it in two. Values below "
            "10⁻¹² of the largest are rounding and count as zero.",
        )


@calculation(long=True, readings=("network", "what", "trained", "statistic"), tolerance=0.2)
def value(
    network: str,
    what: str,
    trained: bool = True,
    statistic: str = "median",
    branch_factor: str = "1",
    initialization: str = "he",
) -> float:
    """A key of `READINGS` before or after a default run: "median", "lowest" or "highest" of 3 seeds.

    `network` is "plain" or "residual".
    """
    frame = results.finished(Spectrum(branch_factor=branch_factor, initialization=initialization))
    return reading(frame, f"{network}_{what}", statistic, -1 if trained else 0)


@calculation(long=True, readings=("network", "statistic"), tolerance=0.5, absolute=0.02)
def error(network: str, statistic: str = "median", branch_factor: str = "1", initialization: str = "he") -> float:
    """Training error of "plain" or "residual" after a default run: "median", "lowest" or "highest" of 3 seeds."""
    frame = results.finished(Spectrum(branch_factor=branch_factor, initialization=initialization))
    return reading(frame, f"{network}_error", statistic)
