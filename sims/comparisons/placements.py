"""Five placements of the norm, as architectures of a transformer or of a fully connected stack."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sims.engines.perceptrons.architecture import Architecture
from sims.engines.transformers.architecture import Transformer


class Placement(NamedTuple):
    """Where the norms of a network are."""

    title: str
    norm: str
    """As architectures call it"""
    final: bool
    """Whether one more norm precedes the head"""


PLACEMENTS: Mapping[str, Placement] = MappingProxyType(
    {
        "post": Placement("Post-LN", "post-layer", False),
        "pre": Placement("Pre-LN", "pre-layer", True),
        "pre-open": Placement("Pre-LN without final norm", "pre-layer", False),
        "peri": Placement("Peri-LN", "peri-layer", True),
        "deep": Placement("DeepNorm", "deep-norm", False),
    }
)


def transformer(placement: str, sublayers: int, **choices: Any) -> Transformer:
    """Return a transformer of that many sublayers; `choices` are its other fields."""
    placed = PLACEMENTS[placement]
    return Transformer(depth=sublayers, norm=placed.norm, final_norm=placed.final, **choices)  # type: ignore[arg-type]


def perceptron(placement: str, blocks: int, **choices: Any) -> Architecture:
    """Return a stack of that many residual blocks of a ReLU and a layer, with a stem and a head."""
    placed = PLACEMENTS[placement]
    return Architecture(depth=blocks + 2, norm=placed.norm, final_norm=placed.final, **choices)  # type: ignore[arg-type]
