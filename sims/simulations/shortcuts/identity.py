"""Two stacks, with and without skips, learn to copy their input."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band, reading
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import exact_or, number
from sims.engines.perceptrons.square_stack import MatchingTask, Stack, StackState, advance, distances, outputs, start
from sims.kept import results

NETWORKS = {"plain": False, "residual": True}
"""Name on the page → whether there is a skip around every layer."""

WIDTH, SAMPLES = 16, 256

DECAY = 1.0
"""Weight decay when it is the only pull: with a learning rate of 0.01, one percent of each weight per step."""

POINTS = 100
"""Points of a curve over a whole run, about."""

TARGETS = {"copy": 1.0, "flip": -1.0, "double": 2.0}
"""Target → its factor."""

Runs = dict[str, StackState]


class Identity(Training):
    """Learning to copy

    Two square pictures show, as one matrix each, what a plain and a residual stack do to their input, with outlines
    around the cells that should be filled: for a copy, a diagonal of ones. Two curves show how far the outputs are from
    the target while both stacks train. Among the measures, bars show, layer by layer, how far the weights are from the
    point where a layer copies its input.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "layers": (1, 2, 5, 10, 20),
        "initialization": ("zero", "small", "default", "xavier", "orthogonal"),
        "target": ("copy", "flip"),
    }
    restarts = (
        *("layers", "initialization", "target", "pull", "hidden", "learning_rate", "training_steps", "seeds", "seed"),
    )

    layers = Stops(default=20, objects=[1, 2, 5, 10, 20], label="Layers", doc="square layers one after another")
    initialization = param.Selector(
        default="default",
        objects={
            "Zero": "zero",
            "A tenth of Xavier": "small",
            "Library default": "default",
            "Xavier": "xavier",
            "Orthogonal": "orthogonal",
        },
        label="Initial weights",
        doc="where the weights of both stacks start",
    )
    target = param.Selector(
        default="copy",
        objects={"x": "copy", "−x": "flip", "2x": "double"},
        label="Target output",
        doc="what the stacks should turn their input x into",
        precedence=1,
    )
    pull = param.Selector(
        default="loss",
        objects={"The loss": "loss", "Only decay": "decay"},
        label="What moves the weights",
        doc="training, or weight decay without any training",
        precedence=1,
    )
    hidden = param.Selector(
        default="linear",
        objects={"None": "linear", "tanh": "tanh"},
        label="Activation",
        doc="what follows every layer but the last",
        precedence=1,
    )
    learning_rate = usual_parameters.learning_rate(0.01, (1e-3, 3e-3, 0.01, 0.03, 0.1), precedence=1)
    training_steps = usual_parameters.training_steps(400, (200, 400, 1000, 2000))
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        seeds = range(self.seed, self.seed + self.seeds)
        return {name: start(self._stack(skip), seeds) for name, skip in NETWORKS.items()}

    def _stack(self, skip: bool) -> Stack:
        return Stack(self.layers, WIDTH, skip, self.hidden, self.initialization)

    def _task(self) -> MatchingTask:
        inputs = _inputs()
        learns = self.pull == "loss"
        return MatchingTask(inputs, TARGETS[self.target] * inputs, self.learning_rate, 0.0 if learns else DECAY, learns)

    def advance(self, state: Runs, steps: int) -> Runs:
        left = self.training_steps - next(iter(state.values())).step
        return {name: advance(run, self._task(), min(steps, left)) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        task = self._task()
        step = next(iter(state.values())).step
        stride = max(1, self.training_steps // POINTS)
        steps = np.unique(np.append(np.arange(0, step + 1, stride), step))
        quantities = {"steps": Quantity(steps, "training step", "steps", ("record",))}
        answers: dict[str, float | int | str] = {"layers": self.layers, "wanted": self.target}
        diverged = []
        for name, run in state.items():
            predictions = [outputs(run.stack, weights, task.inputs) for weights in run.weights]
            now = np.array([_error(prediction, task.targets) for prediction in predictions])
            losses = np.vstack([run.losses, np.where(run.lost, np.nan, now)])
            quantities |= band(losses[steps], f"{name}_loss", f"{name}: mean squared error", "relative", "record")
            away = np.median(distances(run), axis=0)
            label = f"{name}: distance of the weights from copying, median of the seeds"
            quantities[f"{name}_distance"] = Quantity(away, label, "relative", ("layer",))
            label = f"{name}: the stack as one matrix, first seed"
            quantities[f"{name}_matrix"] = Quantity(
                _matrix(predictions[0], task.inputs), label, "relative", ("to", "from")
            )
            answers[f"{name}_loss"] = _median(losses[-1])
            answers[f"{name}_loss_at_start"] = _median(losses[0])
            answers[f"{name}_distance"] = float(np.median(away))
            answers[f"{name}_size"] = float(
                np.median([np.sqrt(np.mean(np.square(prediction, dtype=np.float64))) for prediction in predictions])
            )
            diverged += _divergence(run, name)
        return Frame(quantities, answers, step, self.training_steps, tuple(diverged))

    def describe(self, frame: Frame) -> str:
        tasks = {"copy": "copy their input", "flip": "flip the sign of their input", "double": "double their input"}
        layers = f"{self.layers} layer{'' if self.layers == 1 else 's'}"
        plain, residual = (exact_or(float(frame.results[f"{name}_loss"])) for name in NETWORKS)
        when = f"after {frame.step} of {frame.steps} steps" if frame.step else "before the first step"
        if self.pull == "decay":
            sizes = [exact_or(float(frame.results[f"{name}_size"])) for name in NETWORKS]
            expected = {"copy": "a copy", "flip": "the input with the opposite sign", "double": "twice the input"}
            return (
                f"{when.capitalize()} of weight decay alone, {layers} deep: the outputs' size is {sizes[0]} "
                f"without skips and {sizes[1]} with them (the input's is about 1). Compared with "
                f"{expected[self.target]}, their mean squared error is {plain} and {residual}."
            )
        return (
            f"{when.capitalize()}, the stacks ({layers}) that should {tasks[self.target]} have a mean squared error of "
            f"{plain} without skips and {residual} with them (when copying, an output of zero would have about 1)."
        )

    def disclosure(self) -> Disclosure:
        between = "tanh after every layer but the last" if self.hidden == "tanh" else "no activation"
        moved = (
            f"Adam at {number(self.learning_rate)} on the mean squared error, all samples in every step"
            if self.pull == "loss"
            else f"no training: each step multiplies every weight by {number(1 - DECAY * self.learning_rate)}"
        )
        return Disclosure(
            network=f"{self.layers} square layers of width {WIDTH} without biases, {between}; the residual stack adds "
            f"each layer's input to its output and is otherwise the same, initial weights included; {moved}.",
            data=f"{SAMPLES} vectors of {WIDTH} independent standard normal numbers.",
            seeds=f"{self.seeds} (from {self.seed}), the same for both; the line is their median, the band their whole "
            f"range; {self.training_steps} steps. The two matrices are those of the first seed.",
            cannot_show="Whether failing to copy is why deep networks degrade: nobody trains networks just to "
            "copy, and other widths, norms or learning rates give other numbers.",
        )


def _inputs() -> np.ndarray:
    """The samples, (width, samples): the same in every run."""
    samples: np.ndarray = np.random.default_rng(7).normal(size=(WIDTH, SAMPLES)).astype(np.float32)
    return samples


def _error(computed: np.ndarray, expected: np.ndarray) -> float:
    return float(np.mean(np.square(computed - expected, dtype=np.float64)))


def _median(values: np.ndarray) -> float:
    """Median over the seeds that did not diverge; NaN if there are none."""
    left = values[np.isfinite(values)]
    return float(np.median(left)) if len(left) else math.nan


def _matrix(computed: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The matrix that best maps the inputs to a stack's outputs; for a linear stack, the product of its layers.

    Least squares, (width, width), from inputs and outputs (width, samples).
    """
    solution: np.ndarray = np.linalg.lstsq(inputs.T.astype(np.float64), computed.T.astype(np.float64), rcond=None)[0]
    return solution.T


def _divergence(run: StackState, name: str) -> list[Divergence]:
    lost = run.lost[run.lost > 0]
    if not len(lost):
        return []
    return [
        Divergence(
            int(lost.min()),
            f"outputs of the {name} stack ({len(lost)} of {len(run.seeds)} seeds)",
            "Every layer multiplies, and large weights in many layers multiply to more than single precision holds.",
            "Try a smaller learning rate, fewer layers or smaller initial weights.",
        )
    ]


@calculation(long=True, readings=("skip", "when", "statistic"), tolerance=0.02)
def loss(
    layers: int,
    skip: bool,
    initialization: str = "default",
    target: str = "copy",
    pull: str = "loss",
    when: str = "end",
    statistic: str = "median",
) -> float:
    """Mean squared error of a stack at the "start" or the "end" of a run, over 5 seeds.

    When a copy is the target, an output of zero has an error of about 1. `statistic` is "median", "lowest" or
    "highest".
    """
    identity = Identity(layers=layers, initialization=initialization, target=target, pull=pull)
    frame = results.finished(identity)
    return reading(frame, f"{'residual' if skip else 'plain'}_loss", statistic, 0 if when == "start" else -1)


@calculation(long=True, readings=("skip",))
def size(layers: int, skip: bool, pull: str, initialization: str = "default") -> float:
    """Root mean square of a stack's outputs after a run, median of 5 seeds; that of the inputs is about 1."""
    frame = results.finished(Identity(layers=layers, initialization=initialization, pull=pull))
    return float(frame.results[f"{'residual' if skip else 'plain'}_size"])
