"""Two stacks of up to a thousand blocks: the size of the stream and of its gradient at every block."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.comparisons.scalings import SCALINGS, scaled
from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number, times_as_large
from sims.instruments.stacks.tall_stack import ALIKE, POINTS, WIDTH, Passes, Rules, passes

ALPHAS = (
    *(0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25),
    *(0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.5, 2.0),
)
STARTS = {"full": "as strong as its input", "default": "a library's default"}
GAINS = {"full": 1.0, "default": 1 / 18}
"""Mean square of a branch's output over that of its input, averaged over random weights"""
SEEDS = range(10)
"""Seeds of the numbers in the prose"""


def alpha_through(size: float, block: int, start: str) -> float:
    """The factor of `ALPHAS` with which a stream without norms has about this size after `block` blocks."""
    log_growth = math.log(max(size, 1.0)) * 2 / max(block, 1)
    return min(ALPHAS, key=lambda alpha: abs(math.log1p(alpha**2 * GAINS[start]) - log_growth))


class Signal(Simulation):
    """A stack of a thousand blocks, and a recipe beside it

    Two towers are side by side, the input at the foot and the last block at the top. The left half of a tower is as
    wide as the stream is large at that height, the right half as wide as the gradient coming down; a healthy
    tower is a straight pillar. The left tower multiplies its branches by α; the right one follows a recipe. Where
    numbers overflow, the tower breaks off. The measures are curves of stream and gradient, of the gradients of the
    weights, and of how alike different inputs have become.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "alpha": (0.0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0),
        "blocks": (10, 30, 100, 300, 1000),
    }

    alpha = Stops(default=1.0, objects=list(ALPHAS), label="α", doc="factor on every branch of the left tower")
    recipe = param.Selector(
        default="pre",
        objects={scaling.label: name for name, scaling in SCALINGS.items()},
        label="Recipe",
        doc="what the right tower does",
    )
    blocks = Stops(
        default=1000,
        objects=[10, 20, 30, 50, 100, 200, 300, 400, 500, 1000],
        label="Blocks",
        doc="height of both towers",
        precedence=1,
    )
    start = param.Selector(
        default="full",
        objects={"As strong as their input": "full", "A library's default": "default"},
        label="Branches",
        doc="how large the random weights are: a branch's output is as large as its input, or far smaller",
        precedence=1,
    )
    beta = Stops(
        default=1.0,
        objects=[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0],
        label="Times β of the inverted DeepNorm",
        doc="multiplies what enters the branches of the inverted recipes",
        precedence=1,
    )
    seed = usual_parameters.seed()

    def rules(self) -> dict[str, Rules]:
        """The rules of the two towers."""
        right = SCALINGS[self.recipe].rules(self.blocks)
        if self.recipe.startswith("inverted"):
            right = replace(right, before=right.before * self.beta)
        return {"left": scaled(self.alpha), "right": right}

    def compute(self) -> Frame:
        quantities, results = {}, {}
        for side, rules in self.rules().items():
            tower = passes(rules, self.start, self.blocks, self.seed)
            name = self.names[side]
            for key, values, words, unit, axis in (
                ("stream", tower.stream, "root mean square of the stream", "relative to the input", "place"),
                ("gradient", tower.gradient, "root mean square of the gradient", "relative to the top", "place"),
                ("cosine", tower.cosine, "cosine between two inputs", "relative", "place"),
                ("first", tower.first, "gradient of the first matrix", "loss per unit of weight", "block"),
                ("last", tower.last, "gradient of the last matrix", "loss per unit of weight", "block"),
                ("factor", tower.factor, "derivative by the branch's factor", "loss per unit", "block"),
            ):
                quantities[f"{side}_{key}"] = Quantity(values, f"{name}: {words}", unit, (axis,))
            results |= {f"{side}_overflow": tower.overflow} | _read(tower, side)
        return Frame(quantities, results)

    @property
    def names(self) -> dict[str, str]:
        """The names of the towers."""
        return {"left": f"α = {number(self.alpha)}", "right": SCALINGS[self.recipe].label}

    def describe(self, frame: Frame) -> str:
        return " ".join(self._sentence(frame, side) for side in ("left", "right"))

    def _sentence(self, frame: Frame, side: str) -> str:
        name, results = self.names[side], frame.results
        if results[f"{side}_overflow"]:
            return (
                f"{name}: the stream overflows single precision in block {results[f'{side}_overflow']} "
                f"of {self.blocks}."
            )
        top, foot, cosine = (float(results[f"{side}_{key}"]) for key in ("top", "foot", "cosine"))
        if not top:
            return f"{name}: after {self.blocks} blocks the stream is too small for single precision, and becomes 0."
        return (
            f"{name}: after {self.blocks} blocks the stream is {times_as_large(top, 3)} as the input, and the "
            f"gradient reaches the foot {times_as_large(foot, 3)} as it left the top; two inputs have a "
            f"cosine of {number(cosine)}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"{self.blocks} untrained blocks of width {WIDTH}, each with one Linear–ReLU–Linear branch without "
            f"biases, {STARTS[self.start]}; the weights of both towers are made from the same random numbers. Single "
            "precision.",
            data=f"None: {POINTS} random inputs with a cosine of about {number(ALIKE)}, and a random gradient at the "
            "top.",
            seeds=f"One, {self.seed}. Seeds differ: the text quotes the range over {len(SEEDS)}.",
            cannot_show="Training, attention, or a network that is wide: over a thousand blocks, random "
            "differences add up, and more so in narrow networks.",
        )


def _read(tower: Passes, side: str) -> dict[str, float]:
    """The numbers at the ends of a tower; NaN if it overflowed."""
    ends = {"top": tower.stream[-1], "foot": tower.gradient[0], "cosine": tower.cosine[-1]}
    return {f"{side}_{key}": float(value) for key, value in ends.items()}


@calculation(long=True, readings=("what", "statistic"), tolerance=1e-3)
def reading(
    scaling: str, what: str, blocks: int, statistic: str = "median", start: str = "full", at: int = -1
) -> Number:
    """A number of a recipe, or of a constant α given as a text: "stream" at the last block (or after block `at`),
    "gradient" at the input, "cosine" at the last block, or "overflow"; the median, lowest or highest of ten seeds."""
    rules = SCALINGS[scaling].rules(blocks) if scaling in SCALINGS else scaled(float(scaling))
    values = []
    for seed in SEEDS:
        tower = passes(rules, start, blocks, seed)
        numbers = {"stream": tower.stream[at], "gradient": tower.gradient[0], "cosine": tower.cosine[at]}
        values.append(float(tower.overflow if what == "overflow" else numbers[what]))
    return STATISTICS[statistic](values)


@calculation(long=True, tolerance=1e-3)
def growth(alpha: float, blocks: int = 200, start: str = "default") -> Number:
    """The factor by which the stream's root mean square grows per block: from the mean square over ten seeds."""
    tops = [passes(scaled(alpha), start, blocks, seed).stream[-1] for seed in SEEDS]
    return float(np.mean(np.square(tops)) ** (0.5 / blocks))


@calculation
def theory(alpha: float, blocks: int, start: str = "full") -> Number:
    """Mean square of the stream after blocks without a norm: (1 + α²c)^blocks, c the branch's own gain."""
    return float((1 + alpha**2 * GAINS[start]) ** blocks)


@calculation(long=True)
def largest_alpha(blocks: int = 1000) -> Number:
    """The largest α of the control with which none of ten seeds overflows."""
    return max(
        alpha for alpha in ALPHAS if not any(passes(scaled(alpha), "full", blocks, seed).overflow for seed in SEEDS)
    )
