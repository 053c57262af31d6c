"""The networks that enter the arena."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sims.engines.perceptrons.architecture import Architecture, usual_unit
from sims.engines.transformers.architecture import Transformer


@dataclass(frozen=True)
class Entrant:
    """A name for readers, and the choices that make the architecture."""

    title: str
    choices: Mapping[str, Any]
    transformer: bool = False


ENTRANTS: Mapping[str, Entrant] = MappingProxyType(
    {
        "plain": Entrant("plain", {"skip": "none"}),
        "residual": Entrant("residual", {"skip": "additive"}),
        "residual_relu": Entrant("residual, ReLU last", {"skip": "additive", "unit": "one-layer"}),
        "dense": Entrant("dense", {"skip": "dense"}),
        "highway": Entrant("highway", {"skip": "highway", "unit": usual_unit("highway")}),
        "rezero": Entrant("ReZero", {"skip": "rezero"}),
        "residual_pre": Entrant("residual, Pre-LN", {"norm": "pre-layer", "final_norm": True}),
        "residual_post": Entrant("residual, Post-LN", {"norm": "post-layer"}),
        "transformer_pre": Entrant("transformer, Pre-LN", {"norm": "pre-layer"}, True),
        "transformer_post": Entrant("transformer, Post-LN", {"norm": "post-layer"}, True),
    }
)

BATCH = {"spirals": None, "digits": 64}
"""Task → points per step; None means all"""

USUAL = ("plain", "residual", "dense", "highway", "transformer_pre", "transformer_post")
FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "usual": USUAL,
        "skips": ("plain", "residual", "residual_relu", "dense", "highway", "rezero", "residual_pre"),
        "norms": ("residual", "residual_pre", "residual_post", "transformer_pre", "transformer_post"),
        "all": tuple(ENTRANTS),
    }
)
"""Name of a starting field → its entrants."""

WIDTH, GROWTH = 32, 8
TOKENS = {"spirals": 2, "digits": 8}
"""Task → tokens per point: the two coordinates, or the eight rows of pixels."""


def architecture(
    name: str, task: str, blocks: int, initialization: str, branch_factor: str
) -> Architecture | Transformer:
    """Return the architecture of an entrant: `blocks` blocks, a stem (or an embedding) and a head.

    The blocks of the fully connected entrants have one layer of width 32 (dense: 8 features that are appended), and
    the ReLU comes first; in a highway block, as published, and in "residual_relu" it comes last. Those of a transformer
    are its sublayers: alternately attention with 2 heads and a feed-forward branch with 32 hidden units, on tokens of
    width 16. `branch_factor` applies only to the residual entrants without a norm.
    """
    entrant = ENTRANTS[name]
    choices: dict[str, Any] = {**entrant.choices, "initialization": initialization}
    if entrant.transformer:
        return Transformer(depth=blocks, tokens=TOKENS[task], **choices)
    if name in ("residual", "residual_relu"):
        choices["branch_factor"] = branch_factor
    return Architecture(depth=blocks + 2, width=WIDTH, growth=GROWTH, **choices)
