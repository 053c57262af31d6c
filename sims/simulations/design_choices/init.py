"""Four ways to initialize a branch, and a permanent factor: their effect on stream, gradients and outputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.branch_starts import STARTS, begin
from sims.contract import usual_parameters
from sims.contract.bands import band, reading
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, TrainingState, advance, predict
from sims.instruments.networks.decision_map import classes_on_plane
from sims.instruments.training.curves import record_band
from sims.instruments.training.divergence import divergences
from sims.kept import results

EARLY = (0, 1, 2, 3, 5, 8, 10)
"""Steps at which the two scaled networks are compared besides those of records: the first steps are decisive."""

SEEN = (0, 1, 10)
"""Those of them whose maps of answers are kept."""

SIDE = 64
"""Points along each side of a map."""

CURVE = 30
"""Points of a curve over a whole run."""


@dataclass(frozen=True)
class Runs:
    """One run for every start, and the distance of the two scaled ones from each other."""

    of: dict[str, TrainingState]
    apart: tuple[np.ndarray, ...]
    """For each comparison so far, (seeds,): norm of the difference of all outputs over the norm of the outputs"""
    compared: tuple[int, ...]
    """The steps of the comparisons"""
    maps: tuple[np.ndarray, ...]
    """At each of the steps `SEEN` so far, (2, row, column): classes that "small" and "multiplied" answer on a plane"""

    @property
    def step(self) -> int:
        return next(iter(self.of.values())).step


class Init(Training):
    """How a branch begins, and what is left of it

    Maps of a plane through three test points show, at four moments, which class each of two networks answers there. The
    networks begin as the same function, so their first maps are alike; a third row marks where two maps differ. A line
    over the steps shows the distance between the answers to all test points: it leaves zero at once. Further pictures
    have five lines each, for the training error over the steps and for the size of the stream along the blocks; the
    last picture has two bars per block, for the gradients of the first and of the last layer of its branch.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "optimizer": ("sgd", "adam"),
        "learning_rate": (3e-4, 1e-3, 3e-3, 0.01),
    }

    restarts = ("blocks", "optimizer", "learning_rate", "data", "width", "training_steps", "seeds", "seed")

    blocks = Stops(default=16, objects=[2, 4, 8, 16, 32, 64], label="Blocks", doc="residual blocks, one addition each")
    optimizer = usual_parameters.optimizer("adam", "sgd", "momentum", "adam", precedence=1)
    learning_rate = usual_parameters.learning_rate(1e-3)
    look = param.Selector(
        default="zero",
        objects={words: name for name, words in STARTS.items()},
        label="Gradients of",
        doc="whose gradients the bars show",
        precedence=1,
    )
    data = param.Selector(
        default="teacher",
        objects={"Teacher network": "teacher", "Handwritten digits": "digits"},
        label="Data",
        doc="what is learned",
        precedence=1,
    )
    width = param.Integer(32, bounds=(8, 64), step=8, label="Width", doc="units per layer", precedence=1)
    training_steps = usual_parameters.training_steps(300, (60, 300, 900))
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        interval = self.training_steps // CURVE
        recipe = Recipe(self.optimizer, self.learning_rate, 64, record_every=interval)
        seeds = range(self.seed, self.seed + self.seeds)
        runs = {name: begin(name, self.blocks, self.width, recipe, source(self.data), seeds) for name in STARTS}
        return Runs(runs, (_apart(runs),), (0,), (_maps(runs),))

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // CURVE
        last = min(state.step + steps, int(self.training_steps))
        while state.step < last:
            pause = min(
                last, (state.step // interval + 1) * interval, *(early for early in EARLY if early > state.step)
            )
            runs = {name: advance(run, pause - state.step) for name, run in state.of.items()}
            state = replace(state, of=runs)
            if pause in EARLY or pause % interval == 0:
                state = replace(state, apart=(*state.apart, _apart(runs)), compared=(*state.compared, pause))
            if pause in SEEN:
                state = replace(state, maps=(*state.maps, _maps(runs)))
        return state

    def frame(self, state: Runs) -> Frame:
        any_run = state.of["usual"]
        seen, maps = [step for step in SEEN if step <= state.step], state.maps
        if state.step not in SEEN:
            seen, maps = [*seen, state.step], (*maps, _maps(state.of))
        quantities = {
            "steps": Quantity(
                np.array([record.step for record in any_run.records]), "training step", "steps", ("record",)
            ),
            "compared": Quantity(np.array(state.compared), "step of the comparison", "steps", ("comparison",)),
            **band(
                np.stack(state.apart),
                "apart",
                "distance between the answers of “small” and “multiplied”",
                "relative",
                "comparison",
            ),
            "seen": Quantity(np.array(seen), "step of the maps", "steps", ("moment",)),
            "maps": Quantity(
                np.stack(maps).astype(np.int64),
                "answers of “small” and “multiplied” on a plane through three test points, first seed; −1: not finite",
                "class",
                ("moment", "network", "row", "column"),
            ),
        }
        answers: dict[str, float] = {}
        for name, run in state.of.items():
            sizes = run.now.activations.T
            quantities |= band(
                sizes, f"{name}_stream", f"{STARTS[name]}: root mean square of the stream", "relative", "place"
            )
            quantities |= record_band(run.records, "train_error", f"{name}_error", f"{STARTS[name]}: ")
            for which, first in (("first", 1), ("last", 2)):
                quantities[f"{name}_{which}"] = Quantity(
                    np.median(run.now.weight_gradients[:, first:-1:2], axis=0),
                    f"{STARTS[name]}: gradient of the {which} layer of a branch, median of the seeds",
                    "loss per unit of weight",
                    ("block",),
                )
            answers[f"{name}_stream"] = float(np.median(sizes[-1]))
            answers[f"{name}_error"] = float(np.median(run.now.train_error))
        answers["apart"] = float(np.median(state.apart[-1]))
        return Frame(
            quantities,
            answers,
            state.step,
            self.training_steps,
            tuple(divergence for name, run in state.of.items() for divergence in divergences(run, f"“{STARTS[name]}”")),
        )

    def describe(self, frame: Frame) -> str:
        r = {name: float(value) for name, value in frame.results.items()}
        when = f"After {frame.step} of {frame.steps} steps" if frame.step else "Before the first step"
        apart = "exactly the same" if r["apart"] == 0 else f"{number(100 * r['apart'])}% of their length apart"
        errors = ", ".join(f"{percent(r[f'{name}_error'])} ({words})" for name, words in STARTS.items())
        return (
            f"{when}, the answers of the small and the multiplied networks are {apart}. After {self.blocks} blocks, "
            f"the root mean square of the stream is {number(r['usual_stream'])} (He), {number(r['zero_stream'])} "
            f"(zero) and {number(r['small_stream'])} (small). Training errors, medians: {errors}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Pre-LN residual perceptrons, {self.blocks} blocks of two layers of width {self.width} with ReLU, "
            "and a norm before the head. All have the same layers and, except for GPT-2's scheme, the same random "
            "numbers. GPT-2's scheme has a standard deviation of 0.02 at width 768; here it is scaled to this "
            "width.",
            data=source(self.data).load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}); the line is their median, the band their whole range, the maps "
            f"are of the first seed; batches of 64, learning rate {number(self.learning_rate)}. Gradients are those of "
            "the last step taken.",
            cannot_show="Which initialization is best for a large model, or with a learning rate tuned for each: here "
            "all five share one. A map is one plane of many; the line is about all test points.",
        )


def _apart(runs: dict[str, TrainingState]) -> np.ndarray:
    """‖small − multiplied‖ / ‖multiplied‖ over all outputs on the test points, for every seed: (seeds,)."""
    points = runs["small"].source.load().test_inputs
    small, multiplied = (predict(runs[name], points) for name in ("small", "multiplied"))
    length = np.linalg.norm(multiplied, axis=(1, 2))
    return np.linalg.norm(small - multiplied, axis=(1, 2)) / np.where(length > 0, length, 1)


def _maps(runs: dict[str, TrainingState]) -> np.ndarray:
    """Classes that "small" and "multiplied" answer on a plane, with the first seed: (2, row, column)."""
    return np.stack([classes_on_plane(runs[name], SIDE) for name in ("small", "multiplied")])


@calculation(long=True, readings=("step", "statistic"))
def distance(step: int, statistic: str = "median", optimizer: str = "adam", learning_rate: float = 0.001) -> Number:
    """Distance between the two scaled networks after `step` steps of a default run; `step` must be one of a
    comparison."""
    frame = results.finished(Init(optimizer=optimizer, learning_rate=learning_rate))
    return reading(frame, "apart", statistic, frame["compared"].tolist().index(step))


@calculation(long=True, readings=("start", "statistic"), absolute=0.05)
def error(start: str, statistic: str = "median", optimizer: str = "adam", learning_rate: float = 0.001) -> Number:
    """Training error at the end of a default run, 0 to 1."""
    frame = results.finished(Init(optimizer=optimizer, learning_rate=learning_rate))
    return reading(frame, f"{start}_error", statistic)


@cache
def _before_training(blocks: int) -> Frame:
    training = Init(blocks=blocks)
    return training.frame(training.start())


@calculation(long=True, readings=("start", "block", "squared"))
def stream(start: str, block: int, blocks: int = 16, squared: bool = False) -> Number:
    """Root mean square of the stream after `block` blocks before any step, median of the seeds; or its square."""
    size = float(_before_training(blocks)[f"{start}_stream"][block])
    return size**2 if squared else size
