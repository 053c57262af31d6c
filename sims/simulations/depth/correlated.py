"""Corrections that agree: how far they lead together, as a walk, in a formula and in a network during training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band, reading
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.stacks.corrections_walk import Agreement, agreement, correlation_through, distances, planar
from sims.instruments.stacks.streams import streams
from sims.instruments.training.divergence import divergences
from sims.instruments.training.looks import to_looks
from sims.kept import results

WIDTH, POINTS = 32, 64
LOOKS = 20
"""Looks at the corrections in a whole run"""

FACTORS = {"1/sqrt(blocks)": "1/√L", "1/blocks": "1/L", "1": "1"}
STRENGTHS = {
    "he": "He weights, as strong as their input",
    "default": "a library's default weights, which make each branch far weaker than its input",
}


@dataclass(frozen=True)
class Walks:
    """A run, its corrections at the start and now, and ρ of every seed at every look."""

    run: TrainingState
    first: Agreement
    steps: tuple[int, ...]
    correlations: tuple[tuple[float, ...], ...]


def look(run: TrainingState) -> list[Agreement]:
    """The agreement of every seed's corrections at held-out images."""
    points = run.source.load().test_inputs[:POINTS]
    return [agreement(streams(run, points, index)) for index in range(len(run.seeds))]


class Correlated(Training):
    """Corrections that agree lead far from the start

    Two walks in the plane start from one point. Each step is as long as the correction of one block, and ends as far
    from the start as the stream has moved: steps that are independent of each other curl up into a spiral, and steps
    that agree lead straight ahead. One walk belongs to a network before and during training, the other to a formula
    with the correlation ρ. A curve shows the distance from the start, block by block. The measure is ρ over training.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "rho": (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0),
        "initialization": ("he", "default"),
    }

    restarts = ("initialization", "factor", "blocks", "training_steps", "seeds", "seed")

    rho = param.Number(
        0.1, bounds=(0.0, 1.0), step=0.01, label="ρ in the formula", doc="correlation between any two corrections"
    )
    initialization = usual_parameters.initialization("default", "default", "he")
    factor = param.Selector(
        default="1/sqrt(blocks)",
        objects={label: name for name, label in FACTORS.items()},
        label="Factor on the branches",
        doc="a fixed factor on every branch; L is the number of blocks",
        precedence=1,
    )
    blocks = Stops(default=64, objects=[16, 32, 64], label="Blocks", doc="residual blocks of two layers", precedence=1)
    training_steps = usual_parameters.training_steps(400, [200, 400, 800])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Walks:
        architecture = Architecture(
            depth=2 * self.blocks + 2,
            width=WIDTH,
            unit="two-layer",
            initialization=self.initialization,
            branch_factor=self.factor,
        )
        recipe = Recipe("adam", 0.001, 64, clip=1.0, record_every=self.training_steps // LOOKS)
        run = start(architecture, recipe, source("digits"), tuple(range(self.seed, self.seed + self.seeds)))
        walks = look(run)
        return Walks(run, walks[0], (0,), (tuple(walk.correlation for walk in walks),))

    def advance(self, state: Walks, steps: int) -> Walks:
        end = min(state.run.step + steps, self.training_steps)
        for count, due in to_looks(state.run.step, end, self.training_steps // LOOKS):
            run = advance(state.run, count)
            state = replace(state, run=run)
            if due:
                rhos = tuple(walk.correlation for walk in look(run))
                state = replace(state, steps=(*state.steps, run.step), correlations=(*state.correlations, rhos))
        return state

    def frame(self, state: Walks) -> Frame:
        walks = look(state.run)
        rhos = [walk.correlation for walk in walks]
        quantities = {
            "steps": Quantity(np.array(state.steps), "training step", "steps", ("look",)),
            **band(np.array(state.correlations), "rho", "correlation of the corrections", "relative", "look"),
        }
        for name, walk in (("start", state.first), ("now", walks[0])):
            unit = walk.lengths.mean()
            walked, far = walk.lengths / unit, walk.distances / unit
            quantities |= _walk(name, f"network, {name}", planar(walked, far), far)
        answers = {
            "rho_start": float(np.median(state.correlations[0])),
            "rho_now": float(np.median(rhos)),
            "far_start": float(quantities["start_distance"].values[-1]),
            "far_now": float(quantities["now_distance"].values[-1]),
            "test_error": float(np.median(state.run.now.test_error)),
        }
        frame = Frame(quantities, answers, state.run.step, self.training_steps, divergences(state.run, "residual"))
        return self.reread(frame)

    def reread(self, frame: Frame) -> Frame:
        far = distances(self.blocks, self.rho)
        quantities = _walk("formula", "formula", planar(np.ones(self.blocks), far), far)
        results_ = {**frame.results, "far_formula": float(far[-1])}
        return replace(frame, quantities={**frame.quantities, **quantities}, results=results_)

    def describe(self, frame: Frame) -> str:
        r = {name: float(value) for name, value in frame.results.items()}
        when = f"After {frame.step} steps" if frame.step else "Before the first step"
        return (
            f"{when}, the corrections of any two of {self.blocks} blocks have a correlation of "
            f"{number(r['rho_now'], 2)} (median seed; {number(r['rho_start'], 2)} at the start). Together they go "
            f"{number(r['far_now'])} times as far as one of them; independent ones go {number(self.blocks**0.5)} "
            f"times as far, and those of the formula, with ρ = {number(self.rho)}, {number(r['far_formula'])} times."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"A residual ReLU network of {self.blocks} two-layer blocks of width {WIDTH} without norms, each "
            f"branch times {FACTORS[self.factor]}; {STRENGTHS[self.initialization]}. Adam at 0.001, batches of 64.",
            data=f"{source('digits').load().sentence}; corrections are measured on {POINTS} held-out images.",
            seeds=f"{self.seeds} (from {self.seed}); ρ is their median, the band their range; walks show the "
            "first. Lengths are root mean squares over the images, in units of the mean step.",
            cannot_show="Large models, and directions: the plane keeps every length and every distance from the "
            "start, and nothing else.",
        )


def _walk(name: str, label: str, places: np.ndarray, far: np.ndarray) -> dict[str, Quantity]:
    unit = "mean steps"
    return {
        f"{name}_x": Quantity(places[:, 0], f"{label}: walk, to the right", unit, ("place",)),
        f"{name}_y": Quantity(places[:, 1], f"{label}: walk, upward", unit, ("place",)),
        f"{name}_distance": Quantity(far, f"{label}: distance from the start", unit, ("place",)),
    }


def rho_through(block: float, distance: float) -> float:
    """The correlation ρ of the formula's curve through a point of the figure."""
    return round(correlation_through(block, distance), 2)


@calculation
def variance(blocks: int, rho: float, branch: float = 1.0) -> Number:
    """The stream's variance with a branch factor of 1/√L, from an initial 1: 1 + v + v(L − 1)ρ."""
    return 1 + branch + branch * (blocks - 1) * rho


@calculation
def distance(blocks: int, rho: float) -> Number:
    """The distance from the start after `blocks` steps of length 1, any two of which have the correlation ρ."""
    return float(distances(blocks, rho)[-1])


@calculation(long=True, readings=("when", "statistic"), absolute=0.03)
def correlation(
    when: str = "now", initialization: str = "default", factor: str = "1/sqrt(blocks)", statistic: str = "median"
) -> Number:
    """ρ of 64 blocks before training ("start") or after 400 steps ("now"): median, lowest or highest of three seeds."""
    frame = results.finished(Correlated(initialization=initialization, factor=factor))
    return reading(frame, "rho", statistic, 0 if when == "start" else -1)


@calculation(long=True, readings=("when",), tolerance=0.1)
def far(when: str = "now", initialization: str = "default", factor: str = "1/sqrt(blocks)") -> Number:
    """The distance that the first seed's 64 corrections lead from the start, in units of their mean length."""
    return float(results.finished(Correlated(initialization=initialization, factor=factor)).results[f"far_{when}"])
