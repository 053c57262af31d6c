"""Is there a floor under the gradient of a residual chain? |1 + g|^L over all gains, the negative ones included."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import blocks, number

LOWEST, HIGHEST, DEEPEST = -2.5, 1.5, 100
GAINS = np.linspace(LOWEST, HIGHEST, 401)
"""Every hundredth, so that −2, −1 and 0 are among them."""


class GradientFloor(Simulation):
    """Is there a floor under the gradient?

    The left figure shows how the size of the gradient depends on the gain of the branches, with a line at 1, the floor
    that is often promised, and the same for the network without skips. The right one follows the gradient back through
    the blocks at the chosen gain.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "blocks": (5, 20, 50, 100),
        "gain": tuple(tenth / 10 for tenth in range(-25, 16)),
    }

    gain = param.Number(
        0.3, bounds=(LOWEST, HIGHEST), step=0.01, label="Gain of every branch", doc="the derivative of every branch"
    )
    blocks = param.Integer(20, bounds=(1, DEEPEST), label="Blocks", doc="residual blocks in a row")

    def compute(self) -> Frame:
        depths = np.arange(DEEPEST + 1)
        total = float((1 + self.gain) ** self.blocks)
        return Frame(
            {
                "gain": Quantity(GAINS, "gain of every branch", axes=("gain",)),
                "residual": Quantity(np.abs(1 + GAINS) ** self.blocks, "size with skips", axes=("gain",)),
                "plain": Quantity(np.abs(GAINS) ** self.blocks, "size without skips", axes=("gain",)),
                "residual_by_depth": Quantity(np.abs(1 + self.gain) ** depths, "size with skips", axes=("blocks",)),
                "plain_by_depth": Quantity(np.abs(self.gain) ** depths, "size without skips", axes=("blocks",)),
            },
            {
                "total": total,
                "size": abs(total),
                "plain": float(self.gain**self.blocks),
                "mirror": -2 - self.gain,
                "verdict": self._verdict(abs(total)),
            },
        )

    def _verdict(self, size: float) -> str:
        if size == 0:
            return "exactly 0"
        if size < 0.1:
            return "vanishing"
        return "exploding" if size > 10 else "of moderate size"

    def describe(self, frame: Frame) -> str:
        total = float(frame.results["total"])
        floor = "below the promised floor of 1" if abs(total) < 1 else "not below 1"
        return (
            f"With a gain of {number(self.gain)} in each of {blocks(self.blocks)} the gradient is "
            f"multiplied by {number(total, 4)}: {frame.results['verdict']}, and {floor}. Without skips it would be "
            f"{number(float(frame.results['plain']))}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="A chain of scalar blocks x + F(x) whose branches all have the derivative that you set.",
            data="None: it is the derivative alone, computed exactly.",
            seeds="None, nothing is random.",
            cannot_show="Which gains a real network has. It shows what the identity term alone can promise: nothing.",
        )
