"""Euler's method on dh/dt = −r h from h(0) = 1 to t = 1: a residual network of L blocks whose branches are −r h."""

import math

from sims.contract.calculation import calculation


@calculation
def factor(rate: float, blocks: int) -> float:
    """1 − r/L: the factor of one of L blocks."""
    return 1 - rate / blocks


@calculation
def end(rate: float, blocks: int) -> float:
    """(1 − r/L)^L: what is left after L blocks."""
    return float((1 - rate / blocks) ** blocks)


@calculation
def limit(rate: float) -> float:
    """e^(−r): the equation's solution at t = 1."""
    return math.exp(-rate)


@calculation
def off(rate: float, blocks: int) -> float:
    """The distance between the result of L blocks and the equation's solution at t = 1."""
    return abs(float((1 - rate / blocks) ** blocks) - math.exp(-rate))
