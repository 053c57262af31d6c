"""The smallest residual branch, y = x + w₂w₁x, trained by hand: which of its two weights moves first."""

from typing import NamedTuple

from sims.contract.calculation import Number, calculation


class _Moment(NamedTuple):
    first: float
    second: float
    output: float
    loss: float
    first_gradient: float
    second_gradient: float


def _after(step: int, x: float, first: float, second: float, target: float, rate: float) -> _Moment:
    """Return weights, output, loss and gradients after that many steps of gradient descent on ½(y − target)²."""
    for _ in range(step + 1):
        output = x + second * first * x
        error = output - target
        slopes = error * second * x, error * first * x
        now = _Moment(first, second, output, 0.5 * error**2, *slopes)
        first, second = first - rate * slopes[0], second - rate * slopes[1]
    return now


@calculation
def value(
    name: str,
    step: int,
    x: float = 1.0,
    first: float = 0.8,
    second: float = 0.0,
    target: float = 2.0,
    rate: float = 0.5,
) -> Number:
    """One of first, second, output, loss, first_gradient, second_gradient after that many steps."""
    number: float = getattr(_after(step, x, first, second, target, rate), name)
    return number + 0.0  # turns −0 into 0
