"""Every path through up to ten residual blocks, with its sign and its weight."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import blocks, number
from sims.instruments.gradients.path_sums import by_length, counts, path_lengths, path_weights

MOST = 10
"""The most blocks, so that at most 2^10 paths are drawn."""

LOWEST, HIGHEST = -2.5, 1.5


def _gain(block: int) -> param.Number:
    return param.Number(
        0.3,
        bounds=(LOWEST, HIGHEST),
        step=0.05,
        label=f"Gain of block {block}",
        doc=f"the derivative of branch {block}, where branches have gains of their own",
        precedence=1,
    )


class Paths(Simulation):
    """All paths of a gradient

    Every line is a path from the first block to the last. It steps down by one row where it goes through a branch, and
    is as thick as its weight; dashed lines are negative. All paths of one length end in one row, and a bar beside the
    row shows their sum. Dots above the blocks are the gains; drag them to change them. The measures show bars for
    the sum of all paths, for the direct path and for the network without skips.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "blocks": (1, 2, 3, 4, 5, 6, 8, 10),
        "gain": (
            *(-2.5, -2.0, -1.5, -1.2, -1.0, -0.8, -0.5, -0.3, -0.1, 0.0),
            *(0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5),
        ),
    }

    blocks = param.Integer(3, bounds=(1, MOST), label="Blocks", doc="residual blocks, each with a skip and a branch")
    gain = param.Number(
        0.3,
        bounds=(LOWEST, HIGHEST),
        step=0.05,
        label="Gain of every branch",
        doc="the derivative of all branches, where they are alike",
    )
    alike = param.Boolean(True, label="All branches alike", doc="whether one gain holds for all branches", precedence=1)
    gain_1, gain_2, gain_3, gain_4, gain_5 = (_gain(block) for block in range(1, 6))
    gain_6, gain_7, gain_8, gain_9, gain_10 = (_gain(block) for block in range(6, 11))

    def gains(self) -> np.ndarray:
        """(blocks,) the gain of every branch."""
        own = (self.gain if self.alike else getattr(self, f"gain_{block + 1}") for block in range(self.blocks))
        return np.array(list(own))

    def compute(self) -> Frame:
        gains = self.gains()
        weights = path_weights(gains)
        sums = by_length(gains)
        total, plain = float(np.prod(1 + gains)), float(np.prod(gains))
        quantities = {
            "gains": Quantity(gains, "gain of the branch", axes=("block",)),
            "beginnings": Quantity(np.concatenate(weights[1:]), "weight of a beginning of paths", axes=("beginning",)),
            "weights": Quantity(weights[-1], "weight of the path", axes=("path",)),
            "lengths": Quantity(path_lengths(self.blocks), "branches on the path", "branches", ("path",)),
            "sums": Quantity(sums, "sum of the paths", axes=("length",)),
            "counts": Quantity(counts(self.blocks), "number of paths", "paths", ("length",)),
        }
        return Frame(
            quantities,
            {
                "total": total,
                "plain": plain,
                "direct_share": 1 / total if total else "no share, since the total is 0",
                "paths": 2**self.blocks,
                "absolute": float(np.prod(1 + np.abs(gains))),
            },
        )

    def describe(self, frame: Frame) -> str:
        total, absolute = float(frame.results["total"]), float(frame.results["absolute"])
        if abs(total) >= 1:
            share = f"or {number(100 / abs(total))}% of the total in size"
        else:
            share = f"or {number(1 / abs(total))} times as much" if total else "and all the others together are −1"
        plain = number(float(frame.results["plain"]))
        text = (
            f"{number(2**self.blocks)} paths through {blocks(self.blocks)} add up to {number(total, 4)}; the direct "
            f"path alone is 1, {share}. Without skips only the path through every branch is left: {plain}."
        )
        if (frame["weights"] < 0).any():
            text += f" Without regard to sign, the paths would add up to {number(absolute, 4)}: the rest cancels."
        return text

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="A chain of scalar blocks x + F(x), each branch with the derivative that you set; every path is "
            "listed and multiplied out.",
            data="None: the derivative is all there is.",
            seeds="None, nothing is random; the sum over the listed paths equals the product up to rounding errors.",
            cannot_show="Real blocks. Instead of one number, they have a matrix, a different one for every input, and "
            "matrices add up less neatly. The measured counterpart is further down the page.",
        )
