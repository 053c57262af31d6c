"""Describes a network: the choices that a reader can make, checked when they are made."""

from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

from sims.engines.deep_norm import skip_factor

Skip = Literal["none", "additive", "highway", "dense", "rezero", "linear", "dropout"]
Norm = Literal["none", "batch", "layer", "pre-layer", "post-layer", "peri-layer", "deep-norm"]
Unit = Literal["pre-activation", "one-layer", "two-layer", "original"]
Activation = Literal["relu", "tanh"]
Initialization = Literal["default", "he", "xavier", "orthogonal", "zero-last", "looks-linear", "uniform"]
BranchFactor = Literal["1", "1/blocks^(1/4)", "1/sqrt(blocks)", "1/blocks"]


def usual_unit(skip: Skip) -> Unit:
    """The one-layer unit in which a skip is compared: a highway's branch ends in its ReLU, as published."""
    return "one-layer" if skip == "highway" else "pre-activation"


@dataclass(frozen=True)
class Architecture:
    """A multilayer perceptron: a stem, `blocks` equal blocks on a stream of `width` numbers, and a linear head.

    `depth` counts the linear layers on the way from input to output, stem and head included, as He et al. count
    (arXiv 1512.03385, section 4.2: 6n + 2): blocks of one layer give depth = blocks + 2, blocks of two layers give
    depth = 2 blocks + 2. Gates of highway blocks are not on that way and do not count.

    With φ the activation and N the norm, the stem is h₀ = φ(N(W x + b)) and the block of each unit is

    - "pre-activation": h ← h + c·(W φ(N(h)) + b), the order of He et al. (1603.05027, figure 4e) with one layer. Its
      stem is h₀ = W x + b, and its head reads φ(N(h)).
    - "one-layer":  h ← h + c·φ(N(W h + b)), whose branch ends in a ReLU and so can only add. Without a skip it is the
      same function of the same parameters as "pre-activation".
    - "two-layer":  h ← h + c·N(W₂ φ(N(W₁ h + b₁)) + b₂)
    - "original":   h ← φ(h + c·N(W₂ φ(N(W₁ h + b₁)) + b₂)), the unit of He et al. (1512.03385, figure 2)

    `norm` places N, which has no learned gain or shift. "batch" and "layer" are after every linear layer but the
    head, as above ("batch" makes the biases before it superfluous, so there are none); in a "pre-activation" network
    they are in front of every activation, which without a skip is the same. "pre-layer" (Pre-LN) normalizes only what
    enters the branch, W LN(h) + b; "post-layer" (Post-LN) only the sum, h ← LN(h + …); "peri-layer" (Peri-LN) what
    enters the branch and what leaves it (Kim et al. 2502.02732); "deep-norm" is Post-LN with h ← LN(α h + …) and
    branches whose weights start multiplied by β (`sims.engines.deep_norm`).

    `skip` replaces the "h +": "none" leaves it out, and changes nothing else (same parameters, same start
    for the same seed; c is 1 then); "rezero" learns the factor c of each block, from 0 (Bachlechner et al.
    2003.04887); "highway" is h ← h + T·(branch − h) with a gate T = sigmoid(W_T h + b_T), b_T = `gate_bias` at the
    start (Srivastava et al. 1505.00387); "dense" appends a branch of `growth` numbers, h ← [h; branch] (Huang et al.
    1608.06993). `branch_factor` is c for "additive", and `scaled_skip` is λ in h ← λ h + … of it. "linear" puts a
    linear map on the skip, h ← W_s h + b_s + …, drawn like the others; "dropout" a dropout that takes the share
    `dropped` of the stream's numbers, in training only (He et al. 1603.05027, section 3.1).

    Initial weights (biases are 0 where nothing else is said): "default" is torch's own, weights and biases uniform
    within ±1/sqrt(fan-in); "he" normal with variance 2/fan-in; "xavier" normal with variance 2/(fan-in + fan-out);
    "orthogonal" with gain sqrt(2) for ReLU and 1 for tanh; "zero-last" as "he" but with the last layer of each branch
    zero; "looks-linear" mirrored orthogonal blocks, [[A, -A], [-A, A]], so that a plain ReLU net starts as a linear
    map (Balduzzi et al. 1702.08591); "uniform" weights within ±1/2 and biases 0.1, TensorFlow Playground's.

    Raises ValueError, in words a reader can use, if the choices do not fit together.
    """

    depth: int
    width: int = 32
    skip: Skip = "additive"
    norm: Norm = "none"
    unit: Unit = "pre-activation"
    activation: Activation = "relu"
    initialization: Initialization = "he"
    final_norm: bool = False
    branch_factor: BranchFactor = "1"
    growth: int = 8
    gate_bias: float = -2.0
    scaled_skip: float = 1.0
    """λ of an additive skip"""
    dropped: float = 0.0
    """Share of the stream's numbers that a dropout on the skip sets to zero"""
    squashed: bool = False
    """Whether the outputs go through tanh, as TensorFlow Playground's single output does."""

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            if get_args(kind) and getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(get_args(kind))}")
        if self.width < 1 or self.growth < 1:
            raise ValueError("width and growth must be at least 1")
        if not 0 <= self.dropped < 1:
            raise ValueError("a dropout takes a share from 0 to below 1")
        if self.depth < 2 or (self.depth - 2) % self.layers_per_block:
            raise ValueError(f"depth {self.depth} is not 2 (stem and head) plus {self.layers_per_block} for each block")
        for clash, sentence in self._clashes():
            if clash:
                raise ValueError(sentence)

    def _clashes(self) -> list[tuple[bool, str]]:
        original, zero = self.unit == "original", self.initialization == "zero-last"
        return [
            (
                original and self.norm in ("pre-layer", "post-layer", "peri-layer", "deep-norm"),
                "the original unit has its norm after every linear layer: none, batch or layer",
            ),
            (original and self.skip not in ("none", "additive"), "the original unit has an additive skip or none"),
            (
                self.skip == "dense" and self.layers_per_block == 2,
                "dense blocks are built from branches of one layer",
            ),
            (
                self.skip == "dense" and self.norm == "post-layer",
                "a dense block has no sum that a post-layer norm could normalize",
            ),
            (self.skip != "additive" and self.branch_factor != "1", "a branch factor needs an additive skip"),
            (self.skip != "additive" and self.scaled_skip != 1, "a factor on the skip needs an additive skip"),
            (self.skip != "additive" and self.norm == "deep-norm", "DeepNorm scales the skip of an additive sum"),
            (self.norm == "deep-norm" and self.scaled_skip != 1, "DeepNorm has its own factor on the skip"),
            (
                self.skip not in ("none", "additive") and self.norm == "peri-layer",
                "Peri-LN is built with an additive skip or none",
            ),
            (self.skip == "dropout" and self.dropped == 0, "a dropout that takes nothing is an additive skip"),
            (
                zero and self.unit == "one-layer" and self.activation == "relu",
                "a one-layer branch that starts at zero stays there: its ReLU passes no gradient",
            ),
            (zero and self.skip == "rezero", "a zero branch behind a zero factor learns nothing"),
            (zero and self.skip == "none", "without a skip a zero branch cuts the network in two"),
            (
                zero and self.norm in ("batch", "layer") and self.unit != "pre-activation",
                "a norm after the last layer would divide zero by zero",
            ),
            (
                self.initialization == "looks-linear" and (self.activation != "relu" or self.width % 2 == 1),
                "looks-linear weights mirror the two halves of an even ReLU layer",
            ),
            (
                self.initialization == "looks-linear" and self.skip == "dense",
                "looks-linear weights need layers of one width",
            ),
        ]

    @property
    def layers_per_block(self) -> int:
        """Linear layers of a block: 1 or 2."""
        return 1 if self.unit in ("pre-activation", "one-layer") else 2

    @property
    def blocks(self) -> int:
        """Number of blocks between stem and head."""
        return (self.depth - 2) // self.layers_per_block

    @property
    def factor(self) -> float:
        """The factor c of the branch; 1 for "rezero", whose factor is learned."""
        powers = {"1": 0.0, "1/blocks^(1/4)": -0.25, "1/sqrt(blocks)": -0.5, "1/blocks": -1.0}
        return float(max(self.blocks, 1) ** powers[self.branch_factor])

    @property
    def carry(self) -> float:
        """The factor of the skip: λ, or DeepNorm's α."""
        return skip_factor(self.blocks) if self.norm == "deep-norm" else self.scaled_skip

    @property
    def last_width(self) -> int:
        """Numbers per point in the stream that reaches the head."""
        return self.width + (self.blocks * self.growth if self.skip == "dense" else 0)
