"""A skip that can erase: one block as arrows in a plane, and a chain of many."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number, times_as_large, vector
from sims.instruments.stacks.delta_chain import (
    BLOCKS,
    POINTS,
    WIDTH,
    add_law,
    add_sizes,
    delta_law,
    delta_sizes,
    skip_matrix,
)

BETAS = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Values with their own line in the chain, besides the chosen one"""

ALONG_BETA = np.linspace(0, 2, 41)
SEEDS = range(10)
"""Seeds of the numbers in the prose"""

BESIDE_K = np.array([0.6, 0.8])
"""The direction k of the example worked by hand"""


def _coordinate(default: float, label: str) -> param.Number:
    return param.Number(default, bounds=(-2, 2), step=0.05, label=label, doc="where the block's input is", precedence=1)


class Delta(Simulation):
    """A skip that can erase

    A plane shows an arrow x and its image under x − β(k·x)k + βvk: one short arrow along the direction k removes what x
    had there, another writes the value v in its place. Next to it, lines show the size of the stream from block to
    block in a chain of such blocks with random directions, for several β, and for blocks that write the same and erase
    nothing. The measures are the two eigenvalues of the skip over all β.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "value": (0.0, 1.0, 3.0),
        "beta": tuple(eighth / 8 for eighth in range(0, 17, 2)),
    }

    beta = param.Number(1.0, bounds=(0, 2), step=0.05, label="β", doc="how much of the old value along k is taken away")
    angle = param.Number(
        20,
        bounds=(0, 180),
        step=1,
        label="Angle of k",
        doc="the direction in which the block erases and writes, in degrees from the horizontal",
    )
    value = param.Number(
        3.0,
        bounds=(-3, 3),
        step=0.1,
        label="Written value v",
        doc="what the block writes along k, times β",
        precedence=1,
    )
    x1 = _coordinate(1.0, "x₁")
    x2 = _coordinate(2.0, "x₂")
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        x, k = np.array([self.x1, self.x2]), self.direction
        skip = skip_matrix(self.beta, k)
        erased, written = skip @ x - x, self.beta * self.value * k
        image = x + erased + written
        betas = np.array([*BETAS, self.beta])
        sizes = delta_sizes(betas, self.value, self.seed)
        added = add_sizes(betas[-1:], self.value, self.seed)[0]
        pair, over, along = ("coordinate",), ("block",), ("beta",)
        quantities = {
            "x": Quantity(x, "x", "relative", pair),
            "k": Quantity(k, "k", "relative", pair),
            "erased": Quantity(erased, "what is erased, −β(k·x)k", "relative", pair),
            "written": Quantity(written, "what is written, βvk", "relative", pair),
            "image": Quantity(image, "image of x", "relative", pair),
            "blocks": Quantity(np.arange(BLOCKS + 1), "blocks passed", "blocks", over),
            "chosen": Quantity(sizes[-1], "rms of the stream with the chosen β", "relative", over),
            "added": Quantity(added, "rms of the stream without erasing", "relative", over),
            "chain": Quantity(sizes[:-1], "rms of the stream", "relative", ("line", "block")),
            "betas": Quantity(np.array(BETAS), "β of a line", "relative", ("line",)),
            "along_beta": Quantity(ALONG_BETA, "β", "relative", along),
            "across": Quantity(np.ones_like(ALONG_BETA), "eigenvalue across k", "relative", along),
            "along": Quantity(1 - ALONG_BETA, "eigenvalue along k", "relative", along),
        }
        lowest, highest = np.linalg.eigvalsh(skip)
        return Frame(
            quantities,
            {
                "image_first": float(image[0]),
                "image_second": float(image[1]),
                "along_before": float(k @ x),
                "along_after": _along(self.beta, self.value, float(k @ x)),
                "length_before": float(np.linalg.norm(x)),
                "length_after": float(np.linalg.norm(image)),
                "lowest_eigenvalue": float(lowest),
                "highest_eigenvalue": float(highest),
                "chain_end": float(sizes[-1, -1]),
                "added_end": float(added[-1]),
            },
        )

    @property
    def direction(self) -> np.ndarray:
        """k, of norm 1."""
        angle = np.deg2rad(self.angle)
        return np.array([np.cos(angle), np.sin(angle)])

    def describe(self, frame: Frame) -> str:
        answers = {name: float(value) for name, value in frame.results.items()}
        return (
            f"With β = {number(self.beta)} the block turns {vector(frame['x'], '.3g')} into "
            f"{vector(np.round(frame['image'], 2), '.3g')}: along k it had {_rounded(answers['along_before'])} and now "
            f"has {_rounded(answers['along_after'])}, and its length goes from {_rounded(answers['length_before'])} to "
            f"{_rounded(answers['length_after'])}. The eigenvalues of the skip are 1 and "
            f"{_rounded(answers['lowest_eigenvalue'])}. After {BLOCKS} blocks with random directions the stream is "
            f"{times_as_large(answers['chain_end'])} as at the start, and "
            f"{times_as_large(answers['added_end'])} without erasing."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"One block on a stream of two numbers, in double precision; and {BLOCKS} blocks on streams of "
            f"{WIDTH} numbers, each block with a random direction k. Nothing is trained.",
            data=f"The two numbers of x, which you choose; {POINTS} random streams, and for each block and stream a "
            "random normal value with standard deviation |v|.",
            seeds=f"One, {self.seed}, for the chain; nothing about the arrows is random.",
            cannot_show="Which β, k and v a trained network would choose: there all three are computed from the "
            "stream, and a chain need not be random.",
        )


def _rounded(value: float) -> str:
    """The value with two decimals, since the direction k is given in whole degrees."""
    return number(round(value, 2))


def _along(beta: float, value: float, before: float) -> float:
    return (1 - beta) * before + beta * value


def _by_hand(beta: float, value: float, x1: float, x2: float) -> np.ndarray:
    x: np.ndarray = skip_matrix(beta, BESIDE_K) @ (x1, x2) + beta * value * BESIDE_K
    return x


@calculation
def image(beta: float, value: float = 0.0, coordinate: int = 1, x1: float = 1.0, x2: float = 2.0) -> Number:
    """A coordinate, 1 or 2, of the image of x under the delta skip with k = (0.6, 0.8)."""
    return float(_by_hand(beta, value, x1, x2)[coordinate - 1])


@calculation
def length(beta: float, value: float = 0.0, x1: float = 1.0, x2: float = 2.0) -> Number:
    """The length of that image."""
    return float(np.linalg.norm(_by_hand(beta, value, x1, x2)))


@calculation
def along(beta: float, value: float = 0.0, x1: float = 1.0, x2: float = 2.0) -> Number:
    """The component of that image along k: (1 − β)(k·x) + βv."""
    return _along(beta, value, float(BESIDE_K @ (x1, x2)))


@calculation
def eigenvalue(beta: float) -> Number:
    """The eigenvalue of I − βkkᵀ along k, by NumPy; across k all are 1."""
    return float(np.linalg.eigvalsh(skip_matrix(beta, BESIDE_K))[0])


@calculation(long=True, readings=("statistic",))
def chain(beta: float, value: float, blocks: int = BLOCKS, statistic: str = "median", erasing: bool = True) -> Number:
    """Root mean square of the stream after `blocks` random blocks, 0 to 128, relative to its start.

    The "median", "lowest" or "highest" of ten seeds; without `erasing`, of blocks that only add βkv.
    """
    sizes = delta_sizes if erasing else add_sizes
    return STATISTICS[statistic]([float(sizes(np.array([beta]), value, seed)[0, blocks]) for seed in SEEDS])


@calculation
def law(beta: float, value: float, blocks: int = BLOCKS, erasing: bool = True) -> Number:
    """The same, predicted from the mean square over random k and v."""
    return delta_law(beta, value, blocks) if erasing else add_law(beta, value, blocks)


@calculation
def settled(beta: float, value: float) -> Number:
    """Where the root mean square of a long chain settles, |v|√(β/(2 − β)), for β between 0 and 2."""
    return float(abs(value) * (beta / (2 - beta)) ** 0.5)
