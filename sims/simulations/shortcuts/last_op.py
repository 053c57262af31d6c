"""The last operation of a branch decides in which direction the stream can move."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import exact_or, number

WIDTH, SAMPLES, BINS = 64, 64, 60

ENDINGS = {
    "linear": "h + W₂ ReLU(W₁ h + b₁) + b₂: a linear layer comes last",
    "relu": "h + ReLU(W h + b): the branch ends in a ReLU",
    "after": "ReLU(h + W₂ ReLU(W₁ h + b₁) + b₂): a ReLU is on the stream itself, after the sum",
    "pre": "h + W₂ ReLU(W₁ ReLU(h) + b₁) + b₂: ReLUs are only before the branch's layers",
}
"""Value → the block as a formula and in words. None of them has a norm."""


class LastOp(Simulation):
    """What the last operation of a branch does to the stream

    A ridge for every second block shows how the numbers of the residual stream are distributed, the input at the
    bottom, with a line through their means. Next to it, two curves around a line at 0 show the largest steps up and
    down that any number takes in each block. Among the measures are the mean and the size of the stream.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "ending": ("linear", "relu", "after", "pre"),
        "blocks": (2, 10, 20, 40),
        "strength": (0.0, 0.5, 1.0),
    }

    ending = param.Selector(
        default="linear",
        objects={
            "Linear layer": "linear",
            "ReLU": "relu",
            "Linear layer; ReLU after the sum": "after",
            "Linear layer; ReLU before the branch": "pre",
        },
        label="End of the branch",
        doc="the last operation before the sum, and where the other ReLUs are",
    )
    blocks = param.Integer(20, bounds=(2, 40), step=2, label="Blocks", doc="blocks one after another")
    strength = param.Number(
        1.0, bounds=(0, 2), step=0.05, label="Factor", doc="on the output of every branch", precedence=1
    )
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        streams = self._streams()
        steps = np.diff(streams, axis=0)
        edges = np.linspace(min(streams.min(), -1.0), max(streams.max(), 1.0), BINS + 1)
        shares = np.array([np.histogram(stream, edges)[0] / stream.size for stream in streams])
        by_block, by_step = ("block",), ("step",)
        means = streams.mean(axis=(1, 2))
        quantities = {
            "edges": Quantity(edges, "edges of the bins", "relative", ("edge",)),
            "shares": Quantity(shares, "share of the stream's numbers", "relative", ("block", "bin")),
            "mean": Quantity(means, "mean of the stream", "relative", by_block),
            "rms": Quantity(np.sqrt((streams**2).mean(axis=(1, 2))), "root mean square", "relative", by_block),
            "lowest": Quantity(steps.min(axis=(1, 2)), "largest step down", "relative", by_step),
            "highest": Quantity(steps.max(axis=(1, 2)), "largest step up", "relative", by_step),
        }
        answers = {
            "mean": float(means[-1]),
            "lowest_step": float(steps.min()),
            "negative": float((streams[-1] < 0).mean()),
            "down": float((steps < 0).mean()),
        }
        return Frame(quantities, answers)

    def _streams(self) -> np.ndarray:
        """Stream before the first block and after each, (blocks + 1, samples, width)."""
        random = np.random.default_rng((self.seed, 0))
        bound = WIDTH**-0.5

        def layer(h: np.ndarray) -> np.ndarray:
            weights, bias = random.uniform(-bound, bound, (WIDTH, WIDTH)), random.uniform(-bound, bound, WIDTH)
            outputs: np.ndarray = h @ weights.T + bias
            return outputs

        streams = [random.normal(size=(SAMPLES, WIDTH))]
        for _ in range(self.blocks):
            h = streams[-1]
            if self.ending == "relu":
                branch = _relu(layer(h))
            else:
                branch = layer(_relu(layer(_relu(h) if self.ending == "pre" else h)))
            after = h + self.strength * branch
            streams.append(_relu(after) if self.ending == "after" else after)
        return np.array(streams)

    def describe(self, frame: Frame) -> str:
        lowest, down = float(frame.results["lowest_step"]), float(frame.results["down"])
        moved = (
            "no value in the stream ever went down"
            if lowest >= 0
            else f"{down:.0%} of all changes of a value were downward, by up to {exact_or(-lowest)}"
        )
        return (
            f"After {self.blocks} blocks the stream's mean is {exact_or(float(frame.results['mean']))}, and "
            f"{float(frame.results['negative']):.0%} of its values are negative; {moved}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"{self.blocks} blocks of width {WIDTH}. Each computes {ENDINGS[self.ending]}. The branch is "
            f"multiplied by {number(self.strength, 6)}. No norms; PyTorch's default initialization; nothing is "
            "trained.",
            data=f"{SAMPLES} vectors of {WIDTH} independent standard normal numbers.",
            seeds=f"One ({self.seed}).",
            cannot_show="What training does to the stream, and how accurate such networks become: norms and training "
            "change the picture; only the sign of a ReLU's output does not change.",
        )


def _relu(x: np.ndarray) -> np.ndarray:
    positive: np.ndarray = np.maximum(x, 0.0)
    return positive


@calculation
def mean(blocks: int, ending: str = "relu") -> float:
    """Mean of the stream after that many untrained blocks, seed 0."""
    return float(LastOp(ending=ending, blocks=max(blocks, 2)).compute()["mean"][blocks])


@calculation
def lowest_step(ending: str) -> float:
    """The lowest step of any number in any of 20 untrained blocks, seed 0; not negative if none goes down."""
    return float(LastOp(ending=ending).compute().results["lowest_step"])
