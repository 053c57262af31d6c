"""What the losses of residual designs with fresh seeds say: differences to Pre-LN, noise, and how many beat it."""

from collections.abc import Sequence

import numpy as np

from sims.contract.calculation import calculation
from sims.contract.summary import Kept, summary
from sims.instruments.replication import differences
from sims.numbers.fresh_seeds.fresh_designs import BASELINE, MORE, RATES
from sims.numbers.fresh_seeds.seeds import SEEDS

DESIGNS = (
    "post-ln",
    "peri-ln",
    "layernorm-scaling",
    "keel",
    "siamesenorm",
    "hyper-connections",
    "mhc",
    "mhc-without-sinkhorn",
    "rotating-lanes",
    "circulant-lanes",
    "attention-residuals",
    "value-residual",
    "lambdas",
    "decayed-identity",
    "orthogonal-updates",
    "prores",
    "looped",
)
"""The designs that are compared with the baseline"""

FURTHER = ("rotating-lanes", "circulant-lanes", "prores")
"""Those of `fresh_further`; the others are in `fresh_designs`"""


def _call(name: str, design: str, argument: str) -> str:
    module = "fresh_further" if design in FURTHER else "fresh_designs"
    return f"{module}.{name}(design={design!r}{argument})"


def _loss_call(design: str, seed: int) -> str:
    return _call("loss", design, f", seed={seed}")


def _loss_calls(design: str, base: str = BASELINE, statistic: str = "mean") -> list[str]:  # noqa: ARG001
    return [_loss_call(one, seed) for one in (design, base) for seed in SEEDS]


def _rate_calls(design: str) -> list[str]:
    return [_call("tuning_loss", design, f", rate={rate}") for rate in RATES]


def _probe_calls(design: str, what: str) -> list[str]:
    return [_call("probe", design, f", what={what!r}")]


def _parameter_calls(design: str) -> list[str]:
    return [_call("parameters", design, "")]


def _baseline_calls() -> list[str]:
    return [_loss_call(BASELINE, seed) for seed in (*SEEDS, *MORE)]


def _all_calls() -> list[str]:
    return [*_baseline_calls(), *(_loss_call(design, seed) for design in DESIGNS for seed in SEEDS)]


def _losses(numbers: Kept, design: str, seeds: Sequence[int] = SEEDS) -> np.ndarray:
    return np.array([numbers[_loss_call(design, seed)] for seed in seeds])


def _band(numbers: Kept) -> float:
    return differences.floor(_losses(numbers, BASELINE), _losses(numbers, BASELINE, MORE))


def _difference(numbers: Kept, design: str, base: str = BASELINE) -> differences.Difference:
    return differences.paired(_losses(numbers, design), _losses(numbers, base))


@summary(_loss_calls)
def difference(numbers: Kept, design: str, statistic: str = "mean", base: str = BASELINE) -> float:
    """The loss of a design minus that of another, in nats per symbol: the "mean" over ten fresh seeds, or the "low" or
    "high" end of its 95% interval."""
    return float(getattr(_difference(numbers, design, base), statistic))


def _calls_at(design: str, rate: float, statistic: str = "mean") -> list[str]:  # noqa: ARG001
    losses = [_call("loss_at", design, f", rate={rate}, seed={seed}") for seed in SEEDS]
    return [*losses, *(_loss_call(BASELINE, seed) for seed in SEEDS)]


@summary(_calls_at)
def difference_at(numbers: Kept, design: str, rate: float, statistic: str = "mean") -> float:
    """As `difference` to the baseline, for a design at a rate that need not be its best one."""
    at_rate = np.array([numbers[call] for call in _calls_at(design, rate)[: len(SEEDS)]])
    return float(getattr(differences.paired(at_rate, _losses(numbers, BASELINE)), statistic))


@summary(_rate_calls)
def second_rate(numbers: Kept, design: str) -> float:
    """How much higher the loss for two other seeds is at the second-best rate than at the best, in nats per symbol."""
    first, second = sorted(numbers[call] for call in _rate_calls(design))[:2]
    return second - first


@summary(lambda design: [_loss_call(design, seed) for seed in SEEDS])
def mean_loss(numbers: Kept, design: str) -> float:
    """The loss of a design on held-out text, mean of ten fresh seeds, in nats per symbol."""
    return float(_losses(numbers, design).mean())


@summary(_rate_calls)
def rate(numbers: Kept, design: str) -> float:
    """The learning rate at which two other seeds had the lowest loss."""
    return min(RATES, key=lambda one: numbers[_rate_calls(design)[RATES.index(one)]])


@summary(lambda: [call for design in (BASELINE, *DESIGNS) for call in _rate_calls(design)])
def at_an_edge(numbers: Kept) -> int:
    """For how many designs the best rate is the lowest or the highest that was tried."""
    edges = (RATES[0], RATES[-1])
    return sum(float(rate(numbers, design)) in edges for design in (BASELINE, *DESIGNS))


@summary(_baseline_calls)
def noise(numbers: Kept) -> float:
    """How far the means of ten seeds of the baseline may be apart by chance alone (95%), in nats per symbol."""
    return _band(numbers)


@summary(lambda design: [*_baseline_calls(), *_loss_calls(design)])
def verdict(numbers: Kept, design: str) -> str:
    """ "better", "worse", or "tie" with the baseline."""
    return differences.verdict(_difference(numbers, design), _band(numbers))


@summary(lambda outcome: _all_calls())  # noqa: ARG005
def count(numbers: Kept, outcome: str) -> int:
    """How many designs are "better" than the baseline, "worse", or a "tie" with it."""
    return sum(differences.verdict(_difference(numbers, design), _band(numbers)) == outcome for design in DESIGNS)


@calculation
def designs() -> int:
    """How many designs are compared with the baseline."""
    return len(DESIGNS)


@summary(_probe_calls)
def probe(numbers: Kept, design: str, what: str) -> float:
    """As `fresh_designs.probe`, for all designs."""
    return numbers[_probe_calls(design, what)[0]]


@summary(_parameter_calls)
def parameters(numbers: Kept, design: str) -> int:
    """How many parameters a model has."""
    return int(numbers[_parameter_calls(design)[0]])
