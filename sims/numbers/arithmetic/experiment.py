"""The small arithmetic of an experiment: several seeds in one number, and what a network costs."""

import statistics
from typing import Any

from sims.contract.calculation import calculation
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.layout import make_layout


@calculation
def median(values: list[float]) -> float:
    """The middle one of the values."""
    return statistics.median(values)


@calculation
def mean(values: list[float]) -> float:
    """Their sum over their number."""
    return statistics.mean(values)


@calculation
def failures(values: list[float], above: float) -> float:
    """The share of the values that lie above a limit, 0 to 1."""
    return sum(value > above for value in values) / len(values)


def _layout(depth: int, **choices: Any) -> Any:
    return make_layout(Architecture(depth=depth, **choices), 2, 2)


@calculation
def parameters(depth: int, **choices: Any) -> int:
    """How many numbers a network of the explorer learns, with two inputs, two classes and, if not told, width 32."""
    return int(_layout(depth, **choices).size)


@calculation
def multiplications(depth: int, **choices: Any) -> int:
    """How many multiply-adds such a network's linear layers take for one point, on the way forward."""
    return sum(layer.rows * layer.columns for layer in _layout(depth, **choices).layers)


@calculation
def cost_ratio(depth: int, other: int) -> float:
    """The multiply-adds per point at one depth over those at another."""
    return float(multiplications(depth)) / float(multiplications(other))
