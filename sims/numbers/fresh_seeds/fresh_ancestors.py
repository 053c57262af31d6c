"""Ancestors of the residual block on the spirals, 32 blocks deep, with ten fresh seeds."""

from functools import cache

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.data.datasets import source
from sims.instruments.networks.watched_run import FITS
from sims.instruments.training.ancestor_run import advance, begin
from sims.numbers.fresh_seeds.seeds import SEEDS

BLOCKS, LEARNING_RATE, STEPS = 32, 0.003, 300
"""Blocks, learning rate and steps, as the figure has them"""


@cache
def _errors(name: str) -> list[float]:
    """For each seed, the share of training points misclassified at the end."""
    run = advance(begin(name, source("spirals"), BLOCKS, LEARNING_RATE, SEEDS), STEPS, STEPS)
    errors: list[float] = run.errors[-1].tolist()
    return errors


@calculation(long=True, readings=("statistic",), tolerance=0.5, absolute=0.05)
def wrong(name: str, statistic: str = "median") -> float:
    """The share of training points misclassified at the end: "median", "lowest" or "highest" of ten seeds; `name` is a
    key of `sims.comparisons.ancestors.ANCESTORS`."""
    return STATISTICS[statistic](_errors(name))


@calculation(long=True, absolute=3)
def fits(name: str) -> int:
    """How many of ten seeds fit at the end."""
    return sum(error <= FITS for error in _errors(name))
