"""One update of all parameters: gradient descent, momentum and Adam, in torch's form."""

import numpy as np

from sims.engines.kernels.compiled import enclosed

Array = np.ndarray

SGD, MOMENTUM, ADAM = 0, 1, 2


@enclosed
def update(
    optimizer: int, rate: float, step: int, gradient: Array, parameters: Array, first: Array, second: Array
) -> None:
    """Take step number `step` (the first is 1) at learning rate `rate`, in place on the parameters and moments (P,).

    Momentum 0.9 without dampening; Adam (Kingma & Ba 1412.6980, algorithm 1) with β = (0.9, 0.999), ε = 1e-8.
    """
    dtype = parameters.dtype.type
    if optimizer == SGD:
        for i in range(parameters.size):
            parameters[i] -= dtype(rate) * gradient[i]
    elif optimizer == MOMENTUM:
        for i in range(parameters.size):
            first[i] = dtype(0.9) * first[i] + gradient[i]
            parameters[i] -= dtype(rate) * first[i]
    else:
        # Both bias corrections are the same for all parameters, so they are computed once.
        pace = dtype(rate / (1 - 0.9**step))
        spread = dtype(1 / np.sqrt(1 - 0.999**step))
        for i in range(parameters.size):
            first[i] = dtype(0.9) * first[i] + dtype(0.1) * gradient[i]
            second[i] = dtype(0.999) * second[i] + dtype(0.001) * gradient[i] * gradient[i]
            parameters[i] -= pace * first[i] / (np.sqrt(second[i]) * spread + dtype(1e-8))
