"""Numbers for the prose: named functions that a page's `{calc}` role evaluates when the page is built."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

Number = float | int | str


class Calculation:
    """A function whose value may stand in a sentence. A `long` one is computed ahead and kept with the words.

    `readings` names arguments that only choose which number is read off a run. `tolerance` says how far the rounding of
    another processor may move the value: for whole numbers in units, for others relative to the larger of the two.
    """

    def __init__(
        self, function: Callable[..., Number], long: bool, readings: Sequence[str] = (), tolerance: float = 0.0
    ) -> None:
        self.function = function
        self.long = long
        self.readings = tuple(readings)
        self.tolerance = tolerance
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self.__doc__ = function.__doc__

    def __call__(self, *positional: Any, **named: Any) -> Number:
        return self.function(*positional, **named)

    def run(self, arguments: Mapping[str, Any]) -> str:
        """What has to be computed for a call, as a text: calls of one module with the same text share their runs."""
        bound = inspect.signature(self.function).bind(**arguments)
        bound.apply_defaults()
        pairs = sorted((name, value) for name, value in bound.arguments.items() if name not in self.readings)
        return f"{self.name.rpartition('.')[0]} {pairs}"

    def agree(self, one: Number, other: Number) -> bool:
        """Whether two values are the same number, as far as the tolerance goes."""
        if isinstance(one, str) or isinstance(other, str):
            return one == other
        scale = 1 if isinstance(one, int) and isinstance(other, int) else max(abs(one), abs(other))
        return one == other or abs(one - other) <= self.tolerance * scale


@overload
def calculation(function: Callable[..., Number]) -> Calculation: ...
@overload
def calculation(
    *, long: bool, readings: Sequence[str] = (), tolerance: float = 0.0
) -> Callable[[Callable[..., Number]], Calculation]: ...
def calculation(
    function: Callable[..., Number] | None = None,
    *,
    long: bool = False,
    readings: Sequence[str] = (),
    tolerance: float = 0.0,
) -> Any:
    """Let prose refer to this function: `@calculation`, or `@calculation(long=True)` where it takes over 50 ms."""
    if function is not None:
        return Calculation(function, long)
    return lambda each: Calculation(each, long, readings, tolerance)
