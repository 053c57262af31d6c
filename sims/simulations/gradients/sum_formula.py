"""A correct formula and its common misreading: ∂x_L/∂x_l is 1 plus a second term, and it matters which."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import MOST, blocks, formatted, number
from sims.instruments.gradients.path_sums import by_length, counts

NUDGE = 1e-4
"""The change of the stream by which the derivative is measured."""


def through(gains: np.ndarray, stream: float) -> float:
    """The output of a chain of blocks x ← x + g·x for the input `stream`."""
    for gain in gains:
        stream = stream + gain * stream
    return stream


def measured(gains: np.ndarray) -> np.ndarray:
    """(L,) the derivative of the chain's output with respect to the stream before each block, by a nudge there."""
    up, down = 1 + NUDGE, 1 - NUDGE
    return np.array([(through(gains[at:], up) - through(gains[at:], down)) / (up - down) for at in range(len(gains))])


def rest(gains: np.ndarray, formula: str) -> np.ndarray:
    """(L,) the term added to the 1 of He et al. (1603.05027, equation 5), for the stream before every block.

    "right": all paths but the direct one, ∏(1 + g_k) − 1. "wrong": only the path through every branch, ∏g_k, for which
    the sum is often mistaken.
    """
    factors = 1 + gains if formula == "right" else gains
    products: np.ndarray = np.cumprod(factors[::-1])[::-1]
    return products - 1 if formula == "right" else products


class SumFormula(Simulation):
    """One plus what?

    All paths through the blocks are piled up by the number of branches on them; the height of a pile shows how much its
    paths add to the derivative at the first block. The chosen reading of the formula counts the piles in green; in the
    reading that is common but wrong, these are two single paths, the direct one and the one through every branch. Among
    the measures, a curve shows 1 plus the second term for every place, and crosses show the derivative as measured
    there, by nudging the stream.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "formula": ("wrong", "right"),
        "blocks": (5, 10, 20, 40),
        "gain": tuple(tenth / 10 for tenth in range(-15, 11)),
    }

    gain = param.Number(
        0.5, bounds=(-1.5, 1.0), step=0.05, label="Gain of every branch", doc="the derivative of every branch"
    )
    blocks = param.Integer(20, bounds=(1, 40), label="Blocks", doc="residual blocks in a row", precedence=1)
    formula = param.Selector(
        default="wrong",
        objects={"One product": "wrong", "Other paths": "right"},
        label="Second term",
        doc="what is added to the 1: the product of all gains, or the sum over all other paths",
    )

    def compute(self) -> Frame:
        gains = np.full(self.blocks, self.gain)
        chosen = 1 + rest(gains, self.formula)
        derivative = measured(gains)
        quantities = {
            "formula": Quantity(chosen, "1 plus the second term", axes=("block",)),
            "measured": Quantity(derivative, "measured derivative", axes=("block",)),
            "piles": Quantity(by_length(gains), "sum of all paths with so many branches", axes=("branches",)),
            "paths": Quantity(counts(self.blocks), "paths with so many branches", "paths", ("branches",)),
        }
        off = (
            float(np.abs(chosen - derivative).max() / np.abs(derivative).max())
            if derivative.any()
            else float(np.abs(chosen).max())
        )
        answers = {"claimed": float(chosen[0]), "measured": float(derivative[0]), "off": off}
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        claimed, derivative = float(frame.results["claimed"]), float(frame.results["measured"])
        agrees = (
            "That is what is measured"
            if abs(claimed - derivative) <= 1e-6 * max(1, abs(derivative))
            else (f"The measured value is {_in_words(derivative)}")
        )
        words = "the product of all gains" if self.formula == "wrong" else "the sum over all other paths"
        return (
            f"With a gain of {number(self.gain)} and {blocks(self.blocks)}, 1 plus {words} makes "
            f"{_in_words(claimed)} at the first block. {agrees}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="A chain of scalar blocks x + g·x, measured by running it twice with a nudged stream.",
            data="None; the chain starts at 1.",
            seeds="None, nothing is random.",
            cannot_show="Blocks with different Jacobians. The two formulas differ there just as much.",
        )


def _in_words(value: float) -> str:
    """A value with up to seven digits; a large one has a power of ten, even if it is a whole number."""
    return number(value, 7) if abs(value) < MOST else formatted(value, ".4g")


@calculation
def total(gain: float, blocks: int, start: int = 0, formula: str = "right") -> Number:
    """1 plus the second term for the stream before block `start` (counted from 0), in either reading."""
    return float(1 + rest(np.full(blocks - start, gain), formula)[0])
