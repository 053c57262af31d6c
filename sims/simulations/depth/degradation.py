"""Degradation: a deeper plain network fits its own training data worse; the same layers with a skip do not."""

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
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.networks.likeness import COMPARED, mean_cosine, original_stream
from sims.instruments.training.curves import record_bands
from sims.instruments.training.divergence import divergences
from sims.kept import results
from sims.kept.neighbors import neighbors

NETWORKS = {"plain": "none", "residual": "additive"}
"""Name on the page → kind of skip connection."""

BATCHES = {"teacher": 128, "digits": 64}
"""Data → points in a batch"""

TEST_STATISTICS = " For the test error, BatchNorm takes the statistics of the test set itself."
"""Stated next to a test error that is usually computed with running statistics"""

CURVE = 25
"""Points of a curve over a whole run."""

DEFAULT = "default "
"""What comes before the depth in the name of a run with the default settings"""

Runs = dict[str, TrainingState]


class Degradation(Training):
    """The same layers, with and without a skip connection

    Two curves, plotted against depth, show the error of a plain and of a residual network at the end of training, where
    such runs are stored, with a mark at the current depth. Next to them, two curves fall, or fail to fall, as the two
    networks of the current depth train on the same data from the same seeds. Among the measures, a bar for every layer
    shows how large its weights' gradient is.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (2, 4, 8, 14, 20, 26, 32, 44, 56, 64),
        "norm": ("none", "batch"),
    }
    divisible = True
    restarts = (
        *("depth", "norm", "initialization", "optimizer", "learning_rate", "data", "unit", "final_norm"),
        *("networks", "width", "training_steps", "seeds", "seed"),
    )

    depth = param.Integer(20, bounds=(2, 64), step=2, label="Depth", doc="linear layers from input to output")
    norm = param.Selector(
        default="none",
        objects={"None": "none", "BatchNorm": "batch", "LayerNorm": "layer"},
        label="Normalization",
        doc="what normalizes the output of every linear layer",
    )
    data = param.Selector(
        default="teacher",
        objects={"Teacher network": "teacher", "Handwritten digits": "digits"},
        label="Data",
        doc="what is learned: labels by a random teacher network, or real handwritten digits",
        precedence=1,
    )
    measure = param.Selector(
        default="train",
        objects={"Training": "train", "Test": "test"},
        label="Show the error on",
        doc="which data the error is measured on; training is the same",
        precedence=1,
    )
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    learning_rate = usual_parameters.learning_rate(
        0.001, [1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0], precedence=1
    )
    initialization = usual_parameters.initialization("he", "default", "he", "orthogonal", precedence=1)
    unit = param.Selector(
        default="original",
        objects={"Two layers (He et al.)": "original", "One layer": "pre-activation"},
        label="Block",
        doc="what a skip connection spans",
        precedence=1,
    )
    final_norm = param.Boolean(False, label="Norm before the head", doc="normalize what the head reads", precedence=1)
    networks = param.Selector(
        default="both",
        objects={"Both": "both", "Plain": "plain", "Residual": "residual"},
        label="Networks",
        doc="which networks train",
        precedence=1,
    )
    width = param.Integer(48, bounds=(8, 64), step=8, label="Width", doc="units per layer", precedence=1)
    training_steps = usual_parameters.training_steps(600, [200, 400, 600, 1200, 2400])
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        recipe = Recipe(
            optimizer=self.optimizer,
            learning_rate=self.learning_rate,
            batch=BATCHES[self.data],
            record_every=self.training_steps // CURVE,
        )
        chosen = NETWORKS if self.networks == "both" else {self.networks: NETWORKS[self.networks]}
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        return {
            name: start(self._architecture(skip), recipe, source(self.data), seeds) for name, skip in chosen.items()
        }

    def _architecture(self, skip: Any) -> Architecture:
        return Architecture(
            depth=self.depth,
            width=self.width,
            skip=skip,
            norm=self.norm,
            unit=self.unit,
            initialization=self.initialization,
            final_norm=self.final_norm,
        )

    def advance(self, state: Runs, steps: int) -> Runs:
        left = self.training_steps - next(iter(state.values())).step
        return {name: advance(run, min(steps, left)) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        any_run = next(iter(state.values()))
        quantities = {
            "steps": Quantity(np.array([r.step for r in any_run.records]), "training step", "steps", ("record",))
        }
        answers: dict[str, float] = {}
        for name, run in state.items():
            quantities |= record_bands(run.records, f"{name}_", f"{name}: ")
            for when, record in (("", run.now), ("_at_start", run.records[0])):
                gradients = np.median(record.weight_gradients, axis=0)
                label = f"{name}: norm of the weight gradient{when.replace('_', ' ')}, median of the seeds"
                quantities[f"{name}_gradients{when}"] = Quantity(
                    gradients, label, "loss per unit of weight", ("layer",)
                )
            answers[f"{name}_training_error"] = float(np.median(run.now.train_error))
            answers[f"{name}_test_error"] = float(np.median(run.now.test_error))
        answers["depth"] = self.depth
        return Frame(
            quantities,
            answers,
            any_run.step,
            self.training_steps,
            tuple(divergence for name, run in state.items() for divergence in divergences(run, name)),
        )

    def drawn_beside(self) -> dict[str, dict[str, Any]]:
        # The choice of error does not change a run, so runs are stored under its default.
        settings = {name: self.param[name].default for name in self.restarts}
        measure = {"measure": self.param.measure.default}
        own = {str(depth): {"depth": depth} | measure for depth in self.atlas["depth"]}
        return own | {f"{DEFAULT}{depth}": settings | {"depth": depth} | measure for depth in self.atlas["depth"]}

    def kept_ends(self) -> dict[str, Frame]:
        """Depth → the last frame of a stored run with otherwise the same settings, if there is one. A depth after
        `DEFAULT` is that of a run with the default settings."""
        return neighbors(self)

    def describe(self, frame: Frame) -> str:
        part = "training" if self.measure == "train" else "test"
        errors = []
        for name in NETWORKS:
            if f"{name}_{self.measure}_error" in frame.quantities:
                errors.append(f"{spread(frame, f'{name}_{self.measure}_error', self.seeds)} for the {name} network")
        when = f"After {frame['steps'][-1]} of {frame.steps} steps" if frame["steps"][-1] else "Before the first step"
        return f"{when} at depth {self.depth}, the {part} error is {' and '.join(errors)}."

    def disclosure(self) -> Disclosure:
        span = "two layers" if self.unit == "original" else "one layer"
        head = "; a LayerNorm before the head" if self.final_norm else ""
        steps_text = steps_taken(self.training_steps, self.optimizer, self.learning_rate, BATCHES[self.data])
        return Disclosure(
            network=f"Multilayer perceptrons, {self.depth} linear layers of width {self.width}, ReLU, "
            f"{NORMS[self.norm]}{head}; {STARTS[self.initialization]}. The residual one adds a skip over every {span} "
            "and is otherwise the same network, with the same number of parameters."
            f"{TEST_STATISTICS if self.norm == 'batch' else ''}",
            data=source(self.data).load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}), the same for both networks; the line is their median, the band "
            f"their whole range; {steps_text}.",
            cannot_show="What more steps, another learning rate or a wider network would do. This is not a "
            "convolutional network on CIFAR-10: it shows the same effect at a size that your browser "
            "can train while you wait.",
        )


def _run(depth: int, data: str, norm: str, initialization: str) -> Degradation:
    return Degradation(depth=depth, data=data, norm=norm, initialization=initialization)


@calculation(long=True, readings=("skip", "statistic"), absolute=0.05)
def training_error(
    depth: int,
    skip: bool,
    data: str = "teacher",
    norm: str = "none",
    initialization: str = "he",
    statistic: str = "median",
) -> float:
    """Share of training points misclassified after 600 steps, 0 to 1; the statistic is over 5 seeds."""
    frame = results.finished(_run(depth, data, norm, initialization))
    return reading(frame, f"{'residual' if skip else 'plain'}_train_error", statistic)


@calculation(long=True, readings=("skip", "statistic"), absolute=0.05)
def held_out_error(
    depth: int,
    skip: bool,
    data: str = "teacher",
    norm: str = "none",
    initialization: str = "he",
    statistic: str = "median",
) -> float:
    """Share of test points misclassified after 600 steps, 0 to 1; the statistic is over 5 seeds."""
    frame = results.finished(_run(depth, data, norm, initialization))
    return reading(frame, f"{'residual' if skip else 'plain'}_test_error", statistic)


@calculation(long=True, readings=("skip", "statistic"))
def likeness(
    depth: int, skip: bool, norm: str = "none", initialization: str = "he", statistic: str = "median"
) -> float:
    """Mean cosine between what the head reads for different test inputs, before any step, -1 to 1; over 5 seeds."""
    run = _run(depth, "teacher", norm, initialization).start()["residual" if skip else "plain"]
    points = source("teacher").load().test_inputs[:COMPARED]
    return STATISTICS[statistic](mean_cosine(original_stream(run, points)).tolist())
