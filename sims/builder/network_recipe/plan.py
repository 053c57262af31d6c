"""Decides on a recipe: plain values, which the lines of the page and the exported file both read."""

from dataclasses import dataclass
from typing import Any

from sims.builder.network_recipe.answers import BASE_BLOCKS, BASE_WIDTH, Answers
from sims.data.recipe_evidence import deepest, drop_path, language_rate, layer_scale


@dataclass(frozen=True)
class Plan:
    """The recipe for one set of answers.

    `block` is a class of `sims.pytorch`, and `start` says how the last layer of each branch begins: "shrink" (÷ the
    root of the additions), "zero", "gain" (the last norm's gain is zero), "scale" (LayerScale or a learned zero after
    it), "deepnorm", or "same" (as every other layer). `deviation` is that of all other matrices; 0 means He's
    rule. `factor` multiplies each branch for good. `clip` is a norm of the whole gradient, 0 for none.
    """

    title: str
    formula: str
    block: str
    start: str
    deviation: float
    rate: float
    batch: str
    betas: tuple[float, float]
    decay: float
    warmup: str
    factor: float = 1.0
    gamma: float = 0.0
    final_norm: bool = True
    query_key_norm: bool = False
    optimizer: str = "AdamW"
    clip: float = 0.0
    adaptive_clip: bool = False
    drop_path: float = 0.0
    dropout: float = 0.0
    floor: float = 0.0
    checkpoints: bool = False
    transfers: bool = False


def plan(answers: Answers) -> Plan:
    """The recipe for these answers."""
    plans = {"transformer": _language, "vit": _vision, "image": _convolutions, "perceptron": _perceptron}
    return plans[answers.family](answers)


def _language(a: Answers) -> Plan:
    common: dict[str, Any] = {
        "batch": "0.5 million tokens",
        "betas": (0.9, 0.95),
        "decay": 0.1,
        "clip": 1.0,
        "floor": 0.1,
        "checkpoints": a.trouble == "memory",
    }
    rate = language_rate(*((BASE_WIDTH, BASE_BLOCKS) if a.trouble == "transfer" else (a.width, a.blocks))).rate
    if a.norm == "none":
        return _rezero(rate, warmup="2,000 steps", **common)
    if a.norm == "original":
        return _post_norm(a.blocks, rate, warmup="10,000 steps", **common)
    if a.trouble == "idle":
        return Plan(
            "Peri-LN: a norm at both ends of each branch",
            "x + LN(F(LN(x)))",
            "PeriNormBlock",
            "same",
            0.02,
            rate,
            warmup="2,000 steps",
            **common,
        )
    transfers, deep = a.trouble == "transfer", a.blocks > deepest("pre-ln").blocks
    factor = min(BASE_BLOCKS / a.blocks, 1.0) if transfers else a.additions**-0.5 if deep else 1.0
    return Plan(
        "Pre-LN, branches multiplied for good" if factor < 1 else "Pre-LN, last layers ÷ √additions at the start",
        "x + cF(LN(x))" if factor < 1 else "x + F(LN(x))",
        {"spikes": "QKNormBlock", "overfits": "GPT2Block"}.get(a.trouble, "PreNormBlock"),
        "same" if factor < 1 else "shrink",
        0.02 * min(BASE_WIDTH / a.width, 1.0) ** 0.5 if transfers else 0.02,
        rate,
        warmup="2,000 steps",
        factor=factor,
        query_key_norm=a.trouble == "spikes",
        dropout=0.1 if a.trouble == "overfits" else 0.0,
        transfers=transfers,
        **common,
    )


def _vision(a: Answers) -> Plan:
    common: dict[str, Any] = {
        "batch": "1,024 images",
        "betas": (0.9, 0.999),
        "decay": 0.05,
        "warmup": "5 epochs",
        "checkpoints": a.trouble == "memory",
    }
    if a.norm == "none":
        return _rezero(1e-3, **common)
    if a.norm == "original":
        return _post_norm(a.blocks, 1e-3, **common)
    if a.trouble in ("spikes", "idle"):
        spikes = a.trouble == "spikes"
        return Plan(
            "Pre-LN with normalized queries and keys" if spikes else "Peri-LN: a norm at both ends of each branch",
            "x + F(LN(x))" if spikes else "x + LN(F(LN(x)))",
            "QKNormBlock" if spikes else "PeriNormBlock",
            "same",
            0.02,
            1e-3,
            query_key_norm=spikes,
            **common,
        )
    return Plan(
        "Pre-LN with LayerScale",
        "x + γ ⊙ F(LN(x))",
        "LayerScaleBlock",
        "scale",
        0.02,
        1e-3,
        gamma=layer_scale(a.blocks),
        drop_path=drop_path("vit", a.width, overfits=a.trouble == "overfits"),
        **common,
    )


def _rezero(rate: float, **common: Any) -> Plan:
    """A transformer without norms (Bachlechner et al. 2003.04887)."""
    return Plan(
        "ReZero: no norm, factors that start at 0",
        "x + αF(x)",
        "ReZeroBlock",
        "scale",
        0.02,
        rate,
        final_norm=False,
        **common,
    )


def _post_norm(blocks: int, rate: float, **common: Any) -> Plan:
    """A transformer with norms after its sums, at a third of the rate for Pre-LN; a deep one is a DeepNorm."""
    deep = blocks > deepest("post-ln").blocks
    return Plan(
        "DeepNorm" if deep else "Post-LN with a long warm-up",
        "LN(αx + F(x)), α = ⁴√(2N)" if deep else "LN(x + F(x))",
        "DeepNormBlock" if deep else "PostNormBlock",
        "deepnorm" if deep else "same",
        0.0 if deep else 0.02,
        rate / 3,
        final_norm=False,
        **common,
    )


def _convolutions(a: Answers) -> Plan:
    if a.norm == "original":
        return Plan(
            "ResNet's bottleneck, last gains zero at the start",
            "ReLU(x + F(x))",
            "BottleneckBlock",
            "gain",
            0.0,
            0.1,
            "256 images",
            (0.9, 0.0),
            1e-4,
            "none, or 5 epochs with large batches",
            optimizer="SGD",
            final_norm=False,
            checkpoints=a.trouble == "memory",
        )
    if a.norm == "none":
        return Plan(
            "Normalizer-free bottleneck",
            "x + 0.2 · gain · F(x/spread)",
            "NormalizerFreeBlock",
            "scale",
            0.0,
            0.1,
            "256 images",
            (0.9, 0.0),
            2e-5,
            "5 epochs",
            optimizer="SGD",
            final_norm=False,
            adaptive_clip=True,
            checkpoints=a.trouble == "memory",
        )
    return Plan(
        "ConvNeXt",
        "x + γ ⊙ F(x)",
        "ConvNeXtBlock",
        "scale",
        0.02,
        4e-3,
        "4,096 images",
        (0.9, 0.999),
        0.05,
        "20 epochs",
        gamma=1e-6,
        drop_path=drop_path("image", a.width, overfits=a.trouble == "overfits", blocks=a.blocks),
        checkpoints=a.trouble == "memory",
    )


def _perceptron(a: Answers) -> Plan:
    blocks = {
        "branch": ("Norm first, last layers zero at the start", "x + F(LN(x))", "PerceptronBlock", "zero"),
        "original": ("Norm after the sum", "LN(x + F(x))", "PostNormPerceptron", "same"),
        "none": ("ReZero: no norm, factors that start at 0", "x + αF(x)", "ReZeroPerceptron", "scale"),
    }
    title, formula, block, start = blocks[a.norm]
    return Plan(
        title,
        formula,
        block,
        start,
        0.0,
        1e-3,
        "64 examples",
        (0.9, 0.999),
        0.1 if a.trouble == "overfits" else 0.01,
        "100 steps" if a.norm == "original" else "10 steps",
        final_norm=a.norm == "branch",
        checkpoints=a.trouble == "memory",
    )
