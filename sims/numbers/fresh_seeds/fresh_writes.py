"""Where branches write in small language models in lanes, after a training with ten fresh seeds."""

from functools import cache

import numpy as np

from sims.contract.bands import STATISTICS
from sims.contract.calculation import calculation
from sims.instruments.replication.lane_run import LaneSetup, advance, begin
from sims.instruments.replication.lane_writes import written
from sims.instruments.replication.trained_designs import STEPS
from sims.numbers.fresh_seeds.fresh_lanes import RATE, ROUNDS
from sims.numbers.fresh_seeds.seeds import SEEDS


@cache
def _dye(form: str) -> np.ndarray:
    """(seeds, branches, places, lanes), as `written` has it."""
    return written(advance(begin(LaneSetup(form, ROUNDS, False, RATE, STEPS, SEEDS)), STEPS, STEPS))


@calculation(long=True, readings=("what", "statistic"), tolerance=0.3, absolute=0.05)
def value(form: str, what: str, statistic: str = "median") -> float:
    """A number after training, for lanes that started as copies: the "median", "lowest" or "highest" of ten seeds.

    `what`: "share", of the four amounts that a branch writes to the lanes, the share of the largest one in the sum of
    their absolute values, mean of the branches; "arrives", what the mean of the lanes still has at the top of one unit
    that it got from a branch, mean of the first half of the branches.
    """
    dye = _dye(form)
    branches = np.arange(dye.shape[1])
    at_first, at_top = dye[:, branches, branches + 1], dye[:, :, -1]
    if what == "share":
        sizes = np.abs(at_first)
        by_branch = sizes.max(axis=-1) / sizes.sum(axis=-1)
    else:
        early = slice(0, dye.shape[1] // 2)
        by_branch = at_top[:, early].mean(axis=-1) / at_first[:, early].mean(axis=-1)
    return STATISTICS[statistic](by_branch.mean(axis=1).tolist())
