"""Describes a transformer: the choices that a reader can make, checked when they are made."""

from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

from sims.engines.deep_norm import skip_factor

Norm = Literal["pre-layer", "post-layer", "peri-layer", "deep-norm"]
Initialization = Literal["default", "he", "xavier"]


@dataclass(frozen=True)
class Transformer:
    """A small transformer that classifies points: an embedding, `depth` sublayers, a mean over tokens, a linear head.

    `depth` counts sublayers, each with its own skip connection: attention, feed-forward, attention, …; an odd depth
    ends with attention. The features of a point are cut into `tokens` equal parts, one token each; the embedding is a
    linear map without bias that all tokens share, plus a learned vector for each position (Vaswani et al. 1706.03762,
    section 3.4; Dosovitskiy et al. 2010.11929, equation 1). Attention has `heads` heads; with `causal`, a token sees
    only itself and those before it. The feed-forward sublayer has `hidden` ReLU units (1706.03762, sections 3.2, 3.3).

    `norm` places LayerNorm, which has no learned gain or shift (they are 1 and 0, as torch initializes them):
    "pre-layer" (Pre-LN) is h ← h + F(LN(h)); "post-layer" (Post-LN) is h ← LN(h + F(h)) (Xiong et al. 2002.04745,
    figure 1); "peri-layer" (Peri-LN) is h ← h + LN(F(LN(h))) (Kim et al. 2502.02732); "deep-norm" (DeepNorm) is Post-LN
    with h ← LN(α h + F(h)) and smaller weights at the start (Wang et al. 2203.00555, figure 2). Pre-LN and Peri-LN have
    one more norm before the mean over tokens, unless `final_norm` is False; the others end with a norm anyway.

    Initial weights: "default" is what `torch.nn.TransformerEncoderLayer` does (queries, keys and values uniform within
    ±sqrt(6/(fan-in + fan-out)) of their common matrix, their biases and that of the attention's output 0; everything
    else uniform within ±1/sqrt(fan-in)); "he" is normal with variance 2/fan-in before the ReLU and 1/fan-in elsewhere,
    biases 0; "xavier" normal with variance 2/(fan-in + fan-out), biases 0. DeepNorm multiplies the weights of
    feed-forward layers, values and attention outputs by β. The position vectors are always standard normal.

    Raises ValueError, in words a reader can use, if the choices do not fit together.
    """

    depth: int
    width: int = 16
    tokens: int = 2
    heads: int = 2
    hidden: int = 32
    norm: Norm = "pre-layer"
    final_norm: bool = True
    causal: bool = False
    initialization: Initialization = "default"

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            if get_args(kind) and getattr(self, name) not in get_args(kind):
                raise ValueError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(get_args(kind))}")
        if min(self.depth, self.width, self.tokens, self.heads, self.hidden) < 1:
            raise ValueError("depth, width, tokens, heads and hidden must be at least 1")
        if self.width % self.heads:
            raise ValueError(f"{self.heads} heads cannot share a width of {self.width} equally")

    @property
    def attentions(self) -> int:
        """The number of attention sublayers."""
        return (self.depth + 1) // 2

    @property
    def ends_with_norm(self) -> bool:
        """Whether an additional norm precedes the mean over tokens."""
        return self.final_norm and self.norm in ("pre-layer", "peri-layer")

    @property
    def carry(self) -> float:
        """The factor of the skip: DeepNorm's α, else 1."""
        return skip_factor(self.depth) if self.norm == "deep-norm" else 1.0

    @property
    def skip(self) -> str:
        """Always "additive", in the words of `perceptrons.Architecture`."""
        return "additive"

    @property
    def branch_factor(self) -> str:
        """Always "1", in the words of `perceptrons.Architecture`."""
        return "1"
