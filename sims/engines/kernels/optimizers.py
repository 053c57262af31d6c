"""One update of all parameters: gradient descent, momentum and Adam, in torch's form."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed

Array = np.ndarray

SGD, MOMENTUM, ADAM = 0, 1, 2

SMALLEST_GRADIENT = 1e-16
"""Gradients and moments below this count as zero: their squares would be subnormal numbers in single precision. Adam
divides by at least ε = 1e-8, so such a gradient would move a parameter by 1e-8 times the learning rate."""


@compiled
def power(base: float, exponent: int) -> float:
    """base^exponent for a whole exponent ≥ 0, by squaring: the C library's last bit depends on its version."""
    result = 1.0
    while exponent > 0:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return result


@enclosed
def clip_and_update(
    optimizer: int,
    rate: float,
    clip: float,
    step: int,
    length: float,
    gradient: Array,
    parameters: Array,
    first: Array,
    second: Array,
) -> None:
    """Scale a gradient (P,) of norm `length` to at most the norm `clip`, in place, and take step number `step`."""
    # The 1e-6 is that of torch's `clip_grad_norm_`.
    scale = clip / (length + 1e-6)
    if scale < 1:
        for i in range(gradient.size):
            gradient[i] *= parameters.dtype.type(scale)
    update(optimizer, rate, step, gradient, parameters, first, second)


@enclosed
def update(
    optimizer: int, rate: float, step: int, gradient: Array, parameters: Array, first: Array, second: Array
) -> None:
    """Take step number `step` (the first is 1) at learning rate `rate`, in place on the parameters and moments (P,).

    Momentum 0.9 without dampening; Adam (Kingma & Ba 1412.6980, algorithm 1) with β = (0.9, 0.999), ε = 1e-8.
    """
    dtype = parameters.dtype.type
    zero, smallest = dtype(0), dtype(SMALLEST_GRADIENT)
    if optimizer == SGD:
        for i in range(parameters.size):
            parameters[i] -= dtype(rate) * gradient[i]
    elif optimizer == MOMENTUM:
        for i in range(parameters.size):
            moment = dtype(0.9) * first[i] + gradient[i]
            first[i] = zero if abs(moment) < smallest else moment
            parameters[i] -= dtype(rate) * first[i]
    else:
        # Both bias corrections are the same for all parameters, so they are computed once.
        pace = dtype(rate / (1 - power(0.9, step)))
        spread = dtype(1 / np.sqrt(1 - power(0.999, step)))
        least_square = smallest * smallest * dtype(0.001)
        for i in range(parameters.size):
            slope = zero if abs(gradient[i]) < smallest else gradient[i]
            moment = dtype(0.9) * first[i] + dtype(0.1) * slope
            square = dtype(0.999) * second[i] + dtype(0.001) * slope * slope
            first[i] = zero if abs(moment) < smallest else moment
            second[i] = zero if square < least_square else square
            parameters[i] -= pace * first[i] / (np.sqrt(second[i]) * spread + dtype(1e-8))
