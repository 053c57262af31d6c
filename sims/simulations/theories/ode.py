"""Continuous depth: which scaling of the branches leads to a differential equation, which to noise, which to no
limit."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import blocks, number
from sims.instruments.stacks.continuous_depth import FACTORS, STRENGTH, distance, ends, ring, solution, streams

POINTS, SEEDS = 12, 20
DEPTHS = (4, 8, 16, 32, 64, 128, 256, 512)
"""Depths of which each is compared with its double"""

KINDS = {"smooth": "that change smoothly with depth", "independent": "drawn anew for every block"}


class Ode(Simulation):
    """More blocks, smaller steps

    Twelve points start on a circle in the plane and are moved by one residual block after another: lines show their
    paths through the network of the chosen depth and through one of twice that depth. Next to them, on logarithmic
    axes, one line shows how far networks move the points and another how far the points end up from where networks of
    twice the depth move them.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "depth": (4, 16, 64, 256),
        "factor": tuple(FACTORS),
        "weights": tuple(KINDS),
    }

    depth = Stops(
        default=16, objects=list(DEPTHS), label="Blocks L", doc="of the network that is drawn in full", precedence=1
    )
    factor = param.Selector(
        default="1/L", objects=list(FACTORS), label="Factor of a branch", doc="what every branch is multiplied by"
    )
    weights = param.Selector(
        default="smooth",
        objects={"smooth in depth": "smooth", "independent": "independent"},
        label="Weights",
        doc="how the weights of one block are related to those of the next",
    )
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        start, power = ring(POINTS), FACTORS[self.factor]
        last = _ends(self.weights, power, self.seed)
        moved, gaps = distance(last[:-1], start), distance(last[:-1], last[1:])
        single, double = (
            streams(self.weights, power, depth, self.seed, start) for depth in (self.depth, 2 * self.depth)
        )
        place = DEPTHS.index(self.depth)
        axes = ("block", "point", "coordinate")
        return Frame(
            {
                "depths": Quantity(np.array(DEPTHS), "blocks", "blocks", ("depth",)),
                "moved": Quantity(moved, "distance of the end from the start", "relative", ("depth",)),
                "gap": Quantity(gaps, "distance of the end from that of twice as many blocks", "relative", ("depth",)),
                "here": Quantity(single, "path through the network", "relative", axes),
                "double": Quantity(double, "path through the network of twice the depth", "relative", axes),
            },
            {"moved": float(moved[place]), "gap": float(gaps[place])},
        )

    def describe(self, frame: Frame) -> str:
        moved, gap = (number(float(frame.results[name]), 2) for name in ("moved", "gap"))
        return (
            f"With the factor {self.factor} and weights {KINDS[self.weights]}, {blocks(self.depth)} move the points "
            f"by {moved}, and {blocks(2 * self.depth)} take them to places {gap} away from there."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"Residual networks x + h·tanh(W x) of width 2 with the factor h = {self.factor}; weights "
            f"{KINDS[self.weights]}, normally distributed with standard deviation {STRENGTH:g}. Nothing is trained.",
            data=f"{POINTS} points on the unit circle; distances are root mean squares over them.",
            seeds=f"One, {self.seed}.",
            cannot_show="What training changes: nothing forces trained weights to be smooth in depth.",
        )


@lru_cache(64)
def _ends(kind: str, power: float, seed: int) -> np.ndarray:
    """The endpoints for all `DEPTHS` and for twice the deepest, (depths + 1, points, 2)."""
    points = ends(kind, power, (*DEPTHS, 2 * DEPTHS[-1]), seed, ring(POINTS))
    points.setflags(write=False)
    return points


@calculation(long=True, readings=("blocks", "what", "statistic"))
def limit(weights: str, factor: str, blocks: int, what: str, statistic: str = "median") -> float:
    """ "moved" or "gap" of networks of `blocks` blocks, one of `DEPTHS`: the statistic is over 20 seeds.

    `factor` is "1/L", "1/√L" or "1", `weights` "smooth" or "independent".
    """
    place, distances = DEPTHS.index(blocks), []
    for seed in range(SEEDS):
        last = _ends(weights, FACTORS[factor], seed)
        other = ring(POINTS) if what == "moved" else last[place + 1]
        distances.append(float(distance(last[place], other)))
    return STATISTICS[statistic](distances)


@calculation(long=True, readings=("blocks", "statistic"))
def off(blocks: int, statistic: str = "median") -> float:
    """Distance of the endpoints after `blocks` blocks from the equation's, with smooth weights and 1/L; over 20
    seeds."""
    distances = [
        float(distance(_ends("smooth", 1.0, seed)[DEPTHS.index(blocks)], solution(seed, ring(POINTS))[-1]))
        for seed in range(SEEDS)
    ]
    return STATISTICS[statistic](distances)
