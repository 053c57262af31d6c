"""The stream of trained stacks by the placement of norms, with ten fresh seeds."""

from functools import cache

from sims.comparisons.placings import setup
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.instruments.training.placed_run import PlacedRun, advance, begin
from sims.numbers.fresh_seeds.seeds import SEEDS

BLOCKS, VARIANCE, LEARNING_RATE, STEPS = 32, 2.0, 0.001, 60
"""Blocks, the law's v, learning rate and steps, as the figure has them"""


@cache
def _trained(placing: str) -> PlacedRun:
    return advance(begin(setup(placing, VARIANCE, BLOCKS, LEARNING_RATE, SEEDS)), STEPS, STEPS)


@calculation(long=True, readings=("statistic",), tolerance=0.3)
def stream(placing: str, statistic: str = "median") -> float:
    """Mean square of the stream after the last block at the end of a run: "median", "lowest" or "highest" of ten seeds;
    `placing` is a key of `sims.comparisons.placings.PLACINGS`."""
    return STATISTICS[statistic](_trained(placing).now.stream[:, -1].tolist())
