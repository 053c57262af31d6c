"""Products of random matrices: which property of one factor predicts what two hundred of them do to a vector."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import param

from sims.contract import usual_parameters
from sims.contract.bands import STATISTICS, band
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.engines.orthogonal import orthogonal

DEEPEST = 200
VECTORS = 5
EXAMINED = 8
"""Matrices whose singular values and eigenvalues are computed; all factors have the same distribution."""

FAMILIES = {
    "gaussian": "Gaussian",
    "identity": "I + Gaussian",
    "orthogonal": "Orthogonal",
    "nilpotent": "Nilpotent pair",
}


class Factors(NamedTuple):
    """The factors of a product at a scale of 1."""

    matrices: np.ndarray
    """(layers, d, d)"""
    vectors: np.ndarray
    """(d, vectors) of norm 1"""
    eigenvalues: np.ndarray
    """(examined, d)"""


@lru_cache(maxsize=12)
def factors(family: str, width: int, seed: int) -> Factors:
    """`DEEPEST` factors of a family, and the vectors to multiply by them."""
    random = np.random.default_rng((seed, width))
    vectors = random.normal(size=(width, VECTORS))
    if family == "nilpotent":
        pair = np.zeros((2, width, width))
        pair[0, 0::2, 1::2] = pair[1, 1::2, 0::2] = 2 * np.eye(width // 2)
        matrices = np.tile(pair, (DEEPEST // 2, 1, 1))
    elif family == "orthogonal":
        matrices = np.stack([orthogonal((width, width), random) for _ in range(DEEPEST)])
    else:
        matrices = random.normal(0, width**-0.5, (DEEPEST, width, width))
    return Factors(matrices, vectors / np.linalg.norm(vectors, axis=0), np.linalg.eigvals(matrices[:EXAMINED]))


def walk(family: str, width: int, sigma: float, seed: int) -> np.ndarray:
    """(layers + 1, vectors) the norm of each vector before the first factor and after every one."""
    matrices, vectors, _ = factors(family, width, seed)
    norms = [np.ones(VECTORS)]
    for matrix in matrices:
        step = sigma * (matrix @ vectors)
        vectors = vectors + step if family == "identity" else step
        norms.append(np.linalg.norm(vectors, axis=0))
    return np.array(norms)


def readings(family: str, width: int, sigma: float, seed: int) -> tuple[float, float, float]:
    """Spectral norm, rms singular value and largest |eigenvalue| of one factor, means over a few of them."""
    matrices, _, eigenvalues = factors(family, width, seed)
    some, values = sigma * matrices[:EXAMINED], sigma * eigenvalues
    if family == "identity":
        some, values = some + np.eye(width), values + 1
    spectral = float(np.linalg.norm(some, 2, axis=(1, 2)).mean())
    rms = float(np.sqrt((some**2).sum(axis=(1, 2)).mean() / width))
    return spectral, rms, float(np.abs(values).max(axis=1).mean())


def outcome(family: str, width: int, sigma: float, layers: int, seed: int) -> tuple[np.ndarray, dict[str, float]]:
    """The norms of `walk` up to a layer, and its read-outs: "spectral", "rms", "eigenvalue", "factor" and "end"."""
    norms = walk(family, width, sigma, seed)[: layers + 1]
    spectral, rms, eigenvalue = readings(family, width, sigma, seed)
    end = float(np.median(norms[-1]))
    readouts = {"spectral": spectral, "rms": rms, "eigenvalue": eigenvalue, "factor": end ** (1 / layers), "end": end}
    return norms, readouts


class JacobianWalk(Simulation):
    """What a long product of matrices does to a vector

    A line on a logarithmic scale follows the length of a vector through layer after layer; three straight lines show
    where it would go if each layer multiplied it by the spectral norm, by the rms singular value, or by the largest
    eigenvalue; where the first runs away, the axis follows the others. Bars compare the three with the factor per layer
    that was measured.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "family": tuple(FAMILIES),
        "sigma": (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5),
    }

    family = param.Selector(
        default="gaussian",
        objects={label: name for name, label in FAMILIES.items()},
        label="Matrices",
        doc="what is multiplied: random matrices, or two that alternate",
    )
    sigma = param.Number(
        1.0,
        bounds=(0.5, 1.5),
        step=0.01,
        label="Scale",
        doc="factor on the matrices; entries of a Gaussian one have this standard deviation times 1/√d",
    )
    layers = param.Integer(
        DEEPEST, bounds=(2, DEEPEST), step=2, label="Layers", doc="how many matrices are multiplied", precedence=1
    )
    width = Stops(default=64, objects=[16, 32, 64], label="Width d", doc="rows of a matrix", precedence=1)
    seed = usual_parameters.seed()

    def compute(self) -> Frame:
        norms, readouts = outcome(self.family, self.width, self.sigma, self.layers, self.seed)
        depths = np.arange(self.layers + 1)
        labels = {"spectral": "spectral norm", "rms": "rms singular value", "eigenvalue": "largest eigenvalue"}
        with np.errstate(under="ignore"):
            quantities = band(norms, "norm", "norm of the vector", "relative to its start", "layer") | {
                name: Quantity(readouts[name] ** depths, f"{label} to the power of the layers", axes=("layer",))
                for name, label in labels.items()
            }
        return Frame(quantities, readouts)

    def describe(self, frame: Frame) -> str:
        r = {name: number(float(value)) for name, value in frame.results.items()}
        return (
            f"After {self.layers} layers the median of {VECTORS} vectors has {r['end']} times its length, a factor of "
            f"{r['factor']} per layer. One matrix has a spectral norm of {r['spectral']}, an rms singular value "
            f"of {r['rms']} and a largest eigenvalue of size {r['eigenvalue']}."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network=f"None: {DEEPEST} independent matrices of {self.width} rows, or two that alternate.",
            data=f"{VECTORS} random vectors of length 1.",
            seeds=f"Seed {self.seed}; the line is the median of the vectors, the band their whole range; norms and "
            f"eigenvalues are means over {EXAMINED} of the matrices.",
            cannot_show="Jacobians of a network that has learned: they are not independent of each other. "
            "The next simulation has those.",
        )


@calculation(long=True, readings=("what", "statistic"))
def reading(
    what: str, sigma: float = 1.0, family: str = "gaussian", width: int = 64, statistic: str = "median"
) -> Number:
    """A read-out of `outcome` after all matrices: "median", "lowest" or "highest" of 10 seeds."""
    return STATISTICS[statistic]([outcome(family, width, sigma, DEEPEST, seed)[1][what] for seed in range(10)])


@calculation(long=True, readings=("layer",))
def length(layer: int) -> float:
    """The norm of a vector after a layer, relative to its start, as the figure shows it before anything is changed."""
    return float(JacobianWalk().compute()["norm"][layer])
