"""Attention over depth: a query weighs earlier outputs, where a residual stream adds them all."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number, percent
from sims.instruments.stacks.depth_lookback import MOST_OUTPUTS, plane_outputs, voices, weights

FAR = 2.0
"""The largest component of the query"""


class DepthAttention(Simulation):
    """A query that looks back over depth

    Arrows in a plane are the outputs of earlier blocks, with their numbers. A handle is the query. Bars next to
    them show the weight that the query gives to each output; three more arrows show what the next block would get: the
    sum of all, their mean, and the weighted mean. A further figure shows how long these three are as more outputs are
    added.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "across": (-2.0, -1.0, 0.0, 1.0, 2.0),
        "up": (-2.0, -1.0, 0.0, 1.0, 2.0),
    }

    across = param.Number(0.0, bounds=(-FAR, FAR), step=0.05, label="Query, across", doc="first number of the query")
    up = param.Number(0.0, bounds=(-FAR, FAR), step=0.05, label="Query, up", doc="second number of the query")
    earlier = param.Integer(
        6, bounds=(2, MOST_OUTPUTS), label="Earlier outputs", doc="the stem's and those of earlier blocks", precedence=1
    )
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        everything = plane_outputs(MOST_OUTPUTS, self.seed)
        query, outputs = np.array([self.across, self.up]), everything[: self.earlier]
        shares = weights(query, outputs)
        counts = np.arange(1, MOST_OUTPUTS + 1)
        sums = np.cumsum(everything, axis=0)
        attended = np.array([weights(query, everything[:count]) @ everything[:count] for count in counts])
        lengths = {"sum": sums, "mean": sums / counts[:, None], "attended": attended}
        at = self.earlier - 1
        quantities = {
            "outputs": Quantity(outputs, "earlier outputs", "relative", ("output", "direction")),
            "weights": Quantity(shares, "weight of each output", "share", ("output",)),
            "counts": Quantity(counts, "earlier outputs", "outputs", ("count",)),
        }
        answers = {"voices": voices(shares), "largest": float(shares.max())}
        for name, values in lengths.items():
            quantities[f"{name}_arrow"] = Quantity(values[at], f"the {name} of the outputs", "relative", ("direction",))
            sizes = np.linalg.norm(values, axis=1)
            quantities[f"{name}_length"] = Quantity(sizes, f"length of the {name}", "relative", ("count",))
            answers[name] = float(sizes[at])
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        shares = frame["weights"]
        lengths = {name: number(float(frame.results[name]), 2) for name in ("sum", "mean", "attended")}
        if np.ptp(shares) < 1e-9:
            chosen = (
                f"A query of zero gives each of {self.earlier} outputs the same weight, {percent(float(shares[0]))}"
            )
        else:
            chosen = (
                f"The query gives output {int(shares.argmax())} the largest weight, {percent(float(shares.max()))}; as "
                f"if {number(float(frame.results['voices']), 2)} of {self.earlier} outputs had a say"
            )
        return (
            f"{chosen}. The weighted mean has a length of {lengths['attended']}, the mean {lengths['mean']}, the sum "
            f"{lengths['sum']}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="None: outputs are random arrows with lengths around 1, numbered from 0 (the stem). A key is an "
            "output divided by its root mean square; weights are the softmax of the query times the keys.",
            data="None.",
            seeds=f"One, {self.seed}.",
            cannot_show="Which queries a network learns, and what becomes of them in hundreds of dimensions. A "
            "figure in The field trains such queries, on a small scale.",
        )
