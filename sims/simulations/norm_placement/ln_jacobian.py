"""The effect of a LayerNorm on a gradient: its Jacobian, alone and in a stack of Post-LN blocks."""

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
from sims.contract.wording import number

WIDTH, POINTS = 64, 32


class Blocks:
    """A stack of ordinary Post-LN blocks h ← LN(h + W₂ ReLU(W₁ h)), before training.

    W₁ is He's, with variance 2/fan-in, and W₂ has variance v/fan-in: for a normalized input, a branch then has variance
    v on average. `streams` are (POINTS, WIDTH); the norms have no ε, so that algebra holds to rounding.
    """

    def __init__(self, variance: float, blocks: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.streams = [_normalized(random.normal(size=(POINTS, WIDTH)))[0]]
        self.first, self.second, self.scales = [], [], []
        for _ in range(blocks):
            w1, w2 = random.normal(size=(2, WIDTH, WIDTH)) * np.sqrt([[[2 / WIDTH]], [[variance / WIDTH]]])
            branch = np.maximum(self.streams[-1] @ w1.T, 0) @ w2.T
            after, scale = _normalized(self.streams[-1] + branch)
            self.first.append(w1)
            self.second.append(w2)
            self.scales.append(scale)
            self.streams.append(after)

    def jacobians(self, block: int, point: int) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians of one block at one point, each (WIDTH, WIDTH): that of the norm alone, and that of the branch."""
        normal, scale = self.streams[block + 1][point], self.scales[block][point, 0]
        ones = np.ones((WIDTH, WIDTH))
        of_norm = scale * (np.eye(WIDTH) - ones / WIDTH - np.outer(normal, normal) / WIDTH)
        active = self.first[block] @ self.streams[block][point] > 0
        of_branch = (self.second[block] * active) @ self.first[block]
        return of_norm, of_branch

    def gradients(self, cotangents: np.ndarray, with_branch: bool) -> np.ndarray:
        """Root mean square over points of the gradient (POINTS, WIDTH) after passing back through 0, 1, … blocks."""
        gradient, sizes = cotangents, [_size(cotangents)]
        for block in reversed(range(len(self.first))):
            normal = self.streams[block + 1]
            level = gradient.mean(axis=1, keepdims=True)
            slope = (gradient * normal).mean(axis=1, keepdims=True)
            gradient = (gradient - level - normal * slope) * self.scales[block]
            if with_branch:
                active = self.streams[block] @ self.first[block].T > 0
                inside = gradient @ self.second[block]
                gradient = gradient + np.where(active, inside, 0.0) @ self.first[block]
            sizes.append(_size(gradient))
        return np.array(sizes)


def _normalized(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    centered = x - x.mean(axis=1, keepdims=True)
    scale = 1 / centered.std(axis=1, keepdims=True)
    return centered * scale, scale


def _size(x: np.ndarray) -> float:
    return float(np.sqrt(np.square(x).mean()))


class LnJacobian(Simulation):
    """How much of a gradient comes through Post-LN

    Three lines show how much of a gradient is left after passing more and more Post-LN sublayers: along the skips only,
    along all routes, and the power law that the skip alone should follow. Dots show the singular values of a
    LayerNorm's Jacobian times σ, sorted; two of them are zero.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "variance": (0.01, 0.04, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0),
        "blocks": (6, 12, 24, 48),
    }

    variance = Stops(
        default=0.25,
        objects=[0.01, 0.04, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0],
        label="Variance of a branch",
        doc="how strong a branch is on average, beside a stream of variance 1",
    )
    blocks = param.Integer(24, bounds=(1, 48), label="Sublayers", doc="Post-LN sublayers that the gradient passes")
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        blocks = Blocks(self.variance, self.blocks, self.seed)
        of_norm, of_branch = blocks.jacobians(0, 0)
        scale = blocks.scales[0][0, 0]
        alone = np.linalg.svd(of_norm / scale, compute_uv=False)
        whole = np.linalg.svd(of_norm @ (np.eye(WIDTH) + of_branch), compute_uv=False)
        cotangents = np.random.default_rng((self.seed, 1)).normal(size=(POINTS, WIDTH))
        skip, full = (blocks.gradients(cotangents, with_branch) for with_branch in (False, True))
        alpha = (1 + self.variance) ** -0.5
        passed = np.arange(self.blocks + 1)
        number = np.arange(1, WIDTH + 1)
        return Frame(
            {
                "number": Quantity(number, "number, largest first", "", ("singular value",)),
                "alone": Quantity(
                    alone, "singular values of σ times the norm's Jacobian", "relative", ("singular value",)
                ),
                "whole": Quantity(
                    whole, "singular values of a whole sublayer's Jacobian", "relative", ("singular value",)
                ),
                "passed": Quantity(passed, "sublayers passed in the backward pass", "sublayers", ("sublayers passed",)),
                "skip": Quantity(
                    skip / skip[0], "gradient left along the skips only", "relative", ("sublayers passed",)
                ),
                "full": Quantity(full / full[0], "gradient left along all paths", "relative", ("sublayers passed",)),
                "power": Quantity(alpha**passed, "power of 1/√(1 + v)", "relative", ("sublayers passed",)),
            },
            {
                "alpha": float(alpha),
                "measured_alpha": float(np.mean([values.mean() for values in blocks.scales])),
                "skip": float(skip[-1] / skip[0]),
                "full": float(full[-1] / full[0]),
                "zeros": int((alone < 1e-9).sum()),
            },
        )

    def describe(self, frame: Frame) -> str:
        skip, full = float(frame.results["skip"]), float(frame.results["full"])
        sublayers = f"{self.blocks} sublayers" if self.blocks > 1 else "one sublayer"
        return (
            f"Through {sublayers}, {number(skip, 2)} of the gradient is left along the skips only, and "
            f"{number(full, 2)} along all paths. A norm multiplies by 1/σ, here "
            f"{float(frame.results['measured_alpha']):.3f} on average, and removes {frame.results['zeros']} of "
            f"{WIDTH} directions."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"{self.blocks} untrained Post-LN sublayers of width {WIDTH} with branches Linear–ReLU–Linear; the "
            f"weights have variance 2/fan-in, then {number(self.variance, 6)}/fan-in.",
            data=f"{POINTS} random points, and a random gradient at the output for each.",
            seeds=f"One ({self.seed}); sizes are root mean squares over the points.",
            cannot_show="Attention, or trained branches, whose gains need not match their variance.",
        )


@calculation
def kept(variance: float, norms: int = 1) -> float:
    """(1 + v)^(−norms/2): the share of a gradient that the skip route alone keeps through that many Post-LN norms.

    For a stream of variance 1 and an uncorrelated branch of variance v, σ² = 1 + v.
    """
    return float((1 + variance) ** (-norms / 2))


@calculation(long=True, readings=("statistic",))
def measured(variance: float, blocks: int, with_branch: bool, statistic: str = "median") -> float:
    """What is left of a gradient after passing that many Post-LN blocks: "median", "lowest" or "highest" of 10
    seeds."""
    shares = []
    for seed in range(10):
        cotangents = np.random.default_rng((seed, 1)).normal(size=(POINTS, WIDTH))
        sizes = Blocks(variance, blocks, seed).gradients(cotangents, with_branch)
        shares.append(float(sizes[-1] / sizes[0]))
    return STATISTICS[statistic](shares)
