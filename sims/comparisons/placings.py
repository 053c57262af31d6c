"""Ways to place the norms of a residual stack, and how its stream grows at the start with each of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sims.engines.deep_norm import skip_factor, start_factor
from sims.instruments.training.placed_run import PlacedSetup
from sims.pytorch.stacks.placing import Placing


@dataclass(frozen=True)
class NormPlacing:
    """A way to place norms: its name, its short formula, and the mean square of the stream after l blocks.

    `law(v, l)` assumes that branches have random weights and an output with v times the mean square of their input,
    averaged over weights, and that the stream starts with a mean square of 1.
    """

    label: str
    formula: str
    law: Callable[[float, int], float]
    placing: Callable[[int], Placing]
    """The placing for a stack of a given number of blocks"""
    shrink: Callable[[int], float] = lambda _blocks: 1.0
    """Factor on both initial matrices of a branch, for a given number of blocks"""


def _constant(_variance: float, _block: int) -> float:
    return 1.0


def _linear(_variance: float, block: int) -> float:
    return 1.0 + block


PLACINGS: Mapping[str, NormPlacing] = {
    "pre": NormPlacing(
        "Pre-LN", "h + F(LN h)", lambda variance, block: 1 + variance * block, lambda _: Placing(norm_in=True)
    ),
    "scaled": NormPlacing(
        "LN Scaling",
        "h + F(LN(h)/√l)",
        lambda variance, block: 1 + variance * sum(1 / index for index in range(1, block + 1)),
        lambda _: Placing(norm_in=True, fading=0.5),
    ),
    "peri": NormPlacing("Peri-LN", "h + LN(F(LN h))", _linear, lambda _: Placing(norm_in=True, norm_out="layer")),
    "output": NormPlacing("Output norm", "h + RMSNorm(F(h))", _linear, lambda _: Placing(norm_out="rms")),
    "post": NormPlacing("Post-LN", "LN(h + F(h))", _constant, lambda _: Placing(norm_sum=True)),
    "deep": NormPlacing(
        "DeepNorm",
        "LN(αh + F(h)), F starts × β",
        _constant,
        lambda blocks: Placing(norm_sum=True, skip=skip_factor(blocks)),
        start_factor,
    ),
    "sphere": NormPlacing("On the sphere", "Norm(h + α(Norm(F(h)) − h))", _constant, lambda _: Placing(sphere=True)),
}
"""Key → placing. LN Scaling is LayerNorm Scaling, which counts its blocks l from 1; on the sphere is as in nGPT, whose
α is learned and starts here at 1/L."""


def setup(name: str, variance: float, blocks: int, learning_rate: float, seeds: tuple[int, ...]) -> PlacedSetup:
    """Return the setup of a run with a placing; `variance` is its law's v. Raises KeyError for an unknown placing."""
    placing = PLACINGS[name]
    return PlacedSetup(placing.placing(blocks), placing.shrink(blocks), variance, blocks, learning_rate, seeds)
