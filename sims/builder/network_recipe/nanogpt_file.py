"""Writes a language model's recipe as a configuration for nanoGPT, with comments on what nanoGPT has no setting for.

Read in karpathy/nanoGPT at commit 3adf61e of 12 November 2025: `train.py`, `model.py` and `configurator.py`.
"""

import textwrap
from functools import lru_cache

from sims.builder.network_recipe.answers import BASE_WIDTH, TOKENS, VOCABULARY, Answers
from sims.builder.network_recipe.lines import Line, recipe_lines
from sims.builder.network_recipe.plan import Plan, plan
from sims.builder.network_recipe.train_file import warmup_steps

NAME = "train_which_block.py"

TEXTS, ACCUMULATED = 12, 40
"""Texts of a forward pass, and such passes for a step: those of nanoGPT, about half a million tokens"""

PADDED = 50_304
"""nanoGPT's vocabulary where its data do not say another"""

DIFFERS = "nanoGPT differs: "

Notes = tuple[dict[str, object], list[str]]
"""The settings for a line of the recipe, and sentences on what nanoGPT does instead of what it has no setting for"""


@lru_cache(maxsize=64)
def nanogpt_file(answers: Answers) -> str:
    """The text of a file for nanoGPT's `config/`; empty for a network that is no language model.

    Each line of the recipe is a comment above its settings. Where nanoGPT has no setting for a part of the line, a
    comment that starts with DIFFERS says what it does instead.
    """
    if answers.family != "transformer":
        return ""
    chosen = plan(answers)
    parts = [_head(answers, chosen)]
    for line in recipe_lines(answers):
        settings, instead = _notes(line.part, answers, chosen)
        parts.append("\n".join([*_comment(f"{line.part}: {line.advice}"), *_instead(instead), *_assigned(settings)]))
    return "\n\n".join([*parts, _data(), ""])


def lines_left_out(answers: Answers) -> list[Line]:
    """The lines of a language model's recipe that nanoGPT cannot follow, at least in part."""
    chosen = plan(answers)
    return [line for line in recipe_lines(answers) if _notes(line.part, answers, chosen)[1]]


def _head(answers: Answers, chosen: Plan) -> str:
    left_out, count = lines_left_out(answers), len(recipe_lines(answers))
    words = f"{chosen.title}: {answers.blocks} blocks of width {answers.width}, a language model."
    followed = (
        f"nanoGPT can follow {count - len(left_out)} of the {count} lines of the recipe. For the others, a comment "
        f"that starts with “{DIFFERS.strip()}” says what its code does instead."
    )
    return "\n".join(
        [
            *_comment(words),
            *_comment(f"python train.py config/{NAME}"),
            "#",
            *_comment(followed),
            "",
            *_assigned(
                {"n_layer": answers.blocks, "n_embd": answers.width, "n_head": answers.heads, "block_size": TOKENS}
            ),
        ]
    )


def _data() -> str:
    tokens = TEXTS * ACCUMULATED * TOKENS
    words = [
        f"A step uses {tokens:,} tokens. If memory is tight, lower batch_size, and raise the other in proportion.",
        "The recipe does not say how long to train: set max_iters and lr_decay_iters, both to the same number.",
        f"Without a meta.pkl next to the data, nanoGPT has {PADDED:,} kinds of tokens; GPT-2 has {VOCABULARY:,}.",
    ]
    return "\n".join(
        [
            *(row for sentence in words for row in _comment(sentence)),
            *_assigned({"batch_size": TEXTS, "gradient_accumulation_steps": ACCUMULATED}),
        ]
    )


def _notes(part: str, a: Answers, p: Plan) -> Notes:
    first = p.block in ("PreNormBlock", "QKNormBlock", "GPT2Block")
    scaled = p.transfers and a.width > BASE_WIDTH
    notes: dict[str, Notes] = {
        "Block": (
            {"bias": True},
            ["its GELU is exact; the recipe's file uses the approximation with tanh"]
            if first
            else ["its block is x + F(LN(x)), with two branches"],
        ),
        "Norm": ({}, [] if first else ["it has a LayerNorm at the start of each branch and one before the head"]),
        "Inner matrices": (
            {},
            [] if p.deviation == 0.02 else ["it starts all matrices with a deviation of 0.02"],
        ),
        "Last matrix": ({}, [] if p.start == "shrink" else ["it starts with 0.02/√(2N) in both branches"]),
        "Embedding": ({}, ["it starts the positions with a deviation of 0.02 too"]),
        "Head": ({}, ["it does not multiply the logits"] if scaled else []),
        "Factor": ({}, ["it has no factor on a branch or a skip"] if _has_factor(p) else []),
        "Queries, keys": ({}, ["it has no norm there"] if p.query_key_norm else []),
        "Optimizer": ({"beta1": p.betas[0], "beta2": p.betas[1]}, []),
        "Learning rate": (
            {"learning_rate": _rounded(p.rate)},
            ["all its weights learn at one rate"] if scaled else [],
        ),
        "Warm-up": (
            {"warmup_iters": warmup_steps(p), "decay_lr": True, "min_lr": _rounded(p.rate * p.floor)},
            [],
        ),
        "Decay": ({"weight_decay": p.decay}, ["it decays all matrices equally"] if scaled else []),
        "Clipping": ({"grad_clip": p.clip}, []),
        "Dropout": ({"dropout": p.dropout}, ["it also applies dropout to the embedding"] if p.dropout else []),
        "Precision": ({"dtype": a.precision}, []),
        "Memory": ({}, ["it has no checkpoints; a smaller batch_size with more accumulation helps"] * p.checkpoints),
    }
    return notes.get(part, ({}, []))


def _has_factor(p: Plan) -> bool:
    return p.factor < 1 or p.start in ("scale", "deepnorm")


def _rounded(rate: float) -> float:
    return float(f"{rate:.3g}")


def _assigned(settings: dict[str, object]) -> list[str]:
    return [f"{name} = {value!r}" for name, value in settings.items()]


def _instead(sentences: list[str]) -> list[str]:
    return [row for sentence in sentences for row in _comment(f"{DIFFERS}{sentence}.")]


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
