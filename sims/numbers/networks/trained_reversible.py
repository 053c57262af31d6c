"""A reversible stack before and after training: the error of its input as reconstructed from its output."""

from functools import cache

from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.instruments.training.trained_coupling import Reversal, before_and_after
from sims.numbers.fresh_seeds.seeds import SEEDS


@cache
def _outcomes() -> tuple[tuple[Reversal, Reversal], ...]:
    return tuple(before_and_after(seed) for seed in SEEDS)


@calculation(long=True, readings=("precision", "trained", "statistic"), tolerance=0.75)
def error(precision: str, trained: bool = True, statistic: str = "median") -> Number:
    """Root mean square of the reconstructed minus the original stream, over that of the original; ten seeds.

    `precision`: "float16", "float32" or "float64".
    """
    return STATISTICS[statistic]([pair[trained].errors[precision] for pair in _outcomes()])


@calculation(long=True, readings=("trained", "statistic"), tolerance=0.3)
def strength(trained: bool = True, statistic: str = "median") -> Number:
    """Size of a branch's output over that of its input, averaged over the branches; ten seeds."""
    return STATISTICS[statistic]([pair[trained].strength for pair in _outcomes()])
