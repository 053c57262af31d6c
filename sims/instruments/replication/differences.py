"""Whether a design differs from the baseline by more than chance: paired differences, their interval, a noise floor."""

from typing import NamedTuple

import numpy as np

QUANTILES = {5: 2.571, 9: 2.262, 18: 2.101}
"""Degrees of freedom → the 97.5% quantile of Student's distribution"""


class Difference(NamedTuple):
    """A mean of paired differences, and the ends of its 95% interval."""

    mean: float
    low: float
    high: float


def paired(losses: np.ndarray, baseline: np.ndarray) -> Difference:
    """The mean of `losses` − `baseline`, (seeds,) each, seed by seed, with Student's 95% interval. Raises KeyError for
    numbers of seeds without a quantile in `QUANTILES`."""
    differences = losses - baseline
    mean = float(differences.mean())
    margin = QUANTILES[len(differences) - 1] * float(differences.std(ddof=1)) / len(differences) ** 0.5
    return Difference(mean, mean - margin, mean + margin)


def floor(one: np.ndarray, other: np.ndarray) -> float:
    """How far the mean losses of the same design may be apart when nothing but the seeds differ: half the width of the
    range that holds 95% of such differences, by Student's distribution, for two groups (seeds,) of the baseline that
    share no seed. Raises KeyError for numbers of seeds without a quantile in `QUANTILES`."""
    spread = np.concatenate([one - one.mean(), other - other.mean()])
    freedom = len(one) + len(other) - 2
    variance = float(np.square(spread).sum()) / freedom
    return QUANTILES[freedom] * (variance * (1 / len(one) + 1 / len(other))) ** 0.5


def verdict(difference: Difference, band: float) -> str:
    """ "better" or "worse" if the interval excludes 0 and the mean lies outside ±`band`; else "tie"."""
    if (difference.low > 0 or difference.high < 0) and abs(difference.mean) > band:
        return "better" if difference.mean < 0 else "worse"
    return "tie"
