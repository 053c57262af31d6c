"""An untrained GPT with a switch at every plus sign: what its branches do to a text and to the gradient."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.number_list import NumberList, written
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.data import own_words
from sims.engines.language import Branches, SwitchedModel
from sims.engines.language.layout import make_layout
from sims.instruments.networks.weighted_passes import angle
from sims.instruments.networks.wirings import in_words, missing, wiring
from sims.instruments.stacks.language_passes import PIECES, SIGNALS, language_passes

BLOCKS = (2, 4, 8)

MOST = 2 * max(BLOCKS)
"""Branches of the deepest model"""

CUTS = {
    "none": "",
    "all": f"1-{MOST}",
    "feed-forward": written(range(2, MOST + 1, 2)),
    "attention": written(range(1, MOST + 1, 2)),
}
"""Branches without a plus sign → their numbers; those of attention are odd"""

SEEDS = 5
"""Models over which the text gives a range"""


class LanguageTower(Simulation):
    """A GPT before it learns, with a switch at every plus sign

    A row of boxes lies across the picture: the branches of a small GPT, attention (A) and feed-forward (F) in turn,
    each after a norm, a short bar, and under an arc, its skip connection. Where a plus sign was taken out, the arc is a
    dotted line. Above the network, two lines run from left to right: two positions of a text in the forward pass. Their
    thickness shows how large the stream is, and the gap between them shows how much the positions differ; where they
    meet, the model no longer tells them apart. Below the network, a line runs from right to left; its thickness shows
    how large the gradient is. The measures show all three as curves.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "cut": tuple(CUTS.values()),
        "blocks": BLOCKS,
        "attention": ("softmax", "identity"),
    }

    cut = NumberList(
        "", MOST, label="Branches without a plus sign", doc="branches whose output replaces the stream; odd: attention"
    )
    blocks = Stops(
        default=8, objects=list(BLOCKS), label="Blocks", doc="an attention and a feed-forward branch each", precedence=1
    )
    attention = param.Selector(
        default="softmax",
        objects={"As usual": "softmax", "Own position only": "identity"},
        label="Attention reads",
        doc="what a position reads from",
        precedence=1,
    )
    seed = usual_parameters.seed()

    @property
    def without(self) -> list[int]:
        """The branches without a plus sign, counted from 1, in rising order."""
        return missing(self.cut, 2 * self.blocks)

    def model(self) -> SwitchedModel:
        """The model, with the sizes and the initialization of those that write on the same page."""
        return SwitchedModel(
            self.blocks,
            len(own_words.symbols()),
            attention=self.attention,
            initialization="variance-preserving",
            cut=Branches(branch - 1 for branch in self.without),
        )

    def compute(self) -> Frame:
        signals = language_passes(self.model(), self.seed)
        quantities = {
            name: Quantity(values, SIGNALS[name].label, SIGNALS[name].unit, ("place",))
            for name, values in signals.items()
        }
        return Frame(quantities, {"plus_signs": 2 * self.blocks - len(self.without), **_ends(signals)})

    def describe(self, frame: Frame) -> str:
        words = in_words(frame.results, "positions of a text", "embedding", "last branch")
        reads = "" if self.attention == "softmax" else ", where attention reads its own position only"
        return f"{wiring(self.without, 2 * self.blocks)}{reads}: {words}."

    def disclosure(self) -> Disclosure:
        model = self.model()
        return Disclosure(
            network=f"An untrained GPT of {self.blocks} blocks, width {model.width}, {model.heads} heads, "
            f"{make_layout(model).size:,} parameters, with a norm before every branch and before the head. A branch "
            "without a plus sign replaces the stream. The initial weights preserve variance.",
            data=f"{PIECES} pieces of {model.context} symbols from held-out lines of this site's own sentences. The "
            "angle is that of the mean cosine between two positions of a piece.",
            seeds=f"One, {self.seed}.",
            cannot_show="Training, and which positions become alike: sizes and angles are averages.",
        )


def _ends(signals: Mapping[str, np.ndarray]) -> dict[str, float]:
    """The angle of two positions before the first branch and after the last, in degrees, and what the two other
    signals are where they end."""
    return {
        "came": angle(float(signals["likeness"][0])),
        "apart": angle(float(signals["likeness"][-1])),
        "stream": float(signals["stream"][-1]),
        "gradient": float(signals["gradient"][0]),
    }


@calculation(long=True, readings=("what", "statistic"), tolerance=0.01)
def reading(what: str, statistic: str = "median", cut: str = "", blocks: int = 8, attention: str = "softmax") -> Number:
    """A signal in untrained models of five seeds: "stream" after the last branch over that after the embedding,
    "gradient" after the embedding over that after the last branch, or "apart", the angle of two positions after the
    last branch, in degrees; "came" is that angle after the embedding.
    """
    models = (LanguageTower(cut=cut, blocks=blocks, attention=attention, seed=seed) for seed in range(SEEDS))
    return STATISTICS[statistic]([_ends(language_passes(one.model(), one.seed))[what] for one in models])
