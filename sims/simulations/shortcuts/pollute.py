"""How clean must the skip be? The same residual network, with an operation on its skip."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import reading, spread
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.instruments.training.curves import record_band
from sims.instruments.training.divergence import divergences
from sims.kept import results

POLLUTANTS: dict[str, tuple[str, str]] = {
    "nothing": ("Nothing", "nothing"),
    "scale": ("A factor λ", "a factor λ"),
    "relu": ("ReLU", "a ReLU after the sum"),
    "norm": ("LayerNorm", "a LayerNorm after the sum (Post-LN)"),
    "dropout": ("Dropout", "a dropout on the skip"),
    "linear": ("Linear map (1 × 1)", "a linear map on the skip"),
}
"""Name → its label, and its description inside a sentence"""
NAMES = ("clean", "polluted")
CURVE, WIDTH = 20, 32
TASK = source("digits", points=512)

Runs = dict[str, TrainingState]


class Pollute(Training):
    """Something on the skip

    Curves show the training error of two residual networks with equal initial weights: one with a clean skip, one with
    something on it. Bars show, block by block, the gradient of the stream; further pictures show the loss and the
    stream's size.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"pollutant": tuple(POLLUTANTS), "blocks": (16, 54)}

    restarts = (
        *("pollutant", "factor", "dropped", "blocks", "initialization", "final_norm", "optimizer", "learning_rate"),
        *("training_steps", "seeds", "seed"),
    )

    pollutant = param.Selector(
        default="scale",
        objects={label: name for name, (label, _words) in POLLUTANTS.items()},
        label="On the skip",
        doc="what the stream has to pass through in every block",
    )
    factor = Stops(
        default=0.9,
        objects=[0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0, 1.01, 1.05, 1.1, 1.2],
        label="λ",
        doc="the factor on the skip, if that is what is on it",
    )
    blocks = Stops(
        default=54, objects=[4, 8, 16, 24, 54], label="Blocks", doc="two linear layers and one sum each", precedence=1
    )
    dropped = Stops(
        default=0.5, objects=[0.1, 0.2, 0.5], label="Dropout", doc="share that dropout sets to zero", precedence=1
    )
    initialization = usual_parameters.initialization("zero-last", "default", "he", "zero-last", precedence=1)
    final_norm = param.Boolean(True, label="Norm before the head", doc="normalize what the head reads", precedence=1)
    optimizer = usual_parameters.optimizer("adam", precedence=1)
    learning_rate = usual_parameters.learning_rate(0.003, precedence=1)
    training_steps = usual_parameters.training_steps(200, [100, 200, 400, 800])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def _architecture(self, **changes: Any) -> Architecture:
        return Architecture(
            depth=2 * self.blocks + 2,
            width=WIDTH,
            initialization=self.initialization,
            final_norm=self.final_norm,
            **{"unit": "two-layer", **changes},
        )

    @property
    def polluted(self) -> Architecture:
        """The architecture of the second network."""
        changes: dict[str, dict[str, Any]] = {
            "scale": {"scaled_skip": self.factor},
            "relu": {"unit": "original"},
            "norm": {"norm": "post-layer"},
            "dropout": {"skip": "dropout", "dropped": self.dropped},
            "linear": {"skip": "linear"},
        }
        return self._architecture(**changes.get(self.pollutant, {}))

    def start(self) -> Runs:
        recipe = Recipe(self.optimizer, self.learning_rate, 64, record_every=self.training_steps // CURVE)
        seeds = tuple(range(self.seed, self.seed + self.seeds))
        networks = {"clean": self._architecture(), "polluted": self.polluted}
        return {name: start(network, recipe, TASK, seeds) for name, network in networks.items()}

    def advance(self, state: Runs, steps: int) -> Runs:
        left = self.training_steps - state["clean"].step
        return {name: advance(run, min(steps, left)) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        steps = np.array([record.step for record in state["clean"].records])
        quantities = {"steps": Quantity(steps, "training step", "steps", ("record",))}
        answers: dict[str, float | int | str] = {}
        for name, run in state.items():
            for measure in ("loss", "error"):
                quantities |= record_band(run.records, f"train_{measure}", f"{name}_{measure}", f"{name}: ")
            for kind, words in (("stream_gradients", "gradient of the stream"), ("activations", "size of the stream")):
                values = np.median(getattr(run.now, kind), axis=0)
                quantities[f"{name}_{kind}"] = Quantity(values, f"{name}: {words}, now", "relative", ("place",))
            answers[f"{name}_error"] = float(np.median(run.now.train_error))
        answers["power"] = self.factor**self.blocks
        return Frame(
            quantities,
            answers,
            state["clean"].step,
            self.training_steps,
            tuple(divergence for name, run in state.items() for divergence in divergences(run, name)),
        )

    def describe(self, frame: Frame) -> str:
        when = f"After {frame['steps'][-1]} of {frame.steps} steps" if frame["steps"][-1] else "Before the first step"
        words = POLLUTANTS[self.pollutant][1].replace("λ", f"of {number(self.factor, 6)}")
        power = (
            f" Along the skips alone, a signal is multiplied by {number(float(frame.results['power']), 2)} in all."
            if self.pollutant == "scale"
            else ""
        )
        return (
            f"{when}, the training error is {spread(frame, 'clean_error', self.seeds)} with a clean skip and "
            f"{spread(frame, 'polluted_error', self.seeds)} with {words} in each of {self.blocks} blocks.{power}"
        )

    def disclosure(self) -> Disclosure:
        start = {"zero-last": "every branch starts at zero, so that only the skip is seen at first"}.get(
            self.initialization, f"{self.initialization} initialization"
        )
        return Disclosure(
            network=f"Fully connected residual networks of {self.blocks} blocks with two layers of width {WIDTH} each, "
            f"ReLU, no norm in the branches{', a norm before the head' if self.final_norm else ''}; {start}.",
            data=TASK.load().sentence + "; each step uses 64 of them.",
            seeds=f"{self.seeds} (from {self.seed}), the same for both; {self.training_steps} steps, learning rate "
            f"{number(self.learning_rate)}.",
            cannot_show="The convolutional networks of the paper, with BatchNorm in their branches: these are small "
            "fully connected ones.",
        )


@calculation
def power(factor: float, count: int, percent: bool = False) -> float:
    """λ^L: the share of a signal left after L skips with a factor λ each (claim C-10), or that in percent."""
    return float((100 if percent else 1) * factor**count)


@calculation(long=True, readings=("network", "statistic"), absolute=0.6)
def training_error(
    pollutant: str,
    factor: float = 0.9,
    blocks: int = 54,
    initialization: str = "zero-last",
    learning_rate: float = 0.003,
    network: str = "polluted",
    statistic: str = "median",
) -> float:
    """Share of training points misclassified after a run, 0 to 1: median, lowest or highest of 3 seeds."""
    frame = results.finished(
        Pollute(
            pollutant=pollutant,
            factor=factor,
            blocks=blocks,
            initialization=initialization,
            learning_rate=learning_rate,
        )
    )
    return reading(frame, f"{network}_error", statistic)


@calculation(long=True, readings=("step", "network", "statistic"), absolute=0.6)
def error_after(
    step: int, pollutant: str = "scale", factor: float = 0.9, network: str = "polluted", statistic: str = "median"
) -> float:
    """Share of training points misclassified after a step of a run with 54 blocks, 0 to 1: as in `training_error`.

    Raises ValueError if the run has no record of that step.
    """
    frame = results.finished(Pollute(pollutant=pollutant, factor=factor))
    return reading(frame, f"{network}_error", statistic, frame["steps"].tolist().index(step))
