"""The worked examples of the page on scaling: growth, factors, and ReZero with two parameters."""

import math

import numpy as np

from sims.comparisons.scalings import fixup_factor
from sims.contract.calculation import Number, calculation
from sims.engines.deep_norm import skip_factor


@calculation
def growth(alpha: float, blocks: float, start: str) -> Number:
    """The stream's size in rms after branches without a norm: (1 + α²c)^(L/2). `start`: "default" weights, c = 1/18, or
    "full", c = 1."""
    return float((1 + alpha**2 * {"default": 1 / 18, "full": 1.0}[start]) ** (blocks / 2))


@calculation
def bursting(blocks: float) -> Number:
    """The factor on full-size branches without a norm with which the stream just reaches the largest number of single
    precision."""
    return math.sqrt(math.exp(2 * math.log(np.finfo(np.float32).max) / blocks) - 1)


@calculation
def linear_growth(blocks: float, variance: float = 1.0) -> Number:
    """The stream's size in rms with a norm before every branch: √(1 + vL)."""
    return math.sqrt(1 + variance * blocks)


@calculation
def rooted(blocks: float) -> Number:
    """The mean square with a factor of 1/√L, if branches are as strong as their input: (1 + 1/L)^L."""
    return float((1 + 1 / blocks) ** blocks)


@calculation
def fixup(branches: float, layers: float) -> Number:
    """Fixup's factor on the layers of a branch other than the last."""
    return fixup_factor(int(branches), int(layers))


@calculation
def turned(layers: float) -> Number:
    """Degrees by which one branch of unit variance turns the stream, from which it is independent, in DeepNorm of N
    layers."""
    return math.degrees(math.atan(1 / skip_factor(2 * int(layers))))


@calculation
def rezero(what: str, step: float, target: float = 2.0, weight: float = 0.8, rate: float = 0.5) -> Number:
    """ReZero with two parameters, y = x + αwx at x = 1, loss ½(y − t)², gradient descent: "alpha", "weight", "loss",
    "alpha_gradient" or "weight_gradient" after that many steps."""
    alpha, values = 0.0, {}
    for _ in range(int(step) + 1):
        error = 1 + alpha * weight - target
        values = {
            "alpha": alpha,
            "weight": weight,
            "loss": error**2 / 2,
            "alpha_gradient": error * weight,
            "weight_gradient": error * alpha,
        }
        alpha, weight = alpha - rate * error * weight, weight - rate * error * alpha
    return float(values[what])
