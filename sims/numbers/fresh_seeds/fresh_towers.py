"""Deep stacks with one recipe, after a hundred steps, with ten fresh seeds."""

from functools import cache

from sims.comparisons.trained_recipes import setup
from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.instruments.training.stack_run import StackRun, advance, begin
from sims.numbers.fresh_seeds.seeds import SEEDS

BLOCKS, STEPS = 64, 100
"""Blocks and steps, as the figure has them"""


@cache
def _trained(recipe: str, learning_rate: float) -> StackRun:
    return advance(begin(setup(recipe, BLOCKS, learning_rate, SEEDS)), STEPS, STEPS)


@calculation(long=True, readings=("what", "statistic"), tolerance=0.3, absolute=0.05)
def reading(recipe: str, what: str, statistic: str = "median", learning_rate: float = 0.001) -> float:
    """A number at the end of a run, the "median", "lowest" or "highest" of ten seeds; `recipe` is a key of
    `sims.comparisons.trained_recipes.RECIPES`.

    `what`: "loss" in nats; "stream" after the last block over that before the first, or "gradient" at the input over
    that at the top, now; or "stream at the start" and "gradient at the start".
    """
    run = _trained(recipe, learning_rate)
    by_seed = {
        "loss": run.losses[-1],
        "stream": run.now.stream[:, -1],
        "stream at the start": run.start.stream[:, -1],
        "gradient": run.now.gradient[:, 0],
        "gradient at the start": run.start.gradient[:, 0],
    }[what]
    return STATISTICS[statistic](by_seed.tolist())


@calculation(long=True, readings=("trained",), absolute=3)
def faint(recipe: str, trained: bool = True, learning_rate: float = 0.001) -> int:
    """In how many of ten seeds the gradient at the input is less than a tenth of that at the top, after the run or
    before it."""
    run = _trained(recipe, learning_rate)
    gradients = (run.now if trained else run.start).gradient[:, 0]
    return int((gradients < 0.1).sum())
