"""Convolutional networks with ten fresh seeds: errors, gradients and norms, and errors without some of their blocks."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.instruments.networks.changed_blocks import errors, stages, swapped, swaps, without
from sims.instruments.training.convolution_run import ConvolutionRun, Setup, advance, begin
from sims.numbers.fresh_seeds.seeds import SEEDS

WIDTH, LEARNING_RATE, STEPS = 8, 0.1, 300
"""Channels of the first stage, learning rate and steps, as the figures have them"""


def _setups(network: str, depth: int) -> list[Setup]:
    return [Setup(depth, WIDTH, network == "residual", LEARNING_RATE, seed) for seed in SEEDS]


@cache
def _trained(network: str, depth: int, steps: int = STEPS) -> tuple[ConvolutionRun, ...]:
    """A run for each seed, measured at its end. Longer runs continue those of 300 steps."""
    if steps > STEPS:
        return tuple(advance(run, steps - STEPS, steps) for run in _trained(network, depth))
    return tuple(advance(begin(setup), steps, steps) for setup in _setups(network, depth))


def _errors(network: str, depth: int, which: str = "kept", steps: int = STEPS) -> list[float]:
    return [float(getattr(run.looks[-1], f"{which}_error")) for run in _trained(network, depth, steps)]


@calculation(long=True, readings=("network", "which", "statistic", "steps"), absolute=0.1)
def error(network: str, depth: int, which: str = "kept", statistic: str = "median", steps: int = STEPS) -> float:
    """Training error at the end of a run, 0 to 1, of "plain" or "residual": "median", "lowest" or "highest" of ten
    seeds.

    `which`: with the statistics that BatchNorm has "kept", or with the data's "own".
    """
    return STATISTICS[statistic](_errors(network, depth, which, steps))


@calculation(long=True, absolute=3)
def helped(depth: int) -> int:
    """In how many of ten seeds a plain network gets fewer images wrong with the data's own statistics."""
    pairs = zip(_errors("plain", depth, "own"), _errors("plain", depth), strict=True)
    return sum(own < published for own, published in pairs)


@calculation(long=True, absolute=3)
def improved(depth: int) -> int:
    """In how many of ten seeds a plain network gets fewer images wrong after 600 steps than after 300."""
    pairs = zip(_errors("plain", depth, steps=2 * STEPS), _errors("plain", depth), strict=True)
    return sum(later < earlier for later, earlier in pairs)


def _gradient_ratio(run: ConvolutionRun) -> float:
    """Norm of the first convolution's weight gradient over the last one's."""
    gradients = run.looks[-1].gradients
    # The last entry of the gradients is the head's.
    return float(gradients[0] / gradients[-2])


@calculation(long=True, readings=("network", "statistic"), tolerance=0.3)
def gradient_at_start(network: str, depth: int, statistic: str = "median") -> float:
    """Norm of the first convolution's weight gradient over the last one's before any step; ten seeds."""
    return STATISTICS[statistic]([_gradient_ratio(begin(setup)) for setup in _setups(network, depth)])


@calculation(long=True, readings=("network", "statistic"), tolerance=0.3)
def gradient_at_end(network: str, depth: int, statistic: str = "median") -> float:
    """The same at the end of a run."""
    return STATISTICS[statistic]([_gradient_ratio(run) for run in _trained(network, depth)])


@calculation(long=True, readings=("network", "statistic"), tolerance=0.3)
def gains(network: str, depth: int, statistic: str = "median") -> float:
    """Geometric mean of the norms' gains at the end of a run; ten seeds."""
    return STATISTICS[statistic](
        [float(np.exp(np.log(run.looks[-1].gains).mean())) for run in _trained(network, depth)]
    )


def _movable(depth: int) -> list[int]:
    return [block for stage in stages(depth) for block in stage]


@cache
def _operated(network: str, depth: int, operation: str) -> np.ndarray:
    """Errors (seeds, places) with one block removed ("delete"), or one pair of neighbors swapped ("swap")."""
    orders: Sequence[Sequence[int]] = (
        [without(depth, [block]) for block in _movable(depth)]
        if operation == "delete"
        else [swapped(depth, [pair]) for pair in swaps(depth)]
    )
    return np.stack([errors(run, orders) for run in _trained(network, depth)])


@calculation(long=True, readings=("network", "operation", "block", "statistic"), absolute=0.1)
def operated(network: str, operation: str, block: str = "typical", statistic: str = "median", depth: int = 20) -> float:
    """Share of images misclassified with one block removed ("delete"), or one pair of neighbors swapped ("swap").

    `block`: over the places, the "typical" one (median), the "worst" or the "first"; the statistic is over ten seeds.
    """
    by_place = _operated(network, depth, operation)
    by_seed = {"typical": np.median(by_place, axis=1), "worst": by_place.max(axis=1), "first": by_place[:, 0]}[block]
    return STATISTICS[statistic](by_seed.tolist())


@calculation(long=True, absolute=3)
def first_needed_most(depth: int = 20) -> int:
    """In how many of ten seeds the residual network needs no block more than its first."""
    by_place = _operated("residual", depth, "delete")
    return int((by_place.argmax(axis=1) == 0).sum())


@calculation(long=True, readings=("network", "operation", "count", "statistic"), absolute=0.1)
def several(network: str, operation: str, count: int, statistic: str = "median", depth: int = 20) -> float:
    """Share of images misclassified with `count` blocks removed, or after `count` swaps, at places that each of ten
    seeds draws anew."""
    shares = []
    for seed, run in zip(SEEDS, _trained(network, depth), strict=True):
        random = np.random.default_rng((seed, 2))
        if operation == "delete":
            order = without(depth, random.permutation(_movable(depth))[:count].tolist())
        else:
            pairs = swaps(depth)
            order = swapped(depth, [pairs[place] for place in random.integers(len(pairs), size=count)])
        shares.append(float(errors(run, [order])[0]))
    return STATISTICS[statistic](shares)
