"""What each sublayer of a trained transformer adds, and what is lost without it, by placement of the norm."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sims.comparisons.placements import PLACEMENTS, transformer
from sims.contract import usual_parameters
from sims.contract.bands import band, reading
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines import transformers
from sims.engines.recipe import Recipe
from sims.engines.transformers import TrainingState, Transformer
from sims.instruments.networks.block_uses import Uses, uses
from sims.instruments.training.divergence import divergences
from sims.instruments.training.looks import to_looks
from sims.kept import results

PLACED = ("pre", "peri", "deep")
TASK = source("digits", points=512)
ASKED = 256
"""Training points on which every network is evaluated without each of its sublayers"""

WIDTH, HIDDEN, TOKENS, HEADS, BATCH = 16, 32, 8, 2, 32
LOOKS = 2
"""Looks at the networks in a whole run, the last one at its end"""

NEEDED = 0.05
"""A sublayer is needed if the error rises by at least this share of the points without it."""


@dataclass(frozen=True)
class Looked:
    """The runs, and the measurements of their sublayers at the last look: a list over the seeds for each placement."""

    runs: Mapping[str, TrainingState[Transformer]]
    step: int
    """Step of the last look"""
    found: Mapping[str, Sequence[Uses]]


class Plateau(Training):
    """What is lost without a block

    For three placements of the norm, lines over the sublayers of a trained transformer show how many more points
    are misclassified without each of them, and, in a second picture, how much each adds as a share of the stream it is
    added to. The measures are the errors without several sublayers, and those of a head that reads the stream early.
    """

    restarts = ("depth", "learning_rate", "initialization", "training_steps", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 16, 32)}

    depth = Stops(default=16, objects=[8, 16, 32], label="Depth", doc="sublayers, attention and feed-forward in turn")
    learning_rate = usual_parameters.learning_rate(0.003, [3e-4, 1e-3, 3e-3, 0.01], precedence=1)
    initialization = usual_parameters.initialization("xavier", "default", "he", "xavier", precedence=1)
    training_steps = usual_parameters.training_steps(400, [100, 200, 400, 800])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Looked:
        recipe = Recipe("adam", self.learning_rate, BATCH, record_every=self.training_steps // LOOKS)
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return self._look({name: transformers.start(self._network(name), recipe, TASK, seeds) for name in PLACED})

    def _network(self, placement: str) -> Transformer:
        return transformer(
            placement,
            self.depth,
            width=WIDTH,
            hidden=HIDDEN,
            tokens=TOKENS,
            heads=HEADS,
            initialization=self.initialization,
        )

    def advance(self, state: Looked, steps: int) -> Looked:
        step = state.runs[PLACED[0]].step
        for count, due in to_looks(step, min(step + steps, self.training_steps), self.training_steps // LOOKS):
            runs = {name: transformers.advance(run, count) for name, run in state.runs.items()}
            state = self._look(runs) if due else replace(state, runs=runs)
        return state

    def _look(self, runs: Mapping[str, TrainingState[Transformer]]) -> Looked:
        data = TASK.load()
        points = data.train_inputs[:ASKED], data.train_labels[:ASKED]
        looks = {name: [uses(run, at, *points) for at in range(self.seeds)] for name, run in runs.items()}
        return Looked(runs, runs[PLACED[0]].step, looks)

    def frame(self, state: Looked) -> Frame:
        blocks = np.arange(1, self.depth + 1)
        quantities = {
            "block": Quantity(blocks, "sublayer, from the input", "number", ("block",)),
            "count": Quantity(np.arange(self.depth + 1), "sublayers left out, or passed", "sublayers", ("count",)),
        }
        answers: dict[str, float] = {"looked_at_step": state.step, "depth": self.depth}
        for name in PLACED:
            looks, label = state.found[name], f"{PLACEMENTS[name].title}: "
            lost = np.stack([look.without - look.whole for look in looks], axis=1)
            shares = np.stack([look.shares for look in looks], axis=1)
            pruned, exits = (np.stack([getattr(look, kind) for look in looks], axis=1) for kind in ("pruned", "exits"))
            wrong = "share of wrong answers"
            quantities |= band(lost, f"{name}_lost", f"{label}points more that go wrong without it", wrong, "block")
            quantities |= band(shares, f"{name}_share", f"{label}branch over stream", "relative", "block")
            quantities |= band(pruned, f"{name}_pruned", f"{label}error without so many", wrong, "count")
            quantities |= band(exits, f"{name}_exit", f"{label}error of the head after so many", wrong, "count")
            answers[f"{name}_whole"] = float(np.median([look.whole for look in looks]))
            answers[f"{name}_needed"] = float(np.median((lost >= NEEDED).sum(axis=0)))
            answers[f"{name}_last_share"] = float(np.median(shares[-1]))
        lost_runs = tuple(divergence for name, run in state.runs.items() for divergence in self._diverged(name, run))
        return Frame(quantities, answers, state.runs[PLACED[0]].step, self.training_steps, lost_runs)

    def _diverged(self, name: str, run: TrainingState[Transformer]) -> tuple[Divergence, ...]:
        return tuple(divergences(run, PLACEMENTS[name].title))

    def describe(self, frame: Frame) -> str:
        looked = int(frame.results["looked_at_step"])
        if not looked:
            return "Nothing is trained yet: at the start no sublayer is needed, since the whole network knows nothing."
        counts = [
            f"{number(float(frame.results[f'{name}_needed']))} in {PLACEMENTS[name].title} "
            f"(training error {percent(float(frame.results[f'{name}_whole']))})"
            for name in PLACED
        ]
        return (
            f"After {looked} of {frame.steps} steps, a sublayer counts as needed if without it one more point in "
            f"{round(1 / NEEDED)} goes wrong. Needed of {self.depth}: {counts[0]}, {counts[1]} and {counts[2]}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Transformers of {self.depth} sublayers, width {WIDTH}, {HEADS} heads, {HIDDEN} hidden units, no "
            f"learned gains; the {TOKENS} rows of an image are its tokens. A sublayer that is left out passes on the "
            "stream; nothing is retrained.",
            data=TASK.load().sentence
            + f"; each step uses {BATCH} of the training images, and {ASKED} of them are used for the measurements.",
            seeds=f"{self.seeds} (from {self.seed}), the same for all; lines are their median, bands their "
            f"whole range; Adam at {number(self.learning_rate)}.",
            cannot_show="Large models, and what a network trained without the sublayer would do.",
        )


@calculation(long=True, readings=("placement", "what", "block", "statistic"), tolerance=0.2, absolute=0.02)
def measured(placement: str, what: str, block: int, depth: int = 16, statistic: str = "median") -> float:
    """A measurement of one sublayer, counted from 1: "lost" without it, or its "share"; or the "error" of the whole
    network."""
    frame = results.finished(Plateau(depth=depth))
    if what == "error":
        return float(frame.results[f"{placement}_whole"])
    return reading(frame, f"{placement}_{what}", statistic, block - 1)


@calculation(long=True, readings=("placement",), absolute=1)
def harmless_from(placement: str, depth: int = 16) -> int:
    """The sublayer, counted from 1, from which on leaving out any single one costs less than `NEEDED` (median of three
    seeds)."""
    frame = results.finished(Plateau(depth=depth))
    needed = np.flatnonzero(frame[f"{placement}_lost"] >= NEEDED)
    return int(needed[-1]) + 2 if len(needed) else 1


@calculation(long=True, readings=("placement", "count", "statistic"), tolerance=0.2, absolute=0.02)
def wrong_after(placement: str, count: int, depth: int = 16, statistic: str = "median") -> float:
    """Share of wrong answers if the head reads the stream after `count` sublayers, so without all later ones; over
    three seeds."""
    return reading(results.finished(Plateau(depth=depth)), f"{placement}_exit", statistic, count)
