"""Three ways for depth to fail: vanished, exploded, and degraded with healthy gradients."""

from collections.abc import Mapping, Sequence
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
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.gradients.gradient_ratio import EXPLODED, FINE, LEVEL, VANISHED, diagnosis, first_to_last
from sims.instruments.training.curves import TRAINING, record_bands
from sims.instruments.training.divergence import divergences
from sims.kept import results
from sims.kept.neighbors import neighbor

CURVE = 25
"""Points of a curve over a whole run."""

BATCH = 128

MEANING = {
    "fine": "the network fits its training data",
    "vanished": "the first layers get next to no gradient",
    "exploded": "the first layers get an enormous gradient",
    "degraded": "the gradients are level and healthy, and yet the fit is bad",
    "tilted": "the fit is bad, and the gradients slope without having vanished or exploded",
}


PLAIN = {"skip": "none", "activation": "relu"}

CASES: Mapping[str, Mapping[str, str]] = {
    "Default": PLAIN | {"initialization": "default", "norm": "none"},
    "BatchNorm": PLAIN | {"initialization": "he", "norm": "batch"},
    "He": PLAIN | {"initialization": "he", "norm": "none"},
}
"""Name of a failure → the settings that lead to it, at a depth where they do"""


class Failures(Training):
    """Three ways for depth to fail

    Three small pictures stand side by side, one for each failure: bars show, layer by layer, the gradient that each
    weight matrix gets before training; above them stand the failure's name and the share of wrong answers at the end.
    A fourth picture stands for other settings. The measures show the same gradients after training, the gradient that
    reaches the stream, and curves of loss and error.
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
    )
    activation = usual_parameters.activation(precedence=1)
    optimizer = usual_parameters.optimizer("adam", "momentum", "adam", precedence=1)
    learning_rate = usual_parameters.learning_rate(
        0.001, [1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1], precedence=1
    )
    training_steps = usual_parameters.training_steps(600, [300, 600, 1200, 2400])
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    def start(self) -> TrainingState:
        architecture = Architecture(
            depth=self.depth,
            width=48,
            skip=self.skip,
            norm=self.norm,
            unit="one-layer",
            activation="relu" if self.initialization == "looks-linear" else self.activation,
            initialization=self.initialization,
            final_norm=self.norm == "pre-layer",
        )
        recipe = Recipe(self.optimizer, self.learning_rate, BATCH, record_every=self.training_steps // CURVE)
        return start(architecture, recipe, source("teacher"), tuple(range(self.seed, self.seed + self.seeds)))

    def advance(self, state: TrainingState, steps: int) -> TrainingState:
        return advance(state, min(steps, self.training_steps - state.step))

    def frame(self, state: TrainingState) -> Frame:
        first, now = state.records[0], state.now
        quantities = {
            "steps": Quantity(np.array([r.step for r in state.records]), "training step", "steps", ("record",))
        }
        quantities |= record_bands(state.records, curves=TRAINING)
        for name, record in (("now", now), ("at start", first)):
            for kind, values, axis in (
                ("weight gradient", record.weight_gradients, "layer"),
                ("stream gradient", record.stream_gradients, "place"),
            ):
                label = f"norm of the {kind}, {name}, median of the seeds"
                quantities[f"{kind} {name}"] = Quantity(np.median(values, axis=0), label, "relative", (axis,))
        gradients = quantities["weight gradient at start"].values
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = float(gradients[0] / gradients[-1])
        error = float(np.median(now.train_error))
        answers: dict[str, float | str] = {
            "ratio": ratio,
            "training_error": error,
            "diagnosis": diagnosis(ratio, error) if state.step >= self.training_steps else "not trained yet",
        }
        return Frame(quantities, answers, state.step, self.training_steps, divergences(state, self._kind()))

    def _kind(self) -> str:
        return "plain" if self.skip == "none" else "residual"

    def case(self) -> str | None:
        """The name of the failure with these settings; None if they are not those of one of the three."""
        matches = (name for name, case in CASES.items() if all(getattr(self, key) == case[key] for key in case))
        return next(matches, None)

    def kept_cases(self) -> dict[str, Frame]:
        """Failure → the last frame of a stored run that shows it at this depth, if there is one."""
        frames = {name: neighbor(self, **case) for name, case in CASES.items()}
        return {name: frame for name, frame in frames.items() if frame is not None}

    def describe(self, frame: Frame) -> str:
        ratio, verdict = float(frame.results["ratio"]), str(frame.results["diagnosis"])
        start = (
            f"Before training, the first of {self.depth} layers has {number(ratio)} times the weight gradient of the "
            "last."
        )
        if not frame.finished:
            done = (
                f" After {frame['steps'][-1]} steps the training error is"
                if frame["steps"][-1]
                else " Untrained, the training error is"
            )
            return f"{start}{done} {spread(frame, 'train_error', self.seeds)}."
        return (
            f"{start} After {frame.steps} steps the training error is {spread(frame, 'train_error', self.seeds)}. "
            f"Diagnosis: {verdict}; {MEANING[verdict]}."
        )

    def honesty(self) -> Disclosure:
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
            cannot_show=f"Whether a bad fit would heal with more than {self.training_steps} steps. The rule: a "
            f"training error below {percent(FINE)} is fine; otherwise a first-to-last gradient ratio below "
            f"{number(VANISHED)} is vanished, above {number(EXPLODED)} exploded, within "
            f"{number(LEVEL[0])} to {number(LEVEL[1])} degraded.",
        )


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


@calculation(long=True, readings=("statistic",))
def first_to_last_gradient(
    initialization: str,
    depth: int,
    activation: str = "relu",
    skip: str = "none",
    norm: str = "none",
    statistic: str = "median",
) -> float:
    """Weight gradient of the first layer over that of the last before any step; the statistic is over 5 seeds."""
    failures = Failures(
        initialization=initialization, depth=depth, activation=activation, skip=skip, norm=norm, seeds=5
    )
    return STATISTICS[statistic](first_to_last(failures.start().records[0]).tolist())
