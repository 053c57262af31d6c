"""Describes a language model: the choices that a reader can make, checked when they are made."""

from dataclasses import dataclass, field
from typing import Literal, get_args, get_type_hints

Skip = Literal["additive", "none", "rezero", "block", "attention", "feed-forward"]
Attention = Literal["softmax", "identity", "value-skip"]
Norm = Literal["pre-layer", "post-layer"]
Initialization = Literal["small", "variance-preserving", "own-place"]


@dataclass(frozen=True)
class LanguageModel:
    """A small GPT (Radford et al. 2019) that predicts, after every symbol of a text, how likely each one is to be next.

    The layers, in order: a learned vector for the symbol plus one for its position among `context` of them; `blocks`
    blocks, each with causal attention of `heads` heads and a feed-forward branch of 4 `width` GELU units (tanh form);
    a norm; and logits by the matrix of the symbols' vectors (a tied head, Press & Wolf 1608.05859). Linear layers have
    biases, except the head. LayerNorm has no learned gain or shift (they are 1 and 0, as torch initializes them).

    `skip` says how the branch F joins the stream: "additive" h + F, "none" F alone, "rezero" h + α F with a learned α
    that begins at 0 (Bachlechner et al. 2003.04887). "block" puts one skip around both branches of a block in series,
    h + F(A(h)); "attention" and "feed-forward" leave the skip around that one of the two. `norm` places LayerNorm:
    "pre-layer" before every branch, "post-layer" after every sum. ReZero's blocks have no norm, as its authors propose;
    the norm before the head stays. Without skips, both placements put a norm between branches, and only "pre-layer" is
    accepted.

    `attention` says what a place reads: "softmax" the values of the places up to it, in the shares of the softmax;
    "identity" its own value alone, so that no place sees another; "value-skip" its own value plus β times the mixture
    of the softmax, with a β per block that is learned from 0 (He et al. 2302.10322 call it Value-SkipInit; their
    learned factor on the own value is left out, since the weights after it can take its place).

    Initial weights: "small" is GPT-2's, normal with standard deviation 0.02, and 0.02/√(2 blocks) in the last layer of
    every branch (Radford et al. 2019, section 2.3); "variance-preserving" is normal with variance 1/fan-in, and
    2/fan-in after the GELU, in every layer; "own-place" has random orthogonal matrices with the same variances, and
    queries equal to the keys and so long that attention begins close to the identity. The vectors of symbols and
    positions have deviation 0.02 in all three. Biases begin at 0.

    Raises ValueError, in words a reader can use, if the choices do not fit together.
    """

    blocks: int
    symbols: int
    width: int = 64
    heads: int = 4
    context: int = 64
    skip: Skip = "additive"
    attention: Attention = "softmax"
    norm: Norm = "pre-layer"
    initialization: Initialization = "small"

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            if get_args(kind) and getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(get_args(kind))}")
        if min(self.blocks, self.symbols, self.width, self.heads, self.context) < 1:
            raise ValueError("blocks, symbols, width, heads and context must be at least 1")
        if self.width % self.heads:
            raise ValueError(f"{self.heads} heads cannot share a width of {self.width} equally")
        if self.skip != "additive" and self.norm == "post-layer":
            raise ValueError("only an additive skip has a norm after its sum")

    @property
    def branches(self) -> int:
        """The number of branches, two per block."""
        return 2 * self.blocks

    @property
    def bases(self) -> tuple[int, ...]:
        """For every branch, the number of branches before the place of the stream that its output is added to; −1 where
        the output takes the stream's place."""
        # A block's attention is branch 2 k, its feed-forward branch 2 k + 1.
        of_block = {
            "none": (-1, -1),
            "block": (-1, 0),
            "attention": (0, -1),
            "feed-forward": (-1, 1),
        }.get(self.skip, (0, 1))
        return tuple(2 * block + base if base >= 0 else -1 for block in range(self.blocks) for base in of_block)

    @property
    def hidden(self) -> int:
        """The number of hidden units of a feed-forward branch."""
        return 4 * self.width


class Branches(tuple[int, ...]):
    """Numbers of branches, counted from 0. It is a class, since the check of a model's choices looks into types."""

    __slots__ = ()


@dataclass(frozen=True)
class SwitchedModel(LanguageModel):
    """A language model with a switch at every plus sign: the branches in `cut` take the stream's place."""

    cut: Branches = field(default_factory=Branches)

    @property
    def bases(self) -> tuple[int, ...]:
        return tuple(-1 if branch in self.cut else branch for branch in range(self.branches))
