"""Every number of the builder, against torch's count of parameters, its counter of operations, and its shapes."""

import itertools
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from sims.builder.design import FAMILIES, Design
from sims.pytorch.layers import transformer_blocks, vision_blocks
from sims.simulations.design_choices.recipes import Recipes

SIZES = (
    Design(width=64, head_width=32, tokens=7, side=9),
    Design(width=64, head_width=32, tokens=16, side=8, halves=True, sharing=2),
    Design(width=768, tokens=1024, side=32),
    Design(width=4096, head_width=128, tokens=2048, side=14, halves=True, sharing=4, hidden_rule="3.5"),
)


def built(recipe: Design) -> tuple[nn.Module, Tensor]:
    """The block and an input for one example, without memory of their own."""
    with torch.device("meta"):
        if recipe.kind.images:
            s = recipe.image_sizes
            block = getattr(vision_blocks, recipe.kind.block)(s.channels, s.outputs, 2 if s.halves else 1)
            return block, torch.randn(1, s.channels, s.side, s.side)
        t = recipe.sizes
        more: dict[str, Any] = {
            "llama": {"key_heads": t.key_heads},
            "llama-3": {"key_heads": t.key_heads},
            "deepnorm": {"blocks": recipe.blocks},
        }.get(recipe.family, {})
        kind = getattr(transformer_blocks, recipe.kind.block)
        if not recipe.attends:
            return kind(width=t.width, hidden=t.hidden), torch.randn(1, t.tokens, t.width)
        block = kind(width=t.width, heads=t.heads, hidden=t.hidden, causal=True, **more)
        return block, torch.randn(1, t.tokens, t.width)


@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: f"{sizes.width}")
@pytest.mark.parametrize("family", FAMILIES)
def test_each_part_has_the_shape_the_parameters_and_the_operations_that_torch_counts(
    family: str, sizes: Design
) -> None:
    recipe = replace(sizes, family=family)
    block, x = built(recipe)
    shapes: dict[str, tuple[int, ...]] = {}
    for name, module in block.named_modules():
        module.register_forward_hook(lambda _m, _i, out, name=name: shapes.update({name: tuple(out.shape[1:])}))
    with FlopCounterMode(display=False) as counter:
        y = block(x)
    counts = counter.get_flop_counts()
    for part in recipe.parts():
        if part.module:
            assert part.shape == shapes[part.module], part.name
            assert part.parameters == sum(
                parameter.numel() for parameter in block.get_submodule(part.module).parameters()
            )
            counted = counts.get(f"{recipe.kind.block}.{part.module}", {})
            assert part.operations == sum(counted.values()), part.name
    assert recipe.parts()[-1].shape == tuple(y.shape[1:])
    assert recipe.parameters == sum(parameter.numel() for parameter in block.parameters())
    assert recipe.operations == counter.get_total_flops()


@pytest.mark.parametrize("family", [name for name, kind in FAMILIES.items() if Design(family=name).attends])
def test_every_width_on_offer_has_equal_heads(family: str) -> None:
    offered = Recipes.param
    choices = (offered[name].objects for name in ("width", "head_width", "sharing"))
    for width, head_width, sharing in itertools.product(*choices):
        s = Design(family=family, width=width, head_width=head_width, sharing=sharing).sizes
        assert width % s.heads == s.heads % s.key_heads == width // s.heads % 2 == 0  # RoPE turns pairs of numbers
        assert width // s.heads >= min(head_width, width)
    assert Design(family=family, width=1600, head_width=128).sizes.heads == 10


def test_the_block_of_2017() -> None:
    assert Design(family="original", width=512, tokens=512).parameters == 3_152_384


def test_the_first_llama() -> None:
    llama = Design(family="llama", width=4096, head_width=128, tokens=2048)
    assert llama.parameters_of_mlp == 135_266_304
    assert llama.parameters == 202_383_360
    assert replace(llama, hidden_rule="4").parameters_of_mlp == 201_326_592
    assert replace(llama, hidden_rule="3.5", sharing=4).parameters == 218_112_000


def test_gpt_2_small_is_the_count_of_a_whole_model_in_torch() -> None:
    recipe = Design(family="gpt-2", width=768, blocks=12, tokens=1024, vocabulary=50_257)
    with torch.device("meta"):
        words, places = nn.Embedding(50_257, 768), nn.Embedding(1024, 768)
        head = nn.Linear(768, 50_257, bias=False)
        head.weight = words.weight
        blocks = [transformer_blocks.PreNormBlock(768, 12, 3072, causal=True) for _ in range(12)]
        model = nn.ModuleList([words, places, *blocks, nn.LayerNorm(768), head])
    assert sum(parameter.numel() for parameter in model.parameters()) == 124_439_808
    assert recipe.parameters * recipe.blocks + recipe.embedding_parameters == 124_439_808
    llama = Design(family="llama", width=4096, head_width=128, blocks=32, vocabulary=32_000)
    assert llama.parameters * 32 + llama.embedding_parameters == 6_738_415_616  # the checkpoint's own count
    third = Design(family="llama-3", width=4096, head_width=128, sharing=4, blocks=32, vocabulary=128_256)
    assert third.parameters * 32 + third.embedding_parameters == 8_030_261_248


@pytest.mark.parametrize(
    ("family", "halves", "parameters"),
    [("basic", False, 73_984), ("basic", True, 230_144), ("gpt-2", False, 7_087_872)],
)
def test_ch7_recipes_known_blocks(family: str, halves: bool, parameters: int) -> None:
    assert Design(family=family, width=768 if family == "gpt-2" else 64, halves=halves).parameters == parameters


def test_f_05_additions_and_their_factor() -> None:
    assert Design(blocks=32).additions == 64
    assert Design(blocks=32).factor == 0.125
    assert Design(family="parallel", blocks=32).additions == 32
    assert Design(family="basic", blocks=16).additions == 16


WARNED = {
    "every token reads those after it": Design(causal=False),
    "1.49 times the weights": Design(family="llama", width=4096, hidden_rule="4"),
    "1.14 times the weights": Design(family="llama-3", width=4096, hidden_rule="4"),
    "Zero times anything is zero": Design(start="both"),
    "DeepNorm brings its own start": Design(family="deepnorm", start="shrink"),
    "turns that into LayerNorm(its input)": Design(family="original", start="zero"),
    "its gain is what is set": Design(family="basic", start="zero"),
}


@pytest.mark.parametrize(("words", "recipe"), WARNED.items(), ids=list(WARNED))
def test_what_is_wrong_or_misread_is_said(words: str, recipe: Design) -> None:
    assert words in " ".join(recipe.warnings)
    assert Design().warnings == []


def test_a_lasting_factor_is_a_part_behind_each_branch() -> None:
    plain, multiplied = Design(), Design(start="multiply")
    factors = [part for part in multiplied.parts() if part.name.startswith("× ")]
    assert len(factors) == 2
    assert len(multiplied.parts()) == len(plain.parts()) + 2
    assert multiplied.parameters == plain.parameters
    for number, part in enumerate(multiplied.parts()):
        assert all(0 <= read < number for read in part.reads)
