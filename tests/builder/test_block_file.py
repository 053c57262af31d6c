"""The file that a reader takes away: it runs, for every choice, and it is made of our own source."""

import ast
import inspect
import re
import traceback
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch.nn.functional import batch_norm, layer_norm, relu

from sims.builder.block_file import block_file
from sims.builder.design import FAMILIES, STARTS, Design
from sims.contract import parameters
from sims.data import publications
from sims.paths import CONTENT
from sims.pytorch.layers import branch_ends, transformer_blocks, vision_blocks
from sims.simulations.design_choices.recipes import Recipes

CHAPTER = CONTENT / "chapters" / "7-recipes.md"
SMALL = Design(width=64, head_width=32, sharing=2, blocks=2, tokens=6, side=7)


def run(recipe: Design, check: bool = True) -> dict[str, Any]:
    """What a run of the file defines. With `check`, it runs as a program and checks itself."""
    names: dict[str, Any] = {"__name__": "__main__" if check else "recipe"}
    exec(compile(block_file(recipe), recipe.family, "exec"), names)
    return names


@pytest.mark.parametrize("changed", [{}, {"causal": False, "halves": True, "hidden_rule": "3.5"}], ids=["", "changed"])
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_file_runs_and_finds_itself_as_it_says(family: str, start: str, changed: dict[str, Any]) -> None:
    torch.manual_seed(0)
    recipe = replace(SMALL, family=family, start=start, **changed)
    names = run(recipe)
    if "stack" in names:
        stack = names["stack"]()
        x = torch.randn(2, 64, 7, 7) if recipe.kind.images else torch.randn(2, 6, 64)
        assert stack(x).shape == x.shape
        norm = {"LayerNorm": 128, "RMSNorm": 64, "BatchNorm2d": 128, "": 0}[recipe.kind.final_norm]
        assert sum(parameter.numel() for parameter in stack.parameters()) == 2 * recipe.parameters + norm


def test_a_stack_of_pre_activation_blocks_ends_with_batch_norm_and_relu() -> None:
    """As in the code of He et al. (1603.05027): otherwise the head would read raw sums."""
    stack = run(replace(SMALL, family="pre-activation"), check=False)["stack"]()
    x = torch.randn(2, 64, 7, 7)
    sums = x
    for block in stack[:2]:
        sums = block(sums)
    torch.testing.assert_close(stack(x), relu(batch_norm(sums, None, None, training=True)))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_zero_start_passes_on_what_the_page_says(family: str) -> None:
    torch.manual_seed(1)
    recipe = replace(SMALL, family=family, start="zero")
    names = run(recipe, check=False)
    x = torch.randn(2, 64, 7, 7) if recipe.kind.images else torch.randn(2, 6, 64)
    y = names["build"]()(x)
    if recipe.kind.hands_on == "x":
        assert recipe.starts_as_identity
        assert torch.equal(y, x)
        assert not torch.equal(run(replace(recipe, start="default"), check=False)["build"]()(x), x)
    elif recipe.kind.hands_on == "ReLU(x)":
        assert torch.equal(y, relu(x))
    else:
        torch.testing.assert_close(y, layer_norm(x, (64,)), rtol=1e-4, atol=1e-4)


def test_a_wrong_file_stops_itself() -> None:
    text = block_file(SMALL)
    for right, wrong in (("causal=True", "causal=False"), ("hidden=256", "hidden=128")):
        assert right in text
        with pytest.raises(AssertionError):
            exec(compile(text.replace(right, wrong), "wrong", "exec"), {"__name__": "__main__"})


def stopping_line(text: str) -> str:
    """The line of a file at which an assertion stops its run."""
    with pytest.raises(AssertionError) as stopped:
        exec(compile(text, "exported", "exec"), {"__name__": "__main__"})
    numbers = [frame.lineno for frame in traceback.extract_tb(stopped.value.__traceback__)]
    return text.splitlines()[int(numbers[-1] or 0) - 1]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("family", [name for name, kind in FAMILIES.items() if Design(family=name).attends])
def test_a_missing_mask_is_found_whatever_the_start(family: str, start: str) -> None:
    text = block_file(replace(SMALL, family=family, start=start))
    assert text.count("causal=True") == 1
    assert "sees_the_future" in stopping_line(text.replace("causal=True", "causal=False"))


def test_the_exercise_of_chapter_7_stops_where_the_mask_is_checked() -> None:
    (exercise,) = [line for line in CHAPTER.read_text().splitlines() if "see which line fails" in line]
    setting = re.search(r"`(causal=\w+)`", exercise)
    assert setting
    assert "sees_the_future" in stopping_line(block_file(Design()).replace("causal=True", setting[1]))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_shown_is_what_our_source_says(family: str) -> None:
    text = block_file(replace(SMALL, family=family, start="shrink"))
    module = vision_blocks if FAMILIES[family].images else transformer_blocks
    for name in [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]:
        assert inspect.getsource(getattr(module, name)).strip() in text
    assert inspect.getsource(branch_ends.shrink_ends).strip() in text


def test_a_file_holds_nothing_that_its_block_does_not_use() -> None:
    text = block_file(Design(family="gpt-2"))
    assert "class Attention" in text
    assert not [name for name in ("Llama", "rotate", "silu", "zero_ends", "conv") if name in text]
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    lines = [node for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    imported = {alias.name for line in lines for alias in line.names}
    assert imported <= used


@pytest.mark.parametrize(("family", "model"), [("llama", "Llama 7B"), ("llama-3", "Llama 3 8B")])
def test_each_llama_has_its_own_positions_and_norms(family: str, model: str) -> None:
    base, epsilon = (
        publications.value(table="facts", model=model, quantity=quantity) for quantity in ("rope_base", "norm_epsilon")
    )
    names = run(replace(SMALL, family=family), check=False)
    stack, rotate, bases = names["stack"](), names["rotate"], list[float]()
    assert {norm.eps for norm in stack.modules() if isinstance(norm, torch.nn.RMSNorm)} == {epsilon}

    def noted(x: torch.Tensor, base: float) -> torch.Tensor:
        bases.append(base)
        return rotate(x, base)

    names["rotate"] = noted
    stack[0](torch.randn(1, 6, 64))
    assert bases == [base, base]
    turned = rotate(torch.randn(32).bfloat16().expand(1, 1, 2048, 32), base)
    assert not torch.equal(turned[:, :, 1000], turned[:, :, 1001])


def test_the_preset_of_chapter_7_is_llama_3() -> None:
    (settings,) = re.findall(r"`Llama 3 with 8 billion parameters <recipes: ([^>]*)>`", CHAPTER.read_text())
    chosen = dict(pair.split("=") for pair in settings.split(", "))
    (call,) = re.findall(r"LlamaBlock\(width.*\)", Recipes(**parameters.read(Recipes, chosen)[0]).listing())
    assert call.endswith("causal=True, rope_base=500_000, norm_eps=1e-05)")


def test_gpt_2_starts_as_gpt_2() -> None:
    torch.manual_seed(2)
    block = run(replace(SMALL, width=256, head_width=64, blocks=12, start="shrink"), check=False)["build"]()
    assert block.attention.queries_keys_values.weight.detach().std().item() == pytest.approx(0.02, rel=0.02)
    assert block.mlp.narrow.weight.detach().std().item() == pytest.approx(0.02 / 24**0.5, rel=0.02)
    assert not block.mlp.widen.bias.any()
