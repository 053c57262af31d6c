"""An untrained network with a switch at every plus sign: what its blocks, its branches and its norms do to signals."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.number_list import NumberList
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.data.datasets import source
from sims.engines.perceptrons.weighted_stack import WeightedStack, start
from sims.instruments.networks.likeness import COMPARED
from sims.instruments.networks.weighted_passes import LIBRARY, SIGNALS, WeightedPasses, angle, weighted_passes
from sims.instruments.networks.wirings import in_words, missing, skips, wiring

BLOCKS = (4, 10, 28)

STRENGTHS = {"0.1": "tenth", "1/√L": "root", "a library’s default": "library", "0.5": "half", "1": "full"}
"""What a reader chooses → its name in addresses"""

NORMS = {"none": "none", "before the branches": "pre", "after the sums": "post"}
"""What a reader chooses → its name in addresses"""


class Tower(Simulation):
    """A network before it learns, with a switch at every plus sign

    A row of blocks lies across the picture, each under an arc, its skip connection; where a plus sign was taken out,
    the arc is a dotted line. Norms are short bars before the blocks or on the stream after the sums. Above the network,
    two lines run from left to right: two different images in the forward pass. Their thickness shows how large the
    stream is, and the gap between them shows how much the streams differ; where they meet, the network no longer tells
    images apart. Below the network, a line runs from right to left; its thickness shows how large the gradient is. The
    measures show all three as curves.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "norm": tuple(NORMS.values()),
        "strength": tuple(STRENGTHS.values()),
        "blocks": BLOCKS,
        "cut": ("", "1-28"),
    }

    cut = NumberList(
        "", max(BLOCKS), label="Blocks without a plus sign", doc="blocks whose output replaces what they read"
    )
    strength = param.Selector(
        default="full",
        objects=STRENGTHS,
        label="Strength of the branches",
        doc="how large the output of a block's branch is, relative to what it reads",
    )
    norm = param.Selector(
        default="none",
        objects=NORMS,
        label="Norm",
        doc="where a LayerNorm is: nowhere, as in Pre-LN, or as in Post-LN",
        precedence=1,
    )
    blocks = Stops(default=28, objects=list(BLOCKS), label="Blocks", doc="blocks of two layers each", precedence=1)
    seeds = usual_parameters.seeds()
    seed = usual_parameters.seed()

    @property
    def without(self) -> list[int]:
        """The blocks without a plus sign, counted from 1, in rising order."""
        return missing(self.cut, self.blocks)

    @property
    def factor(self) -> float:
        """The factor on every branch."""
        root = float(self.blocks**-0.5)
        return {"tenth": 0.1, "root": root, "library": LIBRARY, "half": 0.5, "full": 1.0}[self.strength]

    def passes(self) -> WeightedPasses:
        """Both passes through the networks of all seeds."""
        digits = source("digits")
        stack = WeightedStack(skips(self.without, self.blocks), self.factor, self.norm == "pre")
        # Nothing is trained: the learning rate plays no part.
        state = start(stack, digits, range(self.seed, self.seed + self.seeds), 0.0)
        data = digits.load()
        return weighted_passes(state, data.test_inputs[:COMPARED], data.test_labels[:COMPARED], self.norm == "post")

    def compute(self) -> Frame:
        quantities = {
            name: Quantity(
                np.median(values, axis=0), f"{SIGNALS[name].label}, median of the seeds", SIGNALS[name].unit, ("place",)
            )
            for name, values in self.passes().relative().items()
        }
        results = {
            "plus_signs": self.blocks - len(self.without),
            "came": angle(float(quantities["likeness"].values[0])),
            "apart": angle(float(quantities["likeness"].values[-1])),
            "stream": float(quantities["stream"].values[-1]),
            "gradient": float(quantities["gradient"].values[0]),
        }
        return Frame(quantities, results)

    def describe(self, frame: Frame) -> str:
        norm = {"none": "no norm", "pre": "norms before the branches", "post": "norms after the sums"}[self.norm]
        strength = number(self.factor, 2)
        return (
            f"{wiring(self.without, self.blocks)}, {norm} and branches of strength {strength}: "
            f"{in_words(frame.results)}."
        )

    def disclosure(self) -> Disclosure:
        norm = {
            "none": "no norm",
            "pre": "a LayerNorm before each branch and before the head",
            "post": "a LayerNorm after each sum",
        }[self.norm]
        return Disclosure(
            network=f"{self.blocks} untrained blocks of Linear–ReLU–Linear without biases on a stream of 32 numbers, "
            f"{norm}; a linear stem and head. A block without a plus sign outputs its branch alone. Weights "
            "are normally distributed; the average size of a branch's output, relative to its input, is "
            f"{number(self.factor, 2)}.",
            data=f"{source('digits').load().sentence}. Signals are measured on {COMPARED} held-out images.",
            seeds=f"{self.seeds} (from {self.seed}); lines and numbers are their median.",
            cannot_show="Training, and which images become alike: sizes and angles are averages.",
        )


@calculation(long=True, readings=("what", "statistic"), tolerance=1e-3)
def reading(
    what: str,
    statistic: str = "median",
    cut: str = "",
    strength: str = "full",
    norm: str = "none",
    blocks: int = 28,
) -> Number:
    """A signal in untrained networks of five seeds: "stream" after the last block over that before the first,
    "gradient" before the first block over that after the last, or "apart", the angle of two images after the last, in
    degrees; "came" is that angle before the first.
    """
    signals = Tower(cut=cut, strength=strength, norm=norm, blocks=blocks).passes().relative()
    values = {
        "stream": signals["stream"][:, -1].tolist(),
        "gradient": signals["gradient"][:, 0].tolist(),
        "apart": [angle(cosine) for cosine in signals["likeness"][:, -1]],
        "came": [angle(cosine) for cosine in signals["likeness"][:, 0]],
    }
    return STATISTICS[statistic](values[what])


@calculation(long=True, readings=("statistic",), tolerance=1e-3)
def left(cut: str, strength: str = "full", norm: str = "none", statistic: str = "median") -> Number:
    """The gradient before the first of 28 blocks, relative to that after the last, without some plus signs over the
    same with all of them; five seeds."""
    without, whole = (
        Tower(cut=blocks, strength=strength, norm=norm).passes().relative()["gradient"][:, 0] for blocks in (cut, "")
    )
    return STATISTICS[statistic]((without / whole).tolist())
