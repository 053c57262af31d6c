"""ReLU, tanh and the logistic function over whole arrays, and what their derivatives do to a gradient."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from sims.engines.kernels.compiled import compiled
from sims.engines.kernels.views import flat

Array = np.ndarray

RELU, TANH, IDENTITY = 0, 1, 2


def tanh(x: float) -> float:
    """tanh in the precision of x, without the C library's, whose last bits depend on its version.

    Single precision: the rational approximation that Eigen uses (coefficients of its `generic_fast_tanh_float`; error
    below 4e-7). Double: Lambert's continued fraction for x/32 (NIST's Digital Library of Mathematical Functions,
    4.39.1), then tanh 2y = 2 tanh y / (1 + tanh² y) five times; error below 1e-15. The compiler can vectorize both.
    """
    return float(np.tanh(x))


@overload(tanh)
def _tanh(x: Any) -> Callable[[Any], Any]:
    f = np.float32

    def double(x: Any) -> Any:
        # Outside ±20, tanh is ±1 in double precision.
        y = min(max(x, -20.0), 20.0) / 32
        s = y * y
        t = y / (1 + s / (3 + s / (5 + s / (7 + s / (9 + s / (11 + s / (13 + s / 15)))))))
        t = 2 * t / (1 + t * t)
        t = 2 * t / (1 + t * t)
        t = 2 * t / (1 + t * t)
        t = 2 * t / (1 + t * t)
        return 2 * t / (1 + t * t)

    def single(x: Any) -> Any:
        # Outside these bounds, tanh is ±1 in single precision and the approximation does not hold.
        x = min(max(x, f(-7.90531110763549805)), f(7.90531110763549805))
        s = x * x
        odd = f(-2.76076847742355e-16)
        odd = odd * s + f(2.00018790482477e-13)
        odd = odd * s + f(-8.60467152213735e-11)
        odd = odd * s + f(5.12229709037114e-08)
        odd = odd * s + f(1.48572235717979e-05)
        odd = odd * s + f(6.37261928875436e-04)
        odd = odd * s + f(4.89352455891786e-03)
        even = f(1.19825839466702e-06)
        even = even * s + f(1.18534705686654e-04)
        even = even * s + f(2.26843463243900e-03)
        even = even * s + f(4.89352518554385e-03)
        return x * odd / even

    return single if x == types.float32 else double


@compiled
def activate(activation: int, values: Array, least: float, out: Array) -> None:
    """out = φ(values), where `out` is another array of the same shape, such as (features, B). Results of at most the
    size `least` become 0."""
    numbers, results, zero, bound = flat(values), flat(out), values.dtype.type(0), values.dtype.type(least)
    # What is not a number fails every comparison, and so stays what it is.
    if activation == RELU:
        for i in range(results.size):
            results[i] = zero if numbers[i] <= bound else numbers[i]
    elif activation == TANH:
        for i in range(results.size):
            number = tanh(numbers[i])
            results[i] = zero if abs(number) <= bound else number
    else:
        for i in range(results.size):
            results[i] = zero if abs(numbers[i]) <= bound else numbers[i]


@compiled
def activate_back(activation: int, values: Array, least: float, gradient: Array) -> None:
    """Multiply `gradient` (features, B) by the derivative, computed from the outputs `values` of `activate`, of the
    same shape. Results of at most the size `least` become 0.

    The derivative of ReLU at 0 is 0, as in torch.
    """
    numbers, changes = flat(values), flat(gradient)
    zero, one, bound = values.dtype.type(0), values.dtype.type(1), values.dtype.type(least)
    if activation == RELU:
        for i in range(changes.size):
            changes[i] = zero if numbers[i] <= zero or abs(changes[i]) <= bound else changes[i]
    elif activation == TANH:
        for i in range(changes.size):
            change = changes[i] * (one - numbers[i] * numbers[i])
            changes[i] = zero if abs(change) <= bound else change
    else:
        for i in range(changes.size):
            changes[i] = zero if abs(changes[i]) <= bound else changes[i]


@compiled
def logistic(values: Array) -> None:
    """1/(1 + exp(-x)) of every number of an array of any shape, in place, written with tanh."""
    numbers, half = flat(values), values.dtype.type(0.5)
    for i in range(numbers.size):
        numbers[i] = half + half * tanh(half * numbers[i])
