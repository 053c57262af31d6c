"""Small language models in lanes with ten fresh seeds: how their lanes end if they start alike or apart, and what fewer
rounds of Sinkhorn–Knopp do."""

from functools import cache

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.instruments.replication.lane_run import LaneRun, LaneSetup, advance, begin, flipped_losses, model_of
from sims.instruments.replication.trained_designs import STEPS, held_out, losses
from sims.numbers.fresh_seeds.seeds import SEEDS

RATE, ROUNDS = 0.008, 20
"""The learning rate that two other seeds chose for both forms and for Pre-LN, and the rounds of the figure"""


def _setup(form: str, rounds: int, start: str) -> LaneSetup:
    return LaneSetup(form, rounds, start == "apart", RATE, STEPS, SEEDS)


@cache
def _trained(form: str, rounds: int, start: str) -> LaneRun:
    return advance(begin(_setup(form, rounds, start)), STEPS, STEPS)


@cache
def _losses(form: str, rounds: int, start: str) -> np.ndarray:
    """(seeds,) losses on the held-out pieces that compare the designs."""
    pieces = held_out()[1]
    if form == "pre-ln":
        return flipped_losses(_setup(form, rounds, start), pieces)
    return losses(model_of(_trained(form, rounds, start)), pieces)


@calculation(long=True, readings=("seed",), tolerance=0.2, absolute=0.05)
def loss(form: str, seed: int, rounds: int = ROUNDS, start: str = "copies") -> float:
    """The loss of a fresh seed in nats per symbol, for the wiring "hyper-connections" or "mhc" with lanes that start as
    "copies" or "apart"; for "pre-ln", with half of the signs of the first stream flipped."""
    return float(_losses(form, rounds, start)[SEEDS.index(seed)])


@calculation(long=True, readings=("what", "statistic"), tolerance=0.3, absolute=0.05)
def value(form: str, what: str, statistic: str = "median", rounds: int = ROUNDS, start: str = "copies") -> float:
    """A number after training: the "median", "lowest" or "highest" of ten seeds.

    `what`, of the last lanes: "alike", the mean cosine of two of them; "fullest", the share of the largest one in their
    squared size. Of the product of all mixes: "stretch", its largest singular value; "sums", its largest row sum of
    absolute numbers. Of a single mix: "uneven", how far a sum of a row or a column is from 1 at most. Means of symbols.
    """
    values = getattr(_trained(form, rounds, start).looks[-1], what)
    by_seed = values if values.ndim == 1 else values[:, -1]
    return STATISTICS[statistic](by_seed.tolist())
