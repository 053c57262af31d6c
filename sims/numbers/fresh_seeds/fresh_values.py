"""Small language models that reuse the first layer's values, with ten fresh seeds."""

from functools import cache

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.instruments.training.value_run import ValueLook, ValueRun, ValueSetup, advance, begin
from sims.numbers.fresh_seeds.seeds import SEEDS

BLOCKS, LEARNING_RATE, STEPS, LOOK_EVERY = 4, 0.003, 600, 60
"""Blocks, learning rate, steps, and steps from look to look, as the figure has them"""


@cache
def _trained(form: str) -> ValueRun:
    return advance(begin(ValueSetup(form, BLOCKS, LEARNING_RATE, SEEDS)), STEPS, LOOK_EVERY)


def _look(form: str, step: int) -> ValueLook:
    return next(look for look in _trained(form).looks if look.step == step)


def _behind(form: str, step: int) -> np.ndarray:
    """(seeds,) loss on held-out lines minus that with own values, in nats per symbol."""
    return _look(form, step).losses - _look("plain", step).losses


@calculation(long=True, readings=("form", "what", "statistic", "step"), tolerance=0.3, absolute=0.02)
def value(form: str, what: str, statistic: str = "median", step: int = STEPS) -> float:
    """A number of a form, "plain", "learned" or "shared", at a step with a look: "median", "lowest" or "highest" of ten
    seeds.

    `what`: "loss" on held-out lines in nats per symbol; "behind", its excess over the loss with own values, seed by
    seed; or "heard", the effective number of symbols that attention listens to, mean of all layers.
    """
    look = _look(form, step)
    by_seed = {"loss": look.losses, "behind": _behind(form, step), "heard": look.heard.mean(axis=1)}[what]
    return STATISTICS[statistic](by_seed.tolist())


@calculation(long=True, readings=("form", "step"), absolute=3)
def ahead(form: str, step: int = STEPS) -> int:
    """In how many of ten seeds the loss at a step with a look is lower than with own values."""
    return int((_behind(form, step) < 0).sum())


@calculation(long=True, readings=("name", "statistic"), tolerance=0.3, absolute=0.05)
def weight(name: str, statistic: str = "median") -> float:
    """The weight of the "first" layer's values, or of its "own", in the last layer at the end; ten seeds."""
    shares = _trained("learned").looks[-1].shares[:, -1]
    return STATISTICS[statistic](shares[:, ("first", "own").index(name)].tolist())
