"""Numbers for the prose: named functions that a page's `{calc}` role evaluates when the page is built."""

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

Number = float | int | str

ROUNDING = 1e-6
"""Relative difference that another order of summation can cause if nothing amplifies it"""

NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Calculation:
    """A function whose value may appear in a sentence. A `long` one is computed ahead and kept in the repository.

    `readings` names the arguments that only choose which number is read off a run. Values from two processors count as
    equal if they differ by at most `tolerance` times the larger one, plus `absolute`; in texts, this holds for numbers.
    """

    def __init__(
        self,
        function: Callable[..., Number],
        long: bool,
        readings: Sequence[str] = (),
        tolerance: float = ROUNDING,
        absolute: float = 0.0,
    ) -> None:
        self.function = function
        self.long = long
        self.readings = tuple(readings)
        self.tolerance = tolerance
        self.absolute = absolute
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self.__doc__ = function.__doc__

    @property
    def unsettled(self) -> bool:
        """Whether its value is declared to differ between processors by more than plain rounding."""
        return self.tolerance > ROUNDING or self.absolute > 0

    def __call__(self, *positional: Any, **named: Any) -> Number:
        return self.function(*positional, **named)

    def run(self, arguments: Mapping[str, Any]) -> str:
        """Return a key for the computation behind a call: calls of one module with the same key share their runs."""
        bound = inspect.signature(self.function).bind(**arguments)
        bound.apply_defaults()
        pairs = sorted((name, value) for name, value in bound.arguments.items() if name not in self.readings)
        return f"{self.name.rpartition('.')[0]} {pairs}"

    def agree(self, one: Number, other: Number) -> bool:
        """Whether two values agree within tolerance. In texts, the words must be equal, and the numbers must agree."""
        if isinstance(one, str) or isinstance(other, str):
            words, others = NUMBER.split(str(one)), NUMBER.split(str(other))
            return words == others and all(map(self._near, NUMBER.findall(str(one)), NUMBER.findall(str(other))))
        return self._near(one, other)

    def _near(self, one: float | str, other: float | str) -> bool:
        first, second = float(one), float(other)
        # Infinities differ by NaN, so they are compared directly.
        if not (math.isfinite(first) and math.isfinite(second)):
            return first == second
        return abs(first - second) <= self.absolute + self.tolerance * max(abs(first), abs(second))


@overload
def calculation(function: Callable[..., Number]) -> Calculation: ...
@overload
def calculation(
    *, long: bool, readings: Sequence[str] = (), tolerance: float = ROUNDING, absolute: float = 0.0
) -> Callable[[Callable[..., Number]], Calculation]: ...
def calculation(
    function: Callable[..., Number] | None = None,
    *,
    long: bool = False,
    readings: Sequence[str] = (),
    tolerance: float = ROUNDING,
    absolute: float = 0.0,
) -> Any:
    """Let prose refer to this function: `@calculation`, or `@calculation(long=True)` if it takes over 50 ms."""
    if function is not None:
        return Calculation(function, long)
    return lambda decorated: Calculation(decorated, long, readings, tolerance, absolute)
