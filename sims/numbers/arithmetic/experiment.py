"""Simple arithmetic of experiments: several seeds in one number, and the cost of a network."""

import statistics
from typing import Any

from sims.contract.calculation import calculation
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.layout import make_layout


@calculation
def median(values: list[float]) -> float:
    """The median of the values."""
    return statistics.median(values)


@calculation
def mean(values: list[float]) -> float:
    """The mean of the values."""
    return statistics.mean(values)


@calculation
def failures(values: list[float], above: float) -> float:
    """The share of the values above a limit, 0 to 1."""
    return sum(value > above for value in values) / len(values)


def _layout(depth: int, **choices: Any) -> Any:
    return make_layout(Architecture(depth=depth, **choices), 2, 2)


@calculation
def parameters(depth: int, **choices: Any) -> int:
    """The number of parameters of a network of the explorer, with two inputs, two classes and, by default, width 32."""
    return int(_layout(depth, **choices).size)


@calculation
def multiplications(depth: int, **choices: Any) -> int:
    """The number of multiply-adds of such a network's linear layers for one point, in the forward pass."""
    return sum(layer.rows * layer.columns for layer in _layout(depth, **choices).layers)


@calculation
def cost_ratio(depth: int, other: int) -> float:
    """The multiply-adds per point at one depth over those at another."""
    return float(multiplications(depth)) / float(multiplications(other))
