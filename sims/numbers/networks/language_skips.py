"""Language models of eight blocks with skips in fewer places, and without skips but with a helped attention."""

from functools import cache
from typing import Any

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.data import own_words
from sims.engines import language
from sims.instruments.networks.text_sampler import held_out_loss
from sims.numbers.networks.language_chain import likeness_of_places, untrained

RATES = (0.0003, 0.001, 0.003)
"""Learning rates among which every model gets its best"""

BLOCKS, STEPS = 8, 600

LONG, LONG_RATE = 2400, 0.001
"""Steps of a run four times as long, and its learning rate"""

SEEDS = 3


@calculation(long=True, readings=("statistic",), absolute=0.15)
def best_loss(
    skip: str = "none",
    attention: str = "softmax",
    initialization: str = "variance-preserving",
    statistic: str = "median",
) -> float:
    """The loss on unseen lines after 600 steps at the best of three learning rates for each seed, in nats per symbol.
    The choices are those of `LanguageModel`; the statistic is over three seeds."""
    return STATISTICS[statistic](best_losses(skip, attention, initialization).tolist())


@cache
def best_losses(skip: Any, attention: Any, initialization: Any) -> np.ndarray:
    """The lowest loss on unseen lines that any of the rates leads to, for each seed, (seeds,)."""
    best: np.ndarray = np.min([ends(skip, attention, initialization, rate, STEPS) for rate in RATES], axis=0)
    return best


@calculation(long=True, readings=("statistic",), absolute=0.15)
def long_loss(skip: str = "none", attention: str = "softmax", statistic: str = "median") -> float:
    """The loss on unseen lines after 2,400 steps at a learning rate of 0.001, in nats per symbol, of models that start
    with weights that preserve variance; the statistic is over three seeds."""
    return STATISTICS[statistic](ends(skip, attention, "variance-preserving", LONG_RATE, LONG).tolist())


@cache
def ends(
    skip: Any, attention: Any, initialization: Any, rate: float, steps: int, seeds: int = SEEDS, seed: int = 0
) -> np.ndarray:
    """The loss on unseen lines after a run, in nats per symbol, (seeds,)."""
    learned, _ = own_words.parts()
    choices = {"skip": skip, "attention": attention, "initialization": initialization}
    starts = [untrained(BLOCKS, number, rate, **choices) for number in range(seed, seed + seeds)]
    return np.array([held_out_loss(language.advance(state, learned, steps)) for state in starts])


@calculation(long=True, tolerance=0.05)
def likeness(
    skip: str = "none", attention: str = "softmax", initialization: str = "variance-preserving", seed: int = 0
) -> float:
    """The mean cosine between two positions of a text after the last branch of an untrained model, −1 to 1."""
    return likeness_of_places(untrained(BLOCKS, seed, skip=skip, attention=attention, initialization=initialization))
