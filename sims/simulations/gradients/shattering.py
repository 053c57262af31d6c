"""Shattered gradients: how fast the likeness between gradients at neighboring inputs decays (Balduzzi et al.
1702.08591)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import blocks, number
from sims.instruments.gradients.neighbor_gradients import Stack, arc, autocorrelation, forward, gradients

WIDTH, STARTS = 64, 10
ARC = np.arange(0.0, 91.0)
"""Inputs, in degrees along the arc"""

LAGS = 46
NEAR = 10
"""Degrees at which the likeness is read off"""

WORDS = {
    "residual": "h + F(h)",
    "scaled": "h + F(h)/√L",
    "normalized": "h + F(h / rms h), with a norm before every branch",
}
"""Connection → the sum of its block"""

BRANCHES = {"relu": "ReLU(W h)", "linear": "W ReLU(h)", "two-layer": "W₂ ReLU(W₁ h)"}
"""Kind of a branch → F(h)"""


class Shattering(Simulation):
    """Gradients at neighboring inputs

    The input moves along an arc of 90 degrees. Two curves, one above the other, show the slope of an untrained plain
    network and of a residual one along the arc, each relative to its own size: a smooth curve means that neighbors have
    similar gradients, a noisy one that they do not. Two more curves show how much gradients resemble each other,
    depending on the angle between their inputs.

    The plain network is the same in every picture. A branch that ends in a ReLU can only add: within about ten blocks
    it drives all inputs toward one direction, and from then on they pass through the same ReLUs. The other two branches
    end in a linear layer.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (1, 2, 5, 10, 20, 35, 50, 64),
        "connection": ("residual", "scaled", "normalized"),
        "branch": tuple(BRANCHES),
    }

    depth = Stops(
        default=50,
        objects=[1, 2, 5, 10, 20, 35, 50, 64],
        label="Blocks",
        doc="of the plain network, one layer and a ReLU each, and of the residual one",
    )
    connection = param.Selector(
        default="scaled",
        objects={"h + F(h)": "residual", "h + F(h)/√L": "scaled", "h + F(norm h)": "normalized"},
        label="Residual network",
        doc="how the blocks of the residual network add",
    )
    branch = param.Selector(
        default="relu",
        objects={words: name for name, words in BRANCHES.items()},
        label="Branch F(h)",
        doc="what a branch of the residual network ends in: a ReLU, or a linear layer",
        precedence=1,
    )
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        quantities = {
            "angle": Quantity(ARC, "place of the input on the arc", "degrees", ("input",)),
            "apart": Quantity(np.arange(LAGS), "angle between two inputs", "degrees", ("lag",)),
        }
        answers: dict[str, float] = {}
        for name, (slopes, likeness) in _measured(self.depth, self.connection, self.branch, self.seed).items():
            quantities[f"{name}_slope"] = Quantity(
                slopes, f"{name}: slope along the arc over its root mean square", "relative", ("input",)
            )
            quantities[f"{name}_likeness"] = Quantity(
                likeness, f"{name}: mean cosine of two gradients", "relative", ("lag",)
            )
            answers[name] = float(likeness[NEAR])
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        plain, residual = (number(float(frame.results[name]), 2) for name in ("plain", "residual"))
        return (
            f"After {blocks(self.depth)}, gradients at inputs {NEAR} degrees apart have a mean cosine of {plain} in "
            f"the plain network and of {residual} in the residual one."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Two untrained ReLU networks of {blocks(self.depth)}, width {WIDTH}, no biases: plain, "
            f"ReLU(W h), and {WORDS[self.connection]}, where F(h) is {BRANCHES[self.branch]}. Both have the same W, "
            "with He's variance; a second layer has weights of variance 1/fan-in.",
            data=f"{len(ARC)} inputs on an arc of 90 degrees between two random directions.",
            seeds=f"One, {self.seed}; each cosine is a mean over all pairs of inputs at that angle.",
            cannot_show="What training does to these gradients, and that shattering is why a plain network trains "
            "badly: it is only a candidate.",
        )


def _measured(depth: int, connection: str, branch: str, seed: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For the plain network and the residual one: slopes (inputs,), and likeness (lags,)."""
    generator = np.random.default_rng(seed)
    points, along = arc(ARC, WIDTH, generator)
    stack, curves = Stack.drawn(depth, WIDTH, generator), {}
    for name, kind, end in (("plain", "plain", "relu"), ("residual", connection, branch)):
        back = gradients(stack, kind, points, end)
        slopes = (back * along).sum(axis=1)
        size = np.sqrt(np.square(slopes).mean())
        curves[name] = (slopes / size if size else slopes, autocorrelation(back, LAGS))
    return curves


@calculation(long=True, readings=("degrees", "statistic"), absolute=0.01)
def likeness(
    connection: str, depth: int, degrees: int = NEAR, statistic: str = "median", branch: str = "relu"
) -> float:
    """Mean cosine between gradients that many degrees apart, 0 to 45: the statistic is over 10 seeds.

    `connection` is "plain", "residual", "scaled" or "normalized", and `branch` "relu", "linear" or "two-layer".
    """
    cosines = []
    for seed in range(STARTS):
        generator = np.random.default_rng(seed)
        points, _ = arc(ARC, WIDTH, generator)
        back = gradients(Stack.drawn(depth, WIDTH, generator), connection, points, branch)
        cosines.append(float(autocorrelation(back, LAGS)[degrees]))
    return STATISTICS[statistic](cosines)


@calculation(long=True, readings=("statistic",), absolute=0.001)
def input_likeness(connection: str, depth: int, branch: str = "relu", statistic: str = "median") -> float:
    """Cosine between the states after the last block of two inputs at a right angle: the statistic is over 10 seeds."""
    cosines = []
    for seed in range(STARTS):
        generator = np.random.default_rng(seed)
        points, _ = arc(ARC[[0, 90]], WIDTH, generator)
        one, other = forward(Stack.drawn(depth, WIDTH, generator), connection, points, branch)[0]
        cosines.append(float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other))))
    return STATISTICS[statistic](cosines)
