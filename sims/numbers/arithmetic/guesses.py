"""What a loss in nats says in other words."""

import math

from sims.contract.calculation import Number, calculation


@calculation
def choices(loss: float) -> Number:
    """Among how many equally likely symbols a guess would lose as much: e to the loss."""
    return math.exp(loss)


@calculation
def bits(loss: float) -> Number:
    """The same loss in bits."""
    return loss / math.log(2)


@calculation
def entropy(common: float) -> Number:
    """The loss in nats of the best guess for a letter that is one thing with the chance `common`, and another else."""
    rest = 1 - common
    return -sum(share * math.log(share) for share in (common, rest) if share > 0)
