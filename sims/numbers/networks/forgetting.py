"""How much is left of a feature that a trained block should forget, and how much the rest was harmed."""

from functools import cache

from sims.contract.bands import STATISTICS
from sims.contract.calculation import Number, calculation
from sims.instruments.training.trained_to_forget import Forgotten, forget
from sims.numbers.fresh_seeds.seeds import SEEDS


@cache
def _outcomes(block: str) -> tuple[Forgotten, ...]:
    return tuple(forget(block, seed) for seed in SEEDS)


@calculation(long=True, readings=("what", "statistic"), tolerance=0.3, absolute=1e-3)
def share(block: str, what: str = "left", statistic: str = "highest") -> Number:
    """`what`: "left" of the feature, or "harm" to the rest, as a share of each; ten seeds. `block`: "delta", "raw" or
    "normed", as defined in `sims.instruments.training.trained_to_forget`."""
    return STATISTICS[statistic]([float(getattr(outcome, what)) for outcome in _outcomes(block)])


@calculation(long=True)
def parameters(block: str) -> Number:
    """The number of parameters of such a block."""
    return _outcomes(block)[0].parameters
