"""Every network of `sims.pytorch`, with an input and the number of residual additions in its code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sims.comparisons.placings import PLACINGS
from sims.engines.language.architecture import LanguageModel
from sims.engines.perceptrons.architecture import Architecture
from sims.pytorch.layers import blocks, transformer_blocks, vision_blocks
from sims.pytorch.layers.in_place_sums import InPlaceSum
from sims.pytorch.models import ancestors, value_models
from sims.pytorch.models.cifar_shape import cifar_shape
from sims.pytorch.models.language_model import Language
from sims.pytorch.models.networks import network
from sims.pytorch.models.plain_or_residual import Network
from sims.pytorch.stacks import stream_forms, tall_stacks
from sims.pytorch.stacks.coupled_stacks import Coupled
from sims.pytorch.stacks.coupled_stacks import branches as coupled_branches
from sims.pytorch.stacks.memory_stacks import stack
from sims.pytorch.stacks.placed_stacks import PlacedStacks

BLOCKS = 4


@dataclass(frozen=True)
class Own:
    name: str
    model: Callable[[], nn.Module]
    input: Callable[[], Tensor]
    additions: int


def both_seeds(weights: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {name: torch.stack([one[name] for one in weights]) for name in weights[0]}


def ancestor(kind: str) -> nn.Module:
    weights = [ancestors.initial_weights(kind, seed, BLOCKS, 16, 2, 3) for seed in (0, 1)]
    return ancestors.AncestorStack(kind, both_seeds(weights))


def perceptron(skip: str, norm: str, unit: str) -> Architecture | None:
    """The architecture, or None if its choices do not fit together."""
    dropped = {"dropped": 0.2} if skip == "dropout" else {}
    try:
        return Architecture(
            depth=2 + BLOCKS * (2 if unit == "two-layer" else 1), width=16, unit=unit, skip=skip, norm=norm,
            activation="relu", initialization="he", **dropped,
        )  # fmt: skip
    except ValueError:
        return None


def tall(seed: int) -> dict[str, Tensor]:
    return tall_stacks.initial_weights(seed, BLOCKS, 8, 5, 3, 1.0, 1.0)


def form(kind: str) -> nn.Module:
    weights = [tall(seed) | stream_forms.form_weights(kind, BLOCKS, 8) for seed in (0, 1)]
    return stream_forms.StreamForms(kind, both_seeds(weights))


def placed(name: str) -> nn.Module:
    weights = [tall(seed) | {"alpha": torch.full((BLOCKS, 8), 0.3)} for seed in (0, 1)]
    return PlacedStacks(both_seeds(weights), PLACINGS[name].placing(BLOCKS))


def values(kind: str) -> nn.Module:
    weights = [value_models.initial_weights(kind, seed, BLOCKS, 16, 10, 8, 32) for seed in (0, 1)]
    return value_models.ValueModels(kind, 2, both_seeds(weights))


def own_networks() -> Iterator[Own]:
    """All of them."""

    def points() -> Tensor:
        return torch.randn(2, 50, 2)

    def images() -> Tensor:
        return torch.randn(2, 6, 5)

    def tokens() -> Tensor:
        return torch.randn(3, 5, 16)

    def wide() -> Tensor:
        return torch.randn(30, 16)

    def steep() -> Tensor:
        return wide().requires_grad_()

    def pixels() -> Tensor:
        return torch.randn(4, 3, 16, 16)

    def halves() -> Tensor:
        return torch.randn(9, 16, dtype=torch.double)

    per_block = {"plain": 0, "cascade": 0, "dense": 0}
    for kind in (*ancestors.TWO_LAYERS, "lstm", *ancestors.APPENDED):
        count = 1 if kind == "direct" else per_block.get(kind, 1) * BLOCKS
        yield Own(f"ancestor {kind}", lambda kind=kind: ancestor(kind), points, count)
    for skip in ("additive", "rezero", "highway", "linear", "dropout", "dense", "none"):
        for norm in ("none", "batch", "layer", "pre-layer", "post-layer", "peri-layer"):
            for unit in ("one-layer", "two-layer", "pre-activation"):
                architecture = perceptron(skip, norm, unit)
                if architecture is not None:
                    count = 0 if skip in ("dense", "none") else architecture.blocks
                    name = f"perceptron {skip}, {norm}, {unit}"
                    yield Own(name, lambda a=architecture: network(a, 2, 2), lambda: torch.randn(200, 2), count)
    for skip in (True, False):
        yield Own(
            f"CIFAR shape, {skip}", lambda s=skip: cifar_shape(20, 8, s), lambda: torch.randn(4, 3, 16, 16), 9 * skip
        )
        yield Own(
            f"chapter 0, {skip}",
            lambda s=skip: Network(2, 16, 3, 2 + 2 * BLOCKS, s),
            lambda: torch.randn(9, 2),
            BLOCKS * skip,
        )
    for skip, count in (
        ("additive", 2),
        ("rezero", 2),
        ("none", 0),
        ("block", 1),
        ("attention", 1),
        ("feed-forward", 1),
    ):
        model = LanguageModel(3, 10, 16, 2, 8, skip=skip)
        yield Own(f"language {skip}", lambda m=model: Language(m), lambda: torch.randint(10, (2, 8)), 3 * count)
    post = LanguageModel(3, 10, 16, 2, 8, norm="post-layer")
    yield Own("language, Post-LN", lambda: Language(post), lambda: torch.randint(10, (2, 8)), 6)
    for kind in value_models.FORMS:
        yield Own(f"values {kind}", lambda k=kind: values(k), lambda: torch.randint(10, (2, 3, 8)), 2 * BLOCKS)
    # Lanes and weighted looks back add in einsums and stacks.
    for kind in ("sum", "static", "attention"):
        yield Own(f"stream as {kind}", lambda k=kind: form(k), images, 0)
    for name in PLACINGS:  # On the sphere the branch α(F(h) − h) is a sum with a skip of its own.
        yield Own(f"placed {name}", lambda n=name: placed(n), images, BLOCKS * (2 if name == "sphere" else 1))
    rules = {
        "plain sum": tall_stacks.BlockRules((1.0,) * BLOCKS),
        "Pre-LN": tall_stacks.BlockRules((0.5,) * BLOCKS, norm_in=True),
        "Post-LN": tall_stacks.BlockRules((1.0,) * BLOCKS, 0.9, norm_sum=True),
    }
    for name, rule in rules.items():
        yield Own(
            f"tall {name}", lambda r=rule: tall_stacks.TallStacks(both_seeds([tall(0), tall(1)]), r), images, BLOCKS
        )
    for kind, count in (("plain", 0), ("residual", 1), ("pre_norm", 1), ("checkpointed", 1), ("dense", 0)):
        yield Own(f"memory {kind}", lambda k=kind: stack(k, BLOCKS, 16, 4, 2), steep, count * BLOCKS)
    two = coupled_branches(0, BLOCKS, 8, 1.0)
    yield Own("coupled", lambda: Coupled([*two], [*two]), halves, 2 * BLOCKS)
    makers: dict[str, tuple[Callable[[], nn.Module], int]] = {
        "perceptron": (lambda: transformer_blocks.PerceptronBlock(16, 32), 1),
        "Post-LN": (lambda: transformer_blocks.PostNormBlock(16, 2, 32, True), 2),
        "Pre-LN": (lambda: transformer_blocks.PreNormBlock(16, 2, 32, True), 2),
        "Llama": (lambda: transformer_blocks.LlamaBlock(16, 4, 2, 32, True), 2),
        "parallel": (lambda: transformer_blocks.ParallelBlock(16, 2, 32, True), 2),
        "Peri-LN": (lambda: transformer_blocks.PeriNormBlock(16, 2, 32, True), 2),
        "DeepNorm": (lambda: transformer_blocks.DeepNormBlock(16, 2, 32, True, 6), 2),
        "sublayer Pre-LN": (lambda: blocks.PreNorm(blocks.Attention(16, 2, True), 16), 1),
        "sublayer Peri-LN": (lambda: blocks.PeriNorm(blocks.FeedForward(16, 32), 16), 1),
        "sublayer Post-LN": (lambda: blocks.PostNorm(blocks.Attention(16, 2, False), 16), 1),
        "sublayer DeepNorm": (lambda: blocks.DeepNorm(blocks.FeedForward(16, 32), 16, carry=1.5), 1),
        "in place": (lambda: InPlaceSum(nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 16))), 1),
    }
    for name, (maker, count) in makers.items():
        yield Own(f"block {name}", maker, tokens, count)
    for maker_class in (vision_blocks.BasicBlock, vision_blocks.BottleneckBlock, vision_blocks.PreActivationBlock):
        for out, stride in ((8, 1), (16, 2)):
            yield Own(
                f"block {maker_class.__name__}, stride {stride}",
                lambda c=maker_class, o=out, s=stride: c(8, o, s),
                lambda: torch.randn(2, 8, 8, 8),
                1,
            )
