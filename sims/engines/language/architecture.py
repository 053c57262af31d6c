"""Describes a language model: the choices that a reader can make, checked when they are made."""

from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

Skip = Literal["additive", "none", "rezero"]
Norm = Literal["pre-layer", "post-layer"]
Initialization = Literal["small", "variance-preserving"]


@dataclass(frozen=True)
class LanguageModel:
    """A small GPT (Radford et al. 2019) that predicts, after every symbol of a text, how likely each one is to be next.

    The layers, in order: a learned vector for the symbol plus one for its position among `context` of them; `blocks`
    blocks, each with causal attention of `heads` heads and a feed-forward branch of 4 `width` GELU units (tanh form);
    a norm; and logits by the matrix of the symbols' vectors (a tied head, Press & Wolf 1608.05859). Linear layers have
    biases, except the head. LayerNorm has no learned gain or shift (they are 1 and 0, as torch initializes them).

    `skip` says how the branch F joins the stream: "additive" h + F, "none" F alone, "rezero" h + α F with a learned α
    that begins at 0 (Bachlechner et al. 2003.04887). `norm` places LayerNorm: "pre-layer" before every branch,
    "post-layer" after every sum. ReZero's blocks have no norm, as its authors propose; the norm before the head stays.
    Without skips, both placements put a norm between branches, and only "pre-layer" is accepted.

    Initial weights: "small" is GPT-2's, normal with standard deviation 0.02, and 0.02/√(2 blocks) in the last layer of
    every branch (Radford et al. 2019, section 2.3); "variance-preserving" is normal with variance 1/fan-in, and
    2/fan-in after the GELU, in every layer. The vectors of symbols and positions have deviation 0.02 in both. Biases
    begin at 0.

    Raises ValueError, in words a reader can use, if the choices do not fit together.
    """

    blocks: int
    symbols: int
    width: int = 64
    heads: int = 4
    context: int = 64
    skip: Skip = "additive"
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
            raise ValueError("only an additive skip has a norm behind its sum")

    @property
    def branches(self) -> int:
        """The number of branches, two per block."""
        return 2 * self.blocks

    @property
    def hidden(self) -> int:
        """The number of hidden units of a feed-forward branch."""
        return 4 * self.width
