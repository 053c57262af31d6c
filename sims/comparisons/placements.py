"""Five placements of the norm, as architectures of a transformer or of a fully connected stack."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sims.engines.perceptrons.architecture import Architecture
from sims.engines.transformers.architecture import Transformer

PLACEMENTS: Mapping[str, tuple[str, str, bool]] = MappingProxyType(
    {
        "post": ("Post-LN", "post-layer", False),
        "pre": ("Pre-LN", "pre-layer", True),
        "pre-open": ("Pre-LN without final norm", "pre-layer", False),
        "peri": ("Peri-LN", "peri-layer", True),
        "deep": ("DeepNorm", "deep-norm", False),
    }
)
"""Name → its label, the norm, and whether one more norm precedes the head."""


def transformer(placement: str, sublayers: int, **choices: Any) -> Transformer:
    """Return a transformer of that many sublayers; `choices` are its other fields."""
    _label, norm, final = PLACEMENTS[placement]
    return Transformer(depth=sublayers, norm=norm, final_norm=final, **choices)  # type: ignore[arg-type]


def perceptron(placement: str, blocks: int, **choices: Any) -> Architecture:
    """Return a stack of that many residual blocks of a ReLU and a layer, with a stem and a head."""
    _label, norm, final = PLACEMENTS[placement]
    return Architecture(depth=blocks + 2, norm=norm, final_norm=final, **choices)  # type: ignore[arg-type]
