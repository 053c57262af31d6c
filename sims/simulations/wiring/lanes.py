"""Several streams that are mixed at every block, freely or under a constraint."""

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
from sims.contract.wording import blocks as counted
from sims.contract.wording import number
from sims.instruments.stacks.lane_mixing import FREE_SIZE, composites, gradients, mixes, singular_values

MOST, DEEPEST = 8, 128
STARTS = 10
"""Seeds of a number in the prose"""

LABELS = {
    "doubly": "Doubly stochastic",
    "free": "Free",
    "orthogonal": "Orthogonal",
    "identity": "None (identity)",
}
SAYS = {
    "doubly": "Sinkhorn–Knopp of exp(logits); a logit is a random number, plus a constant on the diagonal, from a lane "
    "to itself",
    "free": f"the identity plus {FREE_SIZE:g} times random numbers",
    "orthogonal": f"Cayley's rotation of {FREE_SIZE:g} times random numbers, signs allowed",
    "identity": "the identity",
}


class Lanes(Simulation):
    """A drop of dye in one of several lanes

    A table has a row for every lane and a column for every block. A drop of dye goes into one lane before the
    first block. The fuller a cell, the more dye its lane has; a second color marks negative amounts. Next to the table,
    lines show the largest and second largest stretch of the mixes so far, block by block. A further
    table shows how the gradient of one lane at the top spreads over the lanes in the backward pass.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "mixing": tuple(LABELS),
        "own": (0.0, 2.0, 4.0, 6.0, 8.0),
        "depth": (8, 60, 128),
    }

    mixing = param.Selector(
        default="doubly",
        objects={label: name for name, label in LABELS.items()},
        label="Mixing",
        doc="which matrices may mix the lanes between two blocks",
    )
    own = Stops(
        default=0.0,
        objects=[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
        label="A lane's own logit",
        doc="what is added where a lane meets itself; at 8 a doubly stochastic mix is almost the identity",
    )
    depth = param.Integer(60, bounds=(1, DEEPEST), label="Blocks", doc="how many mixes one after another", precedence=1)
    lanes = param.Integer(4, bounds=(1, MOST), label="Lanes", doc="streams side by side", precedence=1)
    dyed = param.Integer(1, bounds=(1, MOST), label="Dye in lane", doc="where the drop goes in", precedence=1)
    size = Stops(
        default=1.0,
        objects=[0.0, 0.1, 0.3, 1.0, 2.0],
        label="Size of the random numbers",
        doc="standard deviation of what the mixes are made of",
        precedence=1,
    )
    seed = usual_parameters.seed()

    @property
    def lane(self) -> int:
        """The lane with the dye, from 0: the last one if there are fewer lanes."""
        return min(self.dyed, self.lanes) - 1

    def compute(self) -> Frame:
        matrices = mixes(self.mixing, self.lanes, self.depth, self.size, self.own, self.seed)
        products = composites(matrices)
        values = singular_values(products)
        top = np.eye(self.lanes)[self.lane]
        second = values[:, 1] if self.lanes > 1 else np.full(self.depth + 1, np.nan)
        dye = products[:, :, self.lane]
        quantities = {
            "blocks": Quantity(np.arange(self.depth + 1), "blocks passed", "blocks", ("place",)),
            "dye": Quantity(dye, "dye in each lane", "relative", ("place", "lane")),
            "largest": Quantity(values[:, 0], "largest singular value of the mixes so far", "relative", ("place",)),
            "second": Quantity(second, "second singular value of the mixes so far", "relative", ("place",)),
            "gradient": Quantity(gradients(matrices, top), "gradient of each lane", "relative", ("place", "lane")),
            "mix": Quantity(matrices[0], "the first mix", "relative", ("to", "from")),
        }
        answers: dict[str, float] = {
            "gain": float(values[-1, 0]),
            "kept": float(dye[-1, self.lane]),
            "most": float(np.abs(dye[-1]).max()),
        }
        if self.lanes > 1:
            answers["second"] = float(second[-1])
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        ends = ", ".join(number(float(amount), 2) for amount in frame["dye"][-1])
        where = f"After {counted(self.depth)}, the dye from lane {self.lane + 1} of {self.lanes} is at {ends}."
        text = f"{where} The largest stretch of all mixes together is {number(float(frame.results['gain']), 3)}"
        if "second" in frame.results:
            second = float(frame.results["second"])
            text += f", and the second largest is {number(second, 2) if second > 1e-12 else 'nothing but rounding'}"
        return f"{text}."

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"{self.lanes} lanes and {counted(self.depth)} without branches: only the matrices that mix lanes. "
            f"Each of them is {SAYS[self.mixing]}.",
            data="None: a 1 in one lane before the first block; for the gradient, a 1 in that lane after the last.",
            seeds=f"One, {self.seed}.",
            cannot_show="What training does to the mixes, and what branches read and write on the way.",
        )


@calculation(long=True, readings=("value", "statistic"), tolerance=0.01, absolute=1e-12)
def stretch(
    mixing: str,
    value: str = "largest",
    statistic: str = "median",
    blocks: int = 60,
    lanes: int = 4,
    own: float = 0.0,
    size: float = 1.0,
) -> float:
    """The "largest" or "second" singular value of the product of all mixes: the statistic is over 10 seeds."""
    at = ("largest", "second").index(value)
    values = [
        float(singular_values(composites(mixes(mixing, lanes, blocks, size, own, seed))[-1])[at])
        for seed in range(STARTS)
    ]
    return STATISTICS[statistic](values)


@calculation
def kept(own: float, blocks: int = 60, lanes: int = 4) -> float:
    """The share of dye still in its lane after `blocks` doubly stochastic mixes without random numbers."""
    product = composites(mixes("doubly", lanes, int(blocks), 0.0, own, 0))[-1]
    return float(product[0, 0])
