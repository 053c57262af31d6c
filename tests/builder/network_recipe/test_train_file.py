"""The exported file runs as copied: it trains, has the parameters of the table, and starts as the table says."""

import itertools
from typing import Any

import pytest
import torch

from sims.builder.network_recipe.answers import FAMILIES, NORMS, PRECISIONS, TROUBLES, Answers
from sims.builder.network_recipe.costs import costs
from sims.builder.network_recipe.lines import recipe_lines
from sims.builder.network_recipe.plan import plan
from sims.builder.network_recipe.train_file import train_file

SMALL = 64


def answers(family: str, norm: str = "branch", trouble: str = "nothing", **more: Any) -> Answers:
    return Answers(
        family, **{"blocks": 4, "width": SMALL, "norm": norm, "trouble": trouble, "precision": "float32"} | more
    )


def distinct() -> list[Answers]:
    """One set of answers for each file that differs from the others, but for its precision."""
    ways = itertools.product(FAMILIES, NORMS, TROUBLES)
    return list({train_file(answers(*way)): answers(*way) for way in ways}.values())


def run(text: str, **constants: int) -> dict[str, Any]:
    """The names of a file, as a reader's copy has them, with smaller data."""
    names: dict[str, Any] = {"__name__": "which_block"}
    exec(compile(text, "which_block.py", "exec"), names)
    names.update(constants)
    return names


def small(family: str, text: str) -> str:
    """A file with a small vocabulary and small images: only constants at its head change."""
    return text.replace("VOCABULARY = 1024, 50_257", "VOCABULARY = 1024, 256").replace(
        "SIDE, CLASSES = 224", "SIDE, CLASSES = 64"
    )


@pytest.mark.parametrize("chosen", distinct(), ids=lambda a: f"{a.family}-{a.norm}-{a.trouble}")
def test_each_file_trains_as_copied(chosen: Answers) -> None:
    names = run(small(chosen.family, train_file(chosen)), BATCH=2)
    losses = names["train"](2)
    assert len(losses) == 2
    assert torch.tensor(losses).isfinite().all()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("norm", NORMS)
def test_the_table_counts_the_parameters_of_the_file(family: str, norm: str) -> None:
    for trouble, width, blocks in (("nothing", 64, 6), ("spikes", 128, 2), ("idle", 64, 3)):
        chosen = answers(family, norm, trouble, width=width, blocks=blocks)
        model = run(train_file(chosen))["Model"]()
        assert sum(weight.numel() for weight in model.parameters()) == costs(chosen, plan(chosen)).parameters
        stack = sum(weight.numel() for weight in model.blocks.parameters())
        assert stack == costs(chosen, plan(chosen)).stack or family == "image"


@pytest.mark.parametrize("precision", PRECISIONS)
def test_each_precision_trains(precision: str) -> None:
    names = run(train_file(answers("perceptron", precision=precision)))
    losses = names["train"](30)
    assert losses[-1] < losses[0]


def test_gpt_2_starts_as_the_table_says() -> None:
    names = run(small("transformer", train_file(answers("transformer", blocks=8, width=256))))
    torch.manual_seed(0)
    model = names["Model"]()
    names["start"](model)
    block = model.blocks[3]
    assert block.mlp.widen.weight.std().item() == pytest.approx(0.02, rel=0.03)
    assert block.mlp.narrow.weight.std().item() == pytest.approx(0.02 / 4, rel=0.03)
    assert block.attention.output.weight.std().item() == pytest.approx(0.02 / 4, rel=0.03)
    assert model.positions.weight.std().item() == pytest.approx(0.01, rel=0.03)
    assert not block.mlp.widen.bias.any()


@pytest.mark.parametrize("blocks", [8, 36])
def test_positions_start_as_the_table_says(blocks: int) -> None:
    """36 blocks are deeper than any Post-LN model that we cite, so the file has DeepNorm."""
    chosen = answers("transformer", "original", blocks=blocks, width=256)
    (advice,) = [line.advice for line in recipe_lines(chosen) if line.part == "Embedding"]
    assert "learned positions 0.01" in advice
    names = run(small("transformer", train_file(chosen)), BLOCKS=2)
    model = names["Model"]()
    names["start"](model)
    assert model.positions.weight.std().item() == pytest.approx(0.01, rel=0.03)


def test_the_head_of_a_perceptron_starts_as_the_table_says() -> None:
    chosen = answers("perceptron", width=256)
    (advice,) = [line.advice for line in recipe_lines(chosen) if line.part == "Head"]
    assert "the library's default weights" in advice
    names = run(train_file(chosen))
    model = names["Model"]()
    names["start"](model)
    assert model.head.weight.abs().max().item() == pytest.approx(256**-0.5, rel=0.02)  # uniform up to there
    assert model.head.bias.any()


@pytest.mark.parametrize(("trouble", "end"), [("overfits", "attn.c_proj"), ("nothing", "attention.output")])
def test_a_stack_deeper_than_any_that_we_cite_starts_with_its_factor(trouble: str, end: str) -> None:
    chosen = answers("transformer", trouble=trouble, blocks=300)
    names = run(small("transformer", train_file(chosen)), BLOCKS=2)
    model = names["Model"]()
    names["start"](model)
    assert model.blocks[1].get_submodule(end).factor.item() == pytest.approx(600**-0.5, rel=1e-3)


def test_checkpoints_leave_batch_norm_the_same_running_statistics() -> None:
    statistics = []
    for trouble in ("nothing", "memory"):
        names = run(small("image", train_file(answers("image", "original", trouble))))
        torch.manual_seed(0)
        model = names["Model"]()
        names["start"](model)
        for seed in range(2):
            model(torch.randn(4, 3, 64, 64, generator=torch.Generator().manual_seed(seed))).square().mean().backward()
        statistics.append({name: buffer for name, buffer in model.named_buffers() if "running" in name})
    assert statistics[0].keys() == statistics[1].keys()
    for name, usual in statistics[0].items():
        torch.testing.assert_close(statistics[1][name], usual, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("family", ["vit", "image"])
@pytest.mark.parametrize("trouble", ["nothing", "spikes", "idle"])
def test_vision_norms_have_the_epsilon_of_the_table(family: str, trouble: str) -> None:
    chosen = answers(family, trouble=trouble)
    (advice,) = [line.advice for line in recipe_lines(chosen) if line.part == "Norm"]
    assert "ε = 10⁻⁶" in advice
    model = run(train_file(chosen))["Model"]()
    assert {module.eps for module in model.modules() if isinstance(module, torch.nn.LayerNorm)} == {1e-6}


def test_what_decays_is_what_the_table_says() -> None:
    names = run(train_file(answers("vit")))
    model = names["Model"]()
    decayed, others = names["groups"](model)
    assert decayed["weight_decay"] == 0.05
    assert others["weight_decay"] == 0
    assert all(weight.ndim >= 2 for weight in decayed["params"])
    assert all(weight.ndim < 2 for weight in others["params"])
    assert len(decayed["params"]) + len(others["params"]) == len(list(model.parameters()))


def test_a_recipe_that_transfers_slows_only_the_matrices_of_its_blocks() -> None:
    names = run(small("transformer", train_file(answers("transformer", trouble="transfer", width=1024, blocks=2))))
    inside, around, _others = names["groups"](names["Model"]())
    assert inside["scale"] == 0.25
    assert around["scale"] == 1
    for group in (inside, around):  # what AdamW subtracts per step, rate × decay, does not depend on the width
        assert group["scale"] * group["weight_decay"] == pytest.approx(names["DECAY"])
    assert len(inside["params"]) == 2 * 4


def test_the_rate_warms_up_and_falls_to_its_floor() -> None:
    names = run(train_file(answers("transformer")))
    rates = [names["rate"](step, 1000) for step in range(1000)]
    assert rates.index(max(rates)) in (9, 10)
    assert rates[0] == pytest.approx(max(rates) / 10)
    assert rates[-1] == pytest.approx(0.1 * max(rates), rel=0.01)
    assert names["rate"](1999, 600_000) == pytest.approx(max(rates))


@pytest.mark.parametrize("family", ["vit", "image", "perceptron"])
def test_a_branch_with_a_zero_passes_its_input_on(family: str) -> None:
    """ReZero, and the gain of a normalizer-free block: before the first step, the block is the identity."""
    names = run(train_file(answers(family, "none")))
    model = names["Model"]()
    names["start"](model)
    block = model.blocks[-1]
    shape = {"vit": (2, 5, SMALL), "image": (2, SMALL, 4, 4), "perceptron": (2, SMALL)}[family]
    x = torch.randn(shape)
    assert torch.equal(block(x), x)
