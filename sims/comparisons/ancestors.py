"""The ancestors of the residual block: the name, year and source of each, and what its block computes."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Ancestor:
    """One idea. `rule` is a block's output y for its input x; `idea` is the idea in a sentence, and `source` a key of
    the bibliography."""

    label: str
    year: int
    rule: str
    idea: str
    source: str


ANCESTORS: Mapping[str, Ancestor] = {
    "plain": Ancestor("plain", 1986, "y = F(x)", "Layer on layer, and no way around any.", "rumelhart1986"),
    "direct": Ancestor(
        "direct line",
        1988,
        "y = F(x); at the very end, + D x₀",
        "One linear map from the input straight to the answer, of the many shortcuts of 1988.",
        "lang1988",
    ),
    "cascade": Ancestor(
        "cascade",
        1990,
        "y = [x, tanh(W x)], two new features",
        "Each new unit reads the input and all units before it.",
        "fahlman1990",
    ),
    "lstm": Ancestor(
        "LSTM",
        1997,
        "c′ = c + i ⊙ g,  h = o ⊙ tanh c′",
        "The memory is carried with a weight of 1; gates guard what enters and what is read.",
        "hochreiter1997",
    ),
    "highway": Ancestor(
        "highway",
        2015,
        "y = T ⊙ F(x) + (1 − T) ⊙ x",
        "One gate decides how much is new, and what is new displaces the old.",
        "srivastava2015",
    ),
    "resnet": Ancestor(
        "ResNet",
        2015,
        "y = ReLU(x + F(x))",
        "No gate: all of the old and all of the new, and then a ReLU.",
        "he2015",
    ),
    "identity": Ancestor(
        "pre-activation",
        2016,
        "y = x + F(ReLU(N(x)))",
        "The ReLU moves into the branch, and nothing is left on the skip.",
        "he2016",
    ),
    "dense": Ancestor(
        "DenseNet",
        2016,
        "y = [x, W ReLU(N(x))], eight new features",
        "The cascade's wiring with a norm and more features at once.",
        "huang2017",
    ),
    "pre": Ancestor(
        "Pre-LN",
        2018,
        "y = x + F(LN(x))",
        "As transformers have it, here without their attention.",
        "baevski2018",
    ),
    "rezero": Ancestor(
        "ReZero",
        2020,
        "y = x + α F(x), α = 0 at first",
        "Each branch begins at nothing and is let in by one learned number.",
        "bachlechner2020",
    ),
    "deep": Ancestor(
        "DeepNorm",
        2022,
        "y = LN(a x + F(x))",
        "The norm is back on the stream, with a skip that is made stronger.",
        "wang2022",
    ),
}
"""Name → ancestor, by year"""
