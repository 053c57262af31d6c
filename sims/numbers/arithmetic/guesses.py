"""Converts a loss in nats to other quantities."""

import math

from sims.contract.calculation import Number, calculation


@calculation
def choices(loss: float) -> Number:
    """The number of equally likely symbols among which a guess has that loss: e to the loss."""
    return math.exp(loss)


@calculation
def bits(loss: float) -> Number:
    """The same loss in bits."""
    return loss / math.log(2)


@calculation
def entropy(common: float) -> Number:
    """The loss in nats of the best guess for a letter with two possible values, one with probability `common`."""
    rest = 1 - common
    return -sum(share * math.log(share) for share in (common, rest) if share > 0)
