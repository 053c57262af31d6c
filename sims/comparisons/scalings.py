"""Ways to keep the sum of many branches bounded: each gives the rules for a stack of a given number of blocks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sims.engines.deep_norm import skip_factor, start_factor
from sims.instruments.stacks.tall_stack import Rules

LAYER_SCALE = 1e-4
"""λ, one of the starting values that are reported for LayerScale"""


@dataclass(frozen=True)
class Scaling:
    """A recipe: its name, its short formula, and its rules for L blocks."""

    label: str
    formula: str
    rules: Callable[[int], Rules]


SCALINGS: Mapping[str, Scaling] = {
    "plain": Scaling("Plain", "F(h)", lambda _: Rules(skip=0.0)),
    "root": Scaling("1/√L", "h + F(h)/√L", lambda blocks: Rules(branch=blocks**-0.5)),
    "inverse": Scaling("1/L", "h + F(h)/L", lambda blocks: Rules(branch=1 / blocks)),
    "rezero": Scaling("ReZero", "h + αF(h), α starts at 0", lambda _: Rules(branch=0.0)),
    "zero": Scaling("Last layer zero", "h + F(h), W₂ starts at 0", lambda _: Rules(last=0.0)),
    "fixup": Scaling(
        "Fixup",
        "h + F(h), W₂ at 0, W₁ × 1/√L",
        lambda blocks: Rules(first=fixup_factor(blocks, 2), last=0.0),
    ),
    "layer-scale": Scaling("LayerScale", "h + λF(LN h), λ = 10⁻⁴", lambda _: Rules(branch=LAYER_SCALE, norm_in=True)),
    "pre": Scaling("Pre-LN", "h + F(LN h)", lambda _: Rules(norm_in=True)),
    "layer-norm-scaling": Scaling("LayerNorm Scaling", "h + F(LN(h)/√l)", lambda _: Rules(norm_in=True, fading=0.5)),
    "peri": Scaling("Peri-LN", "h + LN(F(LN h))", lambda _: Rules(norm_in=True, norm_out=True)),
    "post": Scaling("Post-LN", "LN(h + F(h))", lambda _: Rules(norm_sum=True)),
    "deep": Scaling(
        "DeepNorm",
        "LN(αh + F(h)), F starts × β",
        lambda blocks: Rules(
            skip=skip_factor(blocks), first=start_factor(blocks), last=start_factor(blocks), norm_sum=True
        ),
    ),
    "inverted": Scaling(
        "Inverted DeepNorm",
        "LN(h + αF(βh))",
        lambda blocks: replace(_inverted(blocks), norm_sum=True),
    ),
    "inverted-front": Scaling(
        "Inverted, norm first",
        "h + αF(LN(βh))",
        lambda blocks: replace(_inverted(blocks), norm_in=True),
    ),
}
"""Key → recipe. Fixup's scalar biases, and all learned factors, have their initial values and change nothing at the
start; LayerNorm Scaling counts its blocks l from 1."""


def fixup_factor(branches: int, layers: int) -> float:
    """Return Fixup's factor on the initial weights of a branch, except its last layer: L^(−1/(2m − 2)).

    `layers` is m, the linear layers per branch. Raises ValueError for fewer than two (Zhang et al. 1901.09321).
    """
    if layers < 2:
        raise ValueError("with fewer than two layers in a branch there is nothing to multiply")
    return float(branches ** (-1 / (2 * layers - 2)))


def _inverted(blocks: int) -> Rules:
    """The popular inversion: α = (2N)^−¼ on the branch's output, β = (8N)^¼ on its input, with 2N sums."""
    return Rules(branch=1 / skip_factor(blocks), before=1 / start_factor(blocks))


def scaled(alpha: float) -> Rules:
    """Return the rules for the same factor on every branch, and no norm: h ← h + αF(h)."""
    return Rules(branch=alpha)
