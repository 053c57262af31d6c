"""The designs of `further_wirings`, with the seeds, the rates and the text of `fresh_designs`."""

from functools import cache

import numpy as np

from sims.contract.calculation import calculation
from sims.instruments.replication.further_designs import trained, untrained
from sims.instruments.replication.trained_designs import angles, cost_of_skipping, growth, held_out, losses
from sims.numbers.fresh_seeds.fresh_designs import RATES, TUNING, Trained
from sims.numbers.fresh_seeds.seeds import SEEDS


@cache
def _trained(design: str) -> Trained:
    choosing, measuring = held_out()
    pairs = [(seed, rate) for rate in RATES for seed in TUNING]
    model = trained(design, [seed for seed, _rate in pairs], [rate for _seed, rate in pairs])
    tuning = losses(model, choosing).reshape(len(RATES), len(TUNING)).mean(axis=1)
    best = RATES[int(np.argmin(np.where(np.isfinite(tuning), tuning, np.inf)))]
    model = trained(design, SEEDS, [best] * len(SEEDS))
    return Trained(
        tuning,
        losses(model, measuring),
        growth(model, measuring),
        angles(model, measuring).mean(axis=1),
        cost_of_skipping(model, measuring).mean(axis=1),
    )


@calculation(long=True, readings=("rate",), tolerance=0.2, absolute=0.05)
def tuning_loss(design: str, rate: float) -> float:
    """As `fresh_designs.tuning_loss`, in nats per symbol."""
    return float(_trained(design).tuning[RATES.index(rate)])


@calculation(long=True, readings=("seed",), tolerance=0.2, absolute=0.05)
def loss(design: str, seed: int) -> float:
    """As `fresh_designs.loss`, in nats per symbol."""
    return float(_trained(design).losses[SEEDS.index(seed)])


@cache
def _losses_at(design: str, rate: float) -> list[float]:
    return losses(trained(design, SEEDS, [rate] * len(SEEDS)), held_out()[1]).tolist()


@calculation(long=True, readings=("seed",), tolerance=0.2, absolute=0.05)
def loss_at(design: str, rate: float, seed: int) -> float:
    """As `loss`, at a rate that need not be the best one."""
    return float(_losses_at(design, rate)[SEEDS.index(seed)])


@calculation(long=True, readings=("what",), tolerance=0.3, absolute=0.05)
def probe(design: str, what: str) -> float:
    """As `fresh_designs.probe`."""
    return float(getattr(_trained(design), what).mean())


@calculation(long=True)
def parameters(design: str) -> int:
    """How many parameters a model has."""
    return sum(weight[0].numel() for weight in untrained(design, SEEDS[:1]).weights.values())
