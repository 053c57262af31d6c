"""The largest eigenvalue of the Hessian before the first step, for the networks whose loss surface chapter 3 slices."""

import numpy as np

from sims.comparisons.twin_networks import exact, twins
from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.engines.perceptrons import Recipe
from sims.instruments.surfaces.curvature import extreme_curvatures


@calculation(long=True, readings=("statistic",))
def at_start(depth: int, skip: bool, statistic: str = "median") -> Number:
    """The largest eigenvalue, in nats per squared unit, with BatchNorm on the digits: a statistic of 3 seeds, "median",
    "lowest" or "highest"."""
    curvatures = []
    for seed in range(3):
        run = twins(depth, "batch", "digits", seed, Recipe())["residual" if skip else "plain"]
        curvatures.append(extreme_curvatures(exact(run, "batch"), run.parameters[0].astype(np.float64), seed)[1])
    return STATISTICS[statistic](curvatures)


@calculation(long=True)
def growth(shallow: int, deep: int) -> Number:
    """The factor per layer by which the median largest eigenvalue of plain networks grows between two depths."""
    before, after = (float(at_start(depth=depth, skip=False)) for depth in (shallow, deep))
    return float((after / before) ** (1 / (deep - shallow)))
