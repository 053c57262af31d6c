"""Three ways for depth to fail: vanished, exploded, and stalled with level gradients."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS, reading, spread
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.recipe_words import NORMS, STARTS, steps_taken
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number, percent
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start, start_from
from sims.engines.state import Record
from sims.instruments.gradients.gradient_ratio import (
    EXPLODED,
    FINE,
    LEVEL,
    VANISHED,
    diagnosis,
    first_to_last,
    gradient_ratio,
)
from sims.instruments.networks.likeness import COMPARED, likeness_by_layer
from sims.instruments.training.curves import TRAINING, record_bands
from sims.instruments.training.divergence import divergences
from sims.kept import results
from sims.kept.neighbors import neighbors

CURVE = 25
"""Points of a curve over a whole run."""

BATCH = 128

RATES = (1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 0.01)
"""Learning rates among which `best_errors` chooses"""

MEANING = {
    "fine": "the network fits its training data",
    "vanished": "next to no gradient reaches the first layers",
    "exploded": "an enormous gradient reaches the first layers",
    "stalled": "the gradients are level, and yet the fit is bad",
    "tilted": "the fit is bad, and the gradients slope without having vanished or exploded",
}


PLAIN = {"skip": "none", "activation": "relu"}

CASES: Mapping[str, Mapping[str, str]] = {
    "Default": PLAIN | {"initialization": "default", "norm": "none"},
    "BatchNorm": PLAIN | {"initialization": "he", "norm": "batch"},
    "He": PLAIN | {"initialization": "he", "norm": "none"},
}
"""Name of a failure → the settings that lead to it, at a depth where they do"""


@dataclass(frozen=True)
class Opened:
    """A run, and how alike its networks made different inputs before training."""

    run: TrainingState
    likeness: np.ndarray
    """(seeds, layers - 1) mean cosine between the activations of different test inputs, before the first step"""


class Failures(Training):
    """Three ways for depth to fail

    Three towers of blocks are side by side, one for each failure. Light comes down from the last block, on top;
    its width and brightness show how large the gradient of the stream is before training. It fades on the way down,
    stays even, or grows white-hot.
    Above a tower are the failure's name and the error at the end. A fourth tower is for other settings. Among the
    measures, a line for each of these networks shows how alike different inputs become from layer to layer. The others
    show the gradients of the stream and of the weights before and after training, how training changes that similarity,
    and curves of loss and error.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (20, 56, 100),
        "initialization": ("default", "he"),
        "skip": ("none", "additive"),
        "norm": ("none", "batch", "pre-layer"),
    }

    depth = param.Integer(56, bounds=(8, 100), step=2, label="Depth", doc="linear layers from input to output")
    initialization = usual_parameters.initialization("he", "default", "he", "orthogonal", "looks-linear", precedence=1)
    skip = param.Selector(
        default="none",
        objects={"Plain": "none", "Skip": "additive"},
        label="Connection",
        doc="whether every layer has a skip connection",
    )
    norm = param.Selector(
        default="none",
        objects={"None": "none", "BatchNorm": "batch", "Pre-LN": "pre-layer"},
        label="Normalization",
        doc="what is normalized in every block",
        precedence=1,
    )
    activation = usual_parameters.activation(precedence=1)
    optimizer = usual_parameters.optimizer("adam", "momentum", "adam", precedence=1)
    learning_rate = usual_parameters.learning_rate(
        0.001, [1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1], precedence=1
    )
    training_steps = usual_parameters.training_steps(600, [300, 600, 1200, 2400])
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    def start(self) -> Opened:
        run = self.untrained()
        return Opened(run, likeness_by_layer(run, _compared()))

    def untrained(self) -> TrainingState:
        """The networks of all seeds before the first step, without the likeness."""
        architecture = Architecture(
            depth=self.depth,
            width=48,
            skip=self.skip,
            norm=self.norm,
            activation="relu" if self.initialization == "looks-linear" else self.activation,
            initialization=self.initialization,
            final_norm=self.norm == "pre-layer",
        )
        recipe = Recipe(self.optimizer, self.learning_rate, BATCH, record_every=self.training_steps // CURVE)
        return start(architecture, recipe, source("teacher"), tuple(range(self.seed, self.seed + self.seeds)))

    def advance(self, state: Opened, steps: int) -> Opened:
        return replace(state, run=advance(state.run, min(steps, self.training_steps - state.run.step)))

    def frame(self, state: Opened) -> Frame:
        run = state.run
        first, now = run.records[0], run.now
        quantities = {"steps": Quantity(np.array([r.step for r in run.records]), "training step", "steps", ("record",))}
        quantities |= record_bands(run.records, curves=TRAINING)
        for name, record in (("now", now), ("at start", first)):
            for kind, values, axis in (
                ("weight gradient", record.weight_gradients, "layer"),
                ("stream gradient", record.stream_gradients, "place"),
            ):
                label = f"norm of the {kind}, {name}, median of the seeds"
                quantities[f"{kind} {name}"] = Quantity(np.median(values, axis=0), label, "relative", (axis,))
        likeness_now = likeness_by_layer(run, _compared()) if run.step else state.likeness
        for name, alike in (("now", likeness_now), ("at start", state.likeness)):
            quantities[f"likeness {name}"] = Quantity(
                np.median(alike, axis=0),
                f"mean cosine between the activations of different test inputs, {name}, median of the seeds",
                "cosine",
                ("layer",),
            )
        ratio = gradient_ratio(first)
        error = float(np.median(now.train_error))
        answers: dict[str, float | str] = {
            "ratio": ratio,
            "training_error": error,
            "likeness": float(np.median(state.likeness[:, -1])),
            "diagnosis": diagnosis(ratio, error) if run.step >= self.training_steps else "not trained yet",
        }
        return Frame(quantities, answers, run.step, self.training_steps, divergences(run, self._kind()))

    def _kind(self) -> str:
        return "plain" if self.skip == "none" else "residual"

    def case(self) -> str | None:
        """The name of the failure with these settings; None if they are not those of one of the three."""
        matches = (name for name, case in CASES.items() if all(getattr(self, key) == case[key] for key in case))
        return next(matches, None)

    def drawn_beside(self) -> Mapping[str, Mapping[str, str]]:
        return CASES

    def kept_cases(self) -> dict[str, Frame]:
        """Failure → the last frame of a stored run that shows it at this depth, if there is one."""
        return neighbors(self)

    def describe(self, frame: Frame) -> str:
        ratio, verdict = float(frame.results["ratio"]), str(frame.results["diagnosis"])
        start = f"Before training, the first of the stream's gradients is {number(ratio)} times the last."
        if not frame.finished:
            done = (
                f" After {frame['steps'][-1]} steps the training error is"
                if frame["steps"][-1]
                else " At the start, the training error is"
            )
            return f"{start}{done} {spread(frame, 'train_error', self.seeds)}."
        return (
            f"{start} After {frame.steps} steps the training error is {spread(frame, 'train_error', self.seeds)}. "
            f"Diagnosis: {verdict}; {MEANING[verdict]}."
        )

    def disclosure(self) -> Disclosure:
        activation = "ReLU" if self.initialization == "looks-linear" or self.activation == "relu" else "tanh"
        clash = (
            " (looks-linear weights are made for ReLU, so ReLU it is)" if activation.lower() != self.activation else ""
        )
        return Disclosure(
            network=f"A {self._kind()} multilayer perceptron of {self.depth} linear layers, width 48, "
            f"{activation}{clash}, {NORMS[self.norm]}; {STARTS[self.initialization]}.",
            data=source("teacher").load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}); line and bars are their median, the band their whole range; "
            f"{steps_taken(self.training_steps, self.optimizer, self.learning_rate, BATCH)}.",
            cannot_show=f"Whether a bad fit would improve with more than {self.training_steps} steps. The rule: a "
            f"training error below {percent(FINE)} is fine; otherwise a ratio of the stream's first gradient to its "
            f"last below {number(VANISHED)} counts as vanished, above {number(EXPLODED)} as exploded, from "
            f"{number(LEVEL[0])} to {number(LEVEL[1])} as stalled, and the rest as tilted. The mean cosine is over "
            f"all pairs of {COMPARED} test inputs; it does not show whether this similarity causes a bad fit.",
        )


def _compared() -> np.ndarray:
    """The test inputs whose likeness is measured, (COMPARED, inputs)."""
    return source("teacher").load().test_inputs[:COMPARED]


@calculation(long=True, readings=("statistic",), absolute=0.15)
def training_error(
    initialization: str,
    depth: int,
    activation: str = "relu",
    skip: str = "none",
    norm: str = "none",
    training_steps: int = 600,
    statistic: str = "median",
) -> float:
    """Share of training points misclassified after a run: "median", "lowest" or "highest" of 5 seeds, 0 to 1."""
    failures = Failures(
        initialization=initialization,
        depth=depth,
        activation=activation,
        skip=skip,
        norm=norm,
        training_steps=training_steps,
        seeds=5,
    )
    frame = results.finished(failures)
    return reading(frame, "train_error", statistic)


@calculation(long=True, readings=("statistic",), absolute=0.15)
def best_error(
    initialization: str, depth: int, activation: str = "relu", norm: str = "none", statistic: str = "median"
) -> float:
    """Share of training points a plain network gets wrong after 600 steps at the best of `RATES` for its seed, 0 to 1;
    the statistic is over 5 seeds."""
    return STATISTICS[statistic](best_errors(initialization, depth, activation, norm).tolist())


@cache
def best_errors(
    initialization: str, depth: int, activation: str, norm: str, seeds: int = 5, seed: int = 0
) -> np.ndarray:
    """For each seed, the lowest training error that any of `RATES` leads to, (seeds,); 1 where all overflowed."""
    errors = []
    for rate in RATES:
        failures = Failures(
            initialization=initialization,
            depth=depth,
            activation=activation,
            norm=norm,
            learning_rate=rate,
            seeds=seeds,
            seed=seed,
        )
        run = advance(failures.untrained(), failures.training_steps)
        errors.append(np.where([overflow is not None for overflow in run.overflows], 1.0, run.now.train_error))
    best: np.ndarray = np.min(errors, axis=0)
    return best


@calculation(long=True, readings=("statistic",))
def first_to_last_gradient(
    initialization: str,
    depth: int,
    activation: str = "relu",
    skip: str = "none",
    norm: str = "none",
    statistic: str = "median",
) -> float:
    """Gradient of the stream after the stem over that after the last block, before any step; over 5 seeds."""
    run = _five_untrained(initialization, depth, activation, skip, norm)
    return STATISTICS[statistic](first_to_last(run.records[0]).tolist())


@calculation(long=True, readings=("gradient", "statistic"))
def shrunk_first_to_last(gradient: str, factor: float, depth: int = 56, statistic: str = "median") -> float:
    """First over last gradient of plain ReLU networks with `factor` times He's weights, before any step; over 5 seeds.

    `gradient` is "weights" (of the first layer's weight matrix over that of the last layer's) or "stream" (after the
    stem over after the last block).
    """
    return STATISTICS[statistic](_ratios(shrunk_start(factor, depth), gradient))


def shrunk_start(factor: float, depth: int, seeds: int = 5, seed: int = 0) -> Record:
    """The record before the first step of plain ReLU networks with `factor` times the weights of He's start.

    It is computed in double precision, since the gradients of small weights underflow in single precision.
    """
    run = Failures(initialization="he", depth=depth, seeds=seeds, seed=seed).untrained()
    weights = run.parameters.astype(np.float64) * factor
    return start_from(weights, run.architecture, run.recipe, run.source, run.seeds).records[0]


def _ratios(record: Record, gradient: str) -> list[float]:
    if gradient == "stream":
        return first_to_last(record).tolist()
    return (record.weight_gradients[:, 0] / record.weight_gradients[:, -1]).tolist()


@calculation(long=True, readings=("statistic",))
def likeness(
    initialization: str,
    depth: int,
    activation: str = "relu",
    skip: str = "none",
    norm: str = "none",
    statistic: str = "median",
) -> float:
    """Mean cosine between what the head reads for different test inputs, before any step, -1 to 1; over 5 seeds."""
    run = _five_untrained(initialization, depth, activation, skip, norm)
    return STATISTICS[statistic](likeness_by_layer(run, _compared())[:, -1].tolist())


def _five_untrained(initialization: str, depth: int, activation: str, skip: str, norm: str) -> TrainingState:
    return Failures(
        initialization=initialization, depth=depth, activation=activation, skip=skip, norm=norm, seeds=5
    ).untrained()
