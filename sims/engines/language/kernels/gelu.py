"""GELU in its tanh form, x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))) (Hendrycks & Gimpel 1606.08415, section 2)."""

import numpy as np

from sims.engines.kernels.compiled import compiled
from sims.engines.kernels.vectors import (
    LANES,
    add,
    divide,
    larger,
    load,
    multiply,
    multiply_add,
    spread,
    store,
    subtract,
)
from sims.engines.kernels.views import flat

Array = np.ndarray

INNER, CUBIC = float(np.sqrt(2 / np.pi)), 0.044715

BOUND = 7.90531110763549805
"""Above it, tanh is 1 in single precision"""

ABOVE = (
    -2.76076847742355e-16,
    2.00018790482477e-13,
    -8.60467152213735e-11,
    5.12229709037114e-08,
    1.48572235717979e-05,
    6.37261928875436e-04,
    4.89352455891786e-03,
)
BELOW = (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
"""tanh x ≈ x · p(x²)/q(x²), highest power first, to a few units in the last place of single precision: the
coefficients of Eigen's `ptanh`"""


@compiled
def gelu(values: Array, out: Array, slopes: Array) -> None:
    """out = GELU(values), slopes = its derivative; all of one shape, such as (4 width, T B), their size a multiple of
    `LANES`.

    The derivative is computed here, because the backward pass would have to compute tanh again.
    """
    kind = values.dtype.type
    numbers, results, derivatives = flat(values), flat(out), flat(slopes)
    one, half, inner, cubic = spread(kind(1)), spread(kind(0.5)), spread(kind(INNER)), spread(kind(CUBIC))
    three, high, low = spread(kind(3 * CUBIC)), spread(kind(BOUND)), spread(kind(-BOUND))
    zero = spread(kind(0))
    for i in range(0, results.size, LANES):
        x = load(numbers, i)
        square = multiply(x, x)
        argument = multiply(multiply(inner, x), multiply_add(cubic, square, one))
        # min(max(argument, −BOUND), BOUND): the only comparison of vectors is `larger`.
        bounded = subtract(zero, larger(subtract(zero, larger(argument, low)), subtract(zero, high)))
        power = multiply(bounded, bounded)
        above, below = spread(kind(ABOVE[0])), spread(kind(BELOW[0]))
        above = multiply_add(above, power, spread(kind(ABOVE[1])))
        above = multiply_add(above, power, spread(kind(ABOVE[2])))
        above = multiply_add(above, power, spread(kind(ABOVE[3])))
        above = multiply_add(above, power, spread(kind(ABOVE[4])))
        above = multiply_add(above, power, spread(kind(ABOVE[5])))
        above = multiply_add(above, power, spread(kind(ABOVE[6])))
        below = multiply_add(below, power, spread(kind(BELOW[1])))
        below = multiply_add(below, power, spread(kind(BELOW[2])))
        below = multiply_add(below, power, spread(kind(BELOW[3])))
        tanh = divide(multiply(bounded, above), below)
        gate = multiply(half, add(one, tanh))
        store(results, i, multiply(x, gate))
        bend = multiply(multiply(half, x), subtract(one, multiply(tanh, tanh)))
        store(derivatives, i, multiply_add(multiply(bend, inner), multiply_add(three, square, one), gate))


@compiled
def gelu_back(slopes: Array, change: Array) -> None:
    """Replace `change` (4 width, T B), the gradient with respect to the GELU's output, by that with respect to its
    input; `slopes` of the same shape are those of `gelu`."""
    numbers, results = flat(slopes), flat(change)
    for i in range(results.size):
        results[i] *= numbers[i]
