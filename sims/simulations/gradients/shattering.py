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
from sims.instruments.gradients.neighbor_gradients import Stack, arc, autocorrelation, gradients

WIDTH, STARTS = 64, 10
ARC = np.arange(0.0, 91.0)
"""Inputs, in degrees along the arc"""

LAGS = 46
NEAR = 10
"""Degrees at which the likeness is read off"""

WORDS = {
    "residual": "h + F(h)",
    "scaled": "h + F(h)/√L",
    "normalized": "h + F(h / rms h), with a norm in front of every branch",
}


class Shattering(Simulation):
    """Gradients at neighboring inputs

    The input walks along an arc of 90 degrees. Two curves, one above the other, show the slope of an untrained plain
    network and of a residual one on the way, each relative to its own size: a smooth curve means that neighbors have
    like gradients, a noisy one that they have not. Beside them, two curves show how much gradients resemble each other
    by the angle between their inputs.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (1, 2, 5, 10, 20, 35, 50, 64),
        "connection": ("residual", "scaled", "normalized"),
    }

    depth = Stops(default=50, objects=[1, 2, 5, 10, 20, 35, 50, 64], label="Blocks", doc="of one layer and a ReLU each")
    connection = param.Selector(
        default="scaled",
        objects={"h + F(h)": "residual", "h + F(h)/√L": "scaled", "h + F(norm h)": "normalized"},
        label="Residual network",
        doc="how the blocks of the residual network add",
    )
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        quantities = {
            "angle": Quantity(ARC, "place of the input on the arc", "degrees", ("input",)),
            "apart": Quantity(np.arange(LAGS), "angle between two inputs", "degrees", ("lag",)),
        }
        answers: dict[str, float] = {}
        for name, (slopes, likeness) in _measured(self.depth, self.connection, self.seed).items():
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
            f"Behind {blocks(self.depth)}, gradients at inputs {NEAR} degrees apart have a mean cosine of {plain} in "
            f"the plain network and of {residual} in the residual one."
        )

    def honesty(self) -> Disclosure:
        return Disclosure(
            network=f"Two untrained ReLU networks of {blocks(self.depth)} of one layer, width {WIDTH}, He's "
            f"weights, no biases: plain, and {WORDS[self.connection]}. Both have the same weights.",
            data=f"{len(ARC)} inputs on an arc of 90 degrees between two random directions.",
            seeds=f"One, {self.seed}; the likeness is a mean over all pairs of inputs at that angle.",
            cannot_show="That shattered gradients are why a plain network trains badly: they are a candidate. And "
            "what training makes of them.",
        )


def _measured(depth: int, connection: str, seed: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For the plain network and the one with that connection: slopes (inputs,), and likeness (lags,)."""
    generator = np.random.default_rng(seed)
    points, along = arc(ARC, WIDTH, generator)
    stack, curves = Stack.drawn(depth, WIDTH, generator), {}
    for name, kind in (("plain", "plain"), ("residual", connection)):
        back = gradients(stack, kind, points)
        slopes = (back * along).sum(axis=1)
        size = np.sqrt(np.square(slopes).mean())
        curves[name] = (slopes / size if size else slopes, autocorrelation(back, LAGS))
    return curves


@calculation(long=True, readings=("degrees", "statistic"), absolute=0.01)
def likeness(connection: str, depth: int, degrees: int = NEAR, statistic: str = "median") -> float:
    """Mean cosine between gradients that many degrees apart, 0 to 45: the statistic is over 10 seeds.

    `connection` is "plain", "residual", "scaled" or "normalized".
    """
    cosines = []
    for seed in range(STARTS):
        generator = np.random.default_rng(seed)
        points, _ = arc(ARC, WIDTH, generator)
        back = gradients(Stack.drawn(depth, WIDTH, generator), connection, points)
        cosines.append(float(autocorrelation(back, LAGS)[degrees]))
    return STATISTICS[statistic](cosines)
