"""The configuration sets only what nanoGPT knows, to the recipe's values, and names what nanoGPT does otherwise."""

import ast
import itertools
from typing import Any

import pytest

from sims.builder.network_recipe.answers import FAMILIES, NORMS, PRECISIONS, TROUBLES, Answers
from sims.builder.network_recipe.lines import recipe_lines
from sims.builder.network_recipe.nanogpt_file import DIFFERS, lines_left_out, nanogpt_file
from sims.builder.network_recipe.plan import plan

# https://github.com/karpathy/nanoGPT/blob/3adf61e154c3fe3fca428ad6bc3818b27a3b8291/train.py#L34-L74: the names before
# `config_keys`, each with the type of its default
SETTINGS: dict[str, type] = {
    **dict.fromkeys(["out_dir", "init_from", "wandb_project", "wandb_run_name", "dataset"], str),
    **dict.fromkeys(["backend", "device", "dtype"], str),
    **dict.fromkeys(["eval_interval", "log_interval", "eval_iters", "gradient_accumulation_steps", "batch_size"], int),
    **dict.fromkeys(["block_size", "n_layer", "n_head", "n_embd", "max_iters", "warmup_iters", "lr_decay_iters"], int),
    **dict.fromkeys(["eval_only", "always_save_checkpoint", "wandb_log", "bias", "decay_lr", "compile"], bool),
    **dict.fromkeys(["dropout", "learning_rate", "weight_decay", "beta1", "beta2", "grad_clip", "min_lr"], float),
}

ALL = [
    Answers("transformer", norm=norm, trouble=trouble, precision=precision, blocks=blocks, width=width)
    for norm, trouble, precision in itertools.product(NORMS, TROUBLES, PRECISIONS)
    for blocks, width in ((2, 64), (12, 768), (300, 12288))
]


def settings(answers: Answers) -> dict[str, Any]:
    """What the file assigns, read without running it: plain values at the top level, each name once."""
    result: dict[str, Any] = {}
    for statement in ast.parse(nanogpt_file(answers)).body:
        assert isinstance(statement, ast.Assign)
        (target,) = statement.targets
        assert isinstance(target, ast.Name)
        assert target.id not in result
        result[target.id] = ast.literal_eval(statement.value)
    return result


def differences(answers: Answers) -> str:
    """The comments on what nanoGPT does otherwise, as one line."""
    rows = nanogpt_file(answers).splitlines()
    return " ".join(row.removeprefix("# ") for row in rows)


def test_it_sets_only_names_that_nanogpt_knows_to_values_of_their_types() -> None:
    for answers in ALL:
        for name, value in settings(answers).items():
            assert type(value) is SETTINGS[name], name


def test_its_values_are_those_of_the_recipe() -> None:
    for answers in ALL:
        chosen, values = plan(answers), settings(answers)
        assert (values["n_layer"], values["n_embd"]) == (answers.blocks, answers.width)
        assert values["n_embd"] % values["n_head"] == 0
        assert values["learning_rate"] == pytest.approx(chosen.rate, rel=0.005)
        assert values["min_lr"] == pytest.approx(chosen.floor * chosen.rate, rel=0.005)
        assert f"{values['warmup_iters']:,} steps" == chosen.warmup
        assert (values["beta1"], values["beta2"]) == chosen.betas
        assert (values["weight_decay"], values["grad_clip"]) == (chosen.decay, chosen.clip)
        assert (values["dropout"], values["dtype"]) == (chosen.dropout, answers.precision)
        tokens = values["batch_size"] * values["gradient_accumulation_steps"] * values["block_size"]
        assert tokens == pytest.approx(0.5e6, rel=0.02)
        assert chosen.batch == "0.5 million tokens"


def test_every_line_is_there_and_every_difference_is_named() -> None:
    for answers in ALL:
        text = differences(answers)
        assert all(f"{line.part}: {line.advice}" in text for line in recipe_lines(answers))
        count = len(recipe_lines(answers))
        left_out = lines_left_out(answers)
        assert f"nanoGPT can follow {count - len(left_out)} of the {count} lines" in text
        assert text.count(f" {DIFFERS}") >= len(left_out)


@pytest.mark.parametrize(
    ("answers", "parts"),
    [
        (Answers(), {"Block", "Embedding"}),
        (Answers(trouble="spikes"), {"Block", "Embedding", "Queries, keys"}),
        (Answers(trouble="overfits"), {"Block", "Embedding", "Dropout"}),
        (Answers(trouble="memory"), {"Block", "Embedding", "Memory"}),
        (Answers(trouble="idle"), {"Block", "Norm", "Last matrix", "Embedding"}),
        (Answers(norm="original"), {"Block", "Norm", "Last matrix", "Embedding"}),
        (Answers(norm="none"), {"Block", "Norm", "Last matrix", "Embedding", "Factor"}),
        (Answers(blocks=300), {"Block", "Last matrix", "Embedding", "Factor"}),
        (
            Answers(trouble="transfer"),
            {"Block", "Inner matrices", "Last matrix", "Embedding", "Head", "Factor", "Learning rate", "Decay"},
        ),
    ],
    ids=lambda value: f"{value.norm}-{value.trouble}-{value.blocks}" if isinstance(value, Answers) else "",
)
def test_what_nanogpt_has_no_setting_for(answers: Answers, parts: set[str]) -> None:
    assert {line.part for line in lines_left_out(answers)} == parts


def test_networks_that_are_no_language_models_have_none() -> None:
    assert {family: bool(nanogpt_file(Answers(family))) for family in FAMILIES} == {
        family: family == "transformer" for family in FAMILIES
    }
