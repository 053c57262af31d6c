"""Residual designs in a small language model: losses with fresh seeds, at the learning rate that other seeds chose."""

from functools import cache
from typing import NamedTuple

import numpy as np

from sims.contract.calculation import calculation
from sims.instruments.replication.trained_designs import (
    angles,
    cost_of_skipping,
    growth,
    held_out,
    losses,
    trained,
    untrained,
)
from sims.numbers.fresh_seeds.seeds import SEEDS

RATES = (0.002, 0.004, 0.008, 0.016, 0.032)
"""Learning rates, of which every design gets its best"""

TUNING = (0, 1)
"""Seeds that choose the learning rate"""

BASELINE, MORE = "pre-ln", tuple(range(30, 40))
"""The design that all others are compared with, and ten more seeds of it, for what chance alone does"""


class Trained(NamedTuple):
    """What the trainings of a design gave."""

    tuning: np.ndarray
    """(rates,) the loss by which the rate is chosen, mean of the tuning seeds, in nats per symbol"""
    losses: np.ndarray
    """(seeds,) losses of the fresh seeds on other held-out pieces, in nats per symbol"""
    growth: np.ndarray
    """(seeds,) size of the last stream over that of the first"""
    angle: np.ndarray
    """(seeds,) angle between the streams before and after a block, over π, mean of the blocks"""
    skipping: np.ndarray
    """(seeds,) by how much the loss rises without one block, mean of the blocks, in nats per symbol"""


@cache
def _trained(design: str) -> Trained:
    choosing, measuring = held_out()
    pairs = [(seed, rate) for rate in RATES for seed in TUNING]
    model = trained(design, [seed for seed, _rate in pairs], [rate for _seed, rate in pairs])
    tuning = losses(model, choosing).reshape(len(RATES), len(TUNING)).mean(axis=1)
    best = RATES[int(np.argmin(np.where(np.isfinite(tuning), tuning, np.inf)))]
    groups = (SEEDS, MORE) if design == BASELINE else (SEEDS,)
    models = [trained(design, group, [best] * len(group)) for group in groups]
    first = models[0]
    return Trained(
        tuning,
        np.concatenate([losses(model, measuring) for model in models]),
        growth(first, measuring),
        angles(first, measuring).mean(axis=1),
        cost_of_skipping(first, measuring).mean(axis=1),
    )


@calculation(long=True, readings=("rate",), tolerance=0.2, absolute=0.05)
def tuning_loss(design: str, rate: float) -> float:
    """The loss on the pieces that choose the rate, after a training at one of `RATES`, mean of two seeds, in nats per
    symbol."""
    return float(_trained(design).tuning[RATES.index(rate)])


@calculation(long=True, readings=("seed",), tolerance=0.2, absolute=0.05)
def loss(design: str, seed: int) -> float:
    """The loss of a design on held-out pieces that chose nothing, in nats per symbol, at its rate, for a fresh seed."""
    return float(_trained(design).losses[(*SEEDS, *MORE).index(seed)])


@cache
def _losses_at(design: str, rate: float) -> list[float]:
    return losses(trained(design, SEEDS, [rate] * len(SEEDS)), held_out()[1]).tolist()


@calculation(long=True, readings=("seed",), tolerance=0.2, absolute=0.05)
def loss_at(design: str, rate: float, seed: int) -> float:
    """As `loss`, at a rate that need not be the best one."""
    return float(_losses_at(design, rate)[SEEDS.index(seed)])


@calculation(long=True, readings=("what",), tolerance=0.3, absolute=0.05)
def probe(design: str, what: str) -> float:
    """Of trained models, the mean of ten seeds: "growth", the size of the last stream over that of the first; "angle"
    between the streams before and after a block, over π; or "skipping", by how much the loss rises without one block,
    in nats per symbol."""
    return float(getattr(_trained(design), what).mean())


@calculation(long=True)
def parameters(design: str) -> int:
    """How many parameters a model has."""
    return sum(weight[0].numel() for weight in untrained(design, SEEDS[:1]).weights.values())
