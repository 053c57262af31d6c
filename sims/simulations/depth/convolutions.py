"""Degradation where it was found: convolutional networks of He et al.'s CIFAR shape, plain and residual."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import band, spread
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data.datasets import source
from sims.instruments.training.convolution_run import (
    BATCH,
    DECAY,
    MOMENTUM,
    ConvolutionRun,
    Look,
    Setup,
    advance,
    begin,
)
from sims.kept.neighbors import neighbors

NETWORKS = ("plain", "residual")
LOOKS = 10
"""Looks at the networks in a whole run."""

Runs = dict[str, ConvolutionRun]


class Convolutions(Training):
    """Plain and residual convolutional networks, deeper and deeper

    Where finished runs are stored, two curves show how the error of a plain and of a residual convolutional network at
    the end of training depends on depth, with a mark at the current depth. Next to them, the two networks of the
    current depth train. Measures show, norm by norm, BatchNorm's gains and shifts and how far the statistics that it
    keeps are from those of the data, and layer by layer the gradients of the weights.
    """

    divisible = True
    restarts = ("depth", "width", "learning_rate", "training_steps", "seeds", "seed")
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (8, 20, 32, 56)}

    depth = param.Integer(20, bounds=(8, 56), step=6, label="Depth", doc="layers, 6n + 2 as in the paper")
    statistics = param.Selector(
        default="kept",
        objects={"kept while training": "kept", "of the data themselves": "own"},
        label="BatchNorm's statistics",
        doc="what BatchNorm divides by when the error is measured; training is the same",
    )
    learning_rate = usual_parameters.learning_rate(0.1, [0.01, 0.03, 0.1, 0.3], precedence=1)
    width = Stops(
        default=8, objects=[4, 8, 16], label="Channels", doc="of the first stage; 16 in the paper", precedence=1
    )
    training_steps = usual_parameters.training_steps(300, [150, 300, 600])
    seeds = usual_parameters.seeds(3)
    seed = usual_parameters.seed()

    def start(self) -> Runs:
        return {
            f"{name} {seed}": begin(Setup(self.depth, self.width, name == "residual", self.learning_rate, seed))
            for name in NETWORKS
            for seed in range(self.seed, self.seed + self.seeds)
        }

    def advance(self, state: Runs, steps: int) -> Runs:
        interval = self.training_steps // LOOKS
        return {name: advance(run, min(steps, self.training_steps - run.step), interval) for name, run in state.items()}

    def frame(self, state: Runs) -> Frame:
        step = next(iter(state.values())).step
        quantities: dict[str, Quantity] = {}
        answers: dict[str, float] = {"depth": self.depth}
        lost: list[Divergence] = []
        for name in NETWORKS:
            runs = [run for key, run in state.items() if key.startswith(name)]
            quantities |= _curves(name, [run.looks for run in runs])
            quantities |= _layers(name, [run.looks[-1] for run in runs])
            for which in ("kept", "own"):
                answers[f"{name}_{which}_error"] = float(quantities[f"{name}_{which}_error"].values[-1])
            lost += [_divergence(name, look) for run in runs for look in run.looks if not np.isfinite(look.loss)][:1]
        return Frame(quantities, answers, step, self.training_steps, tuple(lost))

    def drawn_beside(self) -> dict[int, dict[str, Any]]:
        # The choice of statistics does not change a run, so runs are stored under its default.
        statistics = type(self).param.statistics.default
        return {depth: {"depth": depth, "statistics": statistics} for depth in self.atlas["depth"]}

    def kept_ends(self) -> dict[int, Frame]:
        """Depth → the last frame of a stored run with otherwise the same settings, if there is one."""
        return neighbors(self)

    def describe(self, frame: Frame) -> str:
        errors = [f"{spread(frame, f'{name}_{self.statistics}_error', self.seeds)} for the {name}" for name in NETWORKS]
        looked = int(frame["steps"][-1])
        when = f"After {looked} of {frame.steps} steps" if looked else "Before the first step"
        whose = "the statistics that BatchNorm has kept" if self.statistics == "kept" else "the data's own statistics"
        return (
            f"{when}, with {whose}, the training error is {' and '.join(errors)} {self.depth}-layer "
            "convolutional network."
        )

    def disclosure(self) -> Disclosure:
        channels = ", ".join(str(self.width * times) for times in (1, 2, 4))
        return Disclosure(
            network=f"{self.depth}-layer convolutional networks in the shape of He et al.'s for CIFAR-10: three "
            f"stages with {channels} channels at 8, 4 and 2 pixels, BatchNorm after every convolution, skips without "
            "weights over two layers each. Plain and residual networks have the same parameters and initial weights.",
            data=source("digits").load().sentence + ".",
            seeds=f"{self.seeds} (from {self.seed}); a line is their median, a band their whole range; "
            f"{self.training_steps} steps of SGD at {number(self.learning_rate)} with momentum {MOMENTUM:g}, weight "
            f"decay {number(DECAY)} and batches of {BATCH}.",
            cannot_show="CIFAR-10 and 64,000 steps: images here are smaller, classes easier, runs 200 times shorter, "
            "and the learning rate never falls. A network that trails here might catch up.",
        )


CURVES = {
    "kept_error": ("training error with kept statistics", "share of wrong answers"),
    "own_error": ("training error with the data's own statistics", "share of wrong answers"),
    "test_error": ("test error with kept statistics", "share of wrong answers"),
    "loss": ("training loss with the data's own statistics", "nats"),
}
LAYERS = {
    "gains": ("root mean square of BatchNorm's gains", "relative", "norm"),
    "shifts": ("mean of BatchNorm's shifts", "relative", "norm"),
    "lag": ("kept standard deviation over the data's own", "relative", "norm"),
    "gradients": ("norm of the weight gradient", "nats per unit of weight", "layer"),
}


def _curves(name: str, looks: Sequence[Sequence[Look]]) -> dict[str, Quantity]:
    """Bands over the looks of several seeds, and the steps at which they were taken."""
    steps = np.array([look.step for look in looks[0]])
    quantities = {"steps": Quantity(steps, "training step", "steps", ("look",))}
    for curve, (label, unit) in CURVES.items():
        values = np.array([[getattr(look, curve) for look in seed] for seed in looks]).T
        quantities |= band(values, f"{name}_{curve}", f"{name}: {label}", unit, "look")
    return quantities


def _layers(name: str, looks: Sequence[Look]) -> dict[str, Quantity]:
    """Bands over the layers at the last look of several seeds."""
    quantities: dict[str, Quantity] = {}
    for key, (label, unit, axis) in LAYERS.items():
        values = np.stack([getattr(look, key) for look in looks], axis=1)
        quantities |= band(values, f"{name}_{key}", f"{name}: {label}", unit, axis)
    return quantities


def _divergence(name: str, look: Look) -> Divergence:
    return Divergence(
        look.step,
        f"loss of a {name} network",
        "Steps of this length overshot further each time.",
        "Try a lower learning rate.",
    )
