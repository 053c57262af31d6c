"""How the residual designs of `compared_designs` use their depth, after a training with ten fresh seeds."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.instruments.replication import further_designs, trained_designs
from sims.instruments.replication.depth_probes import costs_of_swapping, early_losses, effects_on_later_blocks, pairs_of
from sims.numbers.fresh_seeds.seeds import SEEDS
from sims.pytorch.models.further_wirings import FURTHER_WIRINGS

RATES: Mapping[str, float] = {
    "pre-ln": 0.008,
    "post-ln": 0.002,
    "peri-ln": 0.016,
    "layernorm-scaling": 0.008,
    "keel": 0.004,
    "siamesenorm": 0.004,
    "hyper-connections": 0.008,
    "mhc": 0.008,
    "mhc-without-sinkhorn": 0.008,
    "rotating-lanes": 0.004,
    "circulant-lanes": 0.008,
    "attention-residuals": 0.004,
    "value-residual": 0.008,
    "lambdas": 0.008,
    "decayed-identity": 0.004,
    "orthogonal-updates": 0.008,
    "prores": 0.008,
    "looped": 0.008,
}
"""Design → the learning rate that two other seeds chose, as `compared_designs.rate` has it"""


class Probed(NamedTuple):
    """The probes of trained models, for each seed."""

    later: np.ndarray
    """(seeds,) how differently later blocks change the stream without an earlier one, mean of all pairs"""
    swapping: np.ndarray
    """(seeds,) by how much the loss rises if two blocks trade places, mean of all pairs, in nats per symbol"""
    neighbors: np.ndarray
    """(seeds,) the same, mean of the pairs of neighbors"""
    early: np.ndarray
    """(seeds, blocks + 1) the loss if the head reads the stream after so many blocks, in nats per symbol"""


@cache
def _probed(design: str) -> Probed:
    runs = further_designs if design in FURTHER_WIRINGS else trained_designs
    model = runs.trained(design, SEEDS, [RATES[design]] * len(SEEDS))
    _choosing, measuring = trained_designs.held_out()
    costs = costs_of_swapping(model, measuring)
    is_neighbor = [other == one + 1 for one, other in pairs_of(model)]
    return Probed(
        np.nanmean(effects_on_later_blocks(model, measuring), axis=(1, 2)),
        costs.mean(axis=1),
        costs[:, is_neighbor].mean(axis=1),
        early_losses(model, measuring),
    )


@calculation(long=True, readings=("what", "statistic"), tolerance=0.3, absolute=0.05)
def value(design: str, what: str, statistic: str = "median") -> float:
    """The "median", "lowest" or "highest" of ten seeds, after training.

    `what`: "later", by how much a later block changes the stream otherwise if an earlier one returns 0, over the length
    of the change, mean of all pairs; "swapping", by how much the loss rises if two blocks trade places, mean of all
    pairs, in nats per symbol; "neighbors", the same, mean of the pairs of neighbors.
    """
    return STATISTICS[statistic](getattr(_probed(design), what).tolist())


@calculation(long=True, readings=("after", "statistic"), tolerance=0.2, absolute=0.05)
def early(design: str, after: int, statistic: str = "median") -> float:
    """The loss if the head reads the stream after some of the blocks, in nats per symbol: the "median", "lowest" or
    "highest" of ten seeds."""
    return STATISTICS[statistic](_probed(design).early[:, after].tolist())
