"""The language model without its plus signs: its loss on what it trains on, and what its initial weights change."""

from typing import Any

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.data import own_words
from sims.engines import language
from sims.engines.language import LanguageModel, LanguageRecipe, LanguageState
from sims.instruments.networks.text_sampler import pieces
from sims.instruments.stacks.token_likeness import cosines, mean_cosine

STEPS, LAST = 600, 100
"""Steps of a run, and those at its end whose losses are averaged"""

SEEDS = 3
TEXTS = 8
"""Pieces of held-out text on which an untrained model is read"""

KINDS = {"with": "additive", "without": "none"}


@calculation(long=True, readings=("statistic",), absolute=0.15)
def training_loss(which: str, blocks: int, statistic: str = "median") -> float:
    """The loss on the pieces of text that a model learns from, in nats per symbol: the mean over the last 100 of 600
    steps, each before its step. `which` is "with" or "without" plus signs, the statistic over three seeds."""
    ends = []
    for seed in range(SEEDS):
        state = language.advance(untrained(blocks, seed, skip=KINDS[which]), own_words.parts()[0], STEPS)
        ends.append(float(state.losses[-LAST:].mean()))
    return STATISTICS[statistic](ends)


@calculation(long=True, tolerance=0.05)
def likeness_at_start(which: str, initialization: str, blocks: int = 8) -> float:
    """The mean cosine between two positions of a text after the last branch of an untrained model. Seed 0."""
    return likeness_of_places(untrained(blocks, 0, skip=KINDS[which], initialization=initialization))


def likeness_of_places(state: LanguageState) -> float:
    """The mean cosine between two positions of held-out texts after a model's last branch, −1 to 1."""
    return float(mean_cosine(cosines(_read(state)[0][-1])).mean())


def untrained(blocks: int, seed: int, rate: float = LanguageRecipe.learning_rate, **choices: Any) -> LanguageState:
    """A model before its first step; its weights preserve variance, unless the choices of `LanguageModel` say else."""
    model = LanguageModel(blocks, len(own_words.symbols()), **{"initialization": "variance-preserving", **choices})
    return language.start(model, LanguageRecipe(learning_rate=rate), seed)


def _read(state: LanguageState) -> tuple[np.ndarray, np.ndarray]:
    """Stream (branches + 1, texts, context, width) and logits (texts, context, symbols) of held-out pieces."""
    symbols, _ = pieces(own_words.parts()[1], state.model.context)
    return language.streams(state, symbols[:TEXTS])
