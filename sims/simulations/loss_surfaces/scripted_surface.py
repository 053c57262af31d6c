"""A scripted surface: the conclusion is typed into a formula. Shown once, as a warning."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.calculation import calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.instruments.surfaces.ruggedness import ruggedness

SIDE = np.linspace(-1, 1, 41)


def plain(a: np.ndarray, b: np.ndarray, depth: float) -> np.ndarray:
    """A bowl, a² + b², with waves whose height is depth / 10: no network, no data, no loss."""
    waves = 0.5 * np.sin(13 * a) * np.cos(4 * b) + 0.3 * np.sin(3 * a) * np.sin(7 * b)
    return a**2 + b**2 + depth / 10 * waves


def residual(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The same bowl with a ripple of fixed height, whatever the depth."""
    return a**2 + b**2 + 0.02 * np.sin(2 * a) * np.cos(2 * b)


class ScriptedSurface(Simulation):
    """Scripted, not measured: a formula that passes for two networks

    Two surfaces are drawn from a formula: a bowl with waves that grow with a number called depth, and the same bowl
    with hardly any waves. No network is involved. The measures are maps of both from above.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": tuple(range(0, 101, 4))}

    depth = param.Integer(
        64, bounds=(0, 100), label="The number called “depth”", doc="what the waves are multiplied by"
    )

    def compute(self) -> Frame:
        a, b = np.meshgrid(SIDE, SIDE)
        surfaces = {"plain": plain(a, b, self.depth), "residual": residual(a, b)}
        measures = {name: ruggedness(surface) for name, surface in surfaces.items()}
        quantities = {"side": Quantity(SIDE, "a, and b", axes=("column",))}
        for name, surface in surfaces.items():
            quantities[name] = Quantity(surface, f"scripted value, called {name}", "none", ("row", "column"))
        return Frame(quantities, {f"{name}_minima": measure.minima for name, measure in measures.items()})

    def describe(self, frame: Frame) -> str:
        return (
            f"Scripted: with “depth” {self.depth} the formula called plain has {frame.results['plain_minima']} valleys "
            f"and the one called residual {frame.results['residual_minima']}, because somebody wrote them that way."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="None: two lines of arithmetic with sines.",
            data="None.",
            seeds="None.",
            cannot_show="Anything about networks; what it seems to show was put in by hand.",
        )


@calculation
def value(network: str, a: float = 0.5, b: float = 0.3, depth: float = 64) -> float:
    """The scripted value at a point: "plain" for a “depth”, or "residual"."""
    one, other = np.array(a), np.array(b)
    return float(plain(one, other, depth) if network == "plain" else residual(one, other))
