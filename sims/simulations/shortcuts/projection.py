"""The cost of shortcuts with weights: little where shapes change, but up to that of a second network everywhere
else."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number, percent
from sims.instruments.costs.shortcut_costs import OPTIONS, blocks, total

SIDE = 32
NAMES: Mapping[str, str] = {
    "A": "A: zeros where shapes change",
    "B": "B: projections where shapes change",
    "C": "C: projections everywhere",
}
"""Option → what the shortcuts do"""


class Projection(Simulation):
    """What a projection costs

    Three bars show the parameters of one network under three kinds of shortcuts, and three more show its
    products for one image: each has a part for the branches, which is the same in all, and one for the shortcuts. A
    strip shows every block with two areas: the parameters of its branch, and above them those of a projection.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"kind": ("basic", "bottleneck"), "blocks": (1, 2, 3, 5, 9, 18)}

    kind = param.Selector(
        default="basic",
        objects={"Basic: two 3×3": "basic", "Bottleneck: 1×1, 3×3, 1×1": "bottleneck"},
        label="Block",
        doc="the convolutions of a branch",
    )
    blocks = param.Integer(3, bounds=(1, 18), label="Blocks in each stage", doc="blocks between two changes of shape")
    channels = Stops(
        default=16, objects=[16, 32, 64], label="Channels", doc="channels of the first stage", precedence=1
    )

    def compute(self) -> Frame:
        network = list(blocks(self.kind, self.blocks, self.channels, SIDE))
        totals = [total(network, option) for option in OPTIONS]
        quantities = {"option": Quantity(np.array([NAMES[option] for option in OPTIONS]), "shortcuts", "", ("option",))}
        for part, place in (("branch", 0), ("shortcut", 1)):
            label = "all branches" if part == "branch" else "all shortcuts"
            for key, unit in (("parameters", "parameters"), ("products", "products for one image")):
                values = np.array([getattr(costs[place], key) for costs in totals])
                quantities[f"{part}_{key}"] = Quantity(values, f"{key} of {label}", unit, ("option",))
        costs = {
            "block_branch": [sum(layer.cost.parameters for layer in block.branch) for block in network],
            "block_shortcut": [block.shortcut.cost.parameters for block in network],
        }
        for key, parameters in costs.items():
            label = "parameters of the block's " + ("branch" if key == "block_branch" else "projection, if it had one")
            quantities[key] = Quantity(np.array(parameters), label, "parameters", ("block",))
        changes = np.array([int(block.changes) for block in network])
        quantities["block_changes"] = Quantity(changes, "1 where the block changes the shape", "", ("block",))
        shares = quantities["shortcut_parameters"].values / quantities["branch_parameters"].values
        answers = {f"{option.lower()}_share": float(share) for option, share in zip(OPTIONS, shares, strict=True)}
        answers |= {"changes": sum(block.changes for block in network), "total": len(network)}
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        at_changes, everywhere = (float(frame.results[f"{option}_share"]) for option in "bc")
        changes, count = int(frame.results["changes"]), int(frame.results["total"])
        return (
            f"Of {number(count)} blocks, {number(changes)} change the shape. Projections there add "
            f"{percent(at_changes)} to the parameters of the branches; on every shortcut they add "
            f"{percent(everywhere)}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Three stages of {self.blocks} blocks for images of {SIDE} × {SIDE} pixels, with {self.channels} "
            "channels at first; each further stage has half the side length and "
            "twice as many channels. Counted, not run: the "
            "tests compare the counts with PyTorch's own.",
            data="None.",
            seeds="None; nothing is random.",
            cannot_show="Which shortcut learns better, and how long a product takes on a device.",
        )


@calculation
def share(option: str, kind: str = "basic", blocks_per_stage: int = 3) -> Number:
    """Parameters of the shortcuts over those of the branches."""
    branch, shortcut = total(list(blocks(kind, blocks_per_stage, 16, SIDE)), option)
    return shortcut.parameters / branch.parameters


@calculation
def share_in_percent(option: str, kind: str = "basic", blocks_per_stage: int = 3) -> Number:
    """The same in percent, to a whole number."""
    return round(100 * float(share(option, kind, blocks_per_stage)))
