"""Numbers for the prose: named functions that a page's `{calc}` role evaluates when the page is built."""

import ast
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

Number = float | int | str


class Calculation:
    """A function whose value may stand in a sentence. A `long` one runs on a worker and is kept in the cache.

    `readings` names arguments that only choose which number is read off a run.
    """

    def __init__(self, function: Callable[..., Number], long: bool, readings: Sequence[str] = ()) -> None:
        self.function = function
        self.long = long
        self.readings = tuple(readings)
        self.name = f"{function.__module__.removeprefix('sims.')}.{function.__name__}"
        self.__doc__ = function.__doc__

    def __call__(self, *positional: Any, **named: Any) -> Number:
        return self.function(*positional, **named)

    def run(self, arguments: Mapping[str, Any]) -> str:
        """What has to be computed for a call, as a text: calls of one module with the same text share their runs."""
        bound = inspect.signature(self.function).bind(**arguments)
        bound.apply_defaults()
        told = sorted((name, value) for name, value in bound.arguments.items() if name not in self.readings)
        return f"{self.name.rpartition('.')[0]} {told}"


@overload
def calculation(function: Callable[..., Number]) -> Calculation: ...
@overload
def calculation(*, long: bool, readings: Sequence[str] = ()) -> Callable[[Callable[..., Number]], Calculation]: ...
def calculation(
    function: Callable[..., Number] | None = None, *, long: bool = False, readings: Sequence[str] = ()
) -> Any:
    """Let prose refer to this function: `@calculation`, or `@calculation(long=True)` where it takes over 50 ms."""
    if function is not None:
        return Calculation(function, long)
    return lambda each: Calculation(each, long, readings)


def parse(call: str) -> tuple[Calculation, dict[str, Any]]:
    """The calculation and arguments that a text such as `failures.ratio(depth=56, norm="batch")` names.

    Raises ValueError, saying what is wrong, for anything but one call of a calculation with literal keyword arguments.
    """
    try:
        node = ast.parse(call.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{call!r} is not a call: {error.msg}") from None
    if not isinstance(node, ast.Call) or node.args or not isinstance(node.func, ast.Attribute):
        raise ValueError(f"{call!r} is not of the form module.function(name=value)")
    module, name = ast.unparse(node.func.value), node.func.attr
    try:
        found = getattr(importlib.import_module(f"sims.{module}"), name, None)
        arguments = {str(each.arg): ast.literal_eval(each.value) for each in node.keywords}
    except (ImportError, ValueError) as error:
        raise ValueError(f"{call!r}: {error}") from None
    if not isinstance(found, Calculation):
        raise ValueError(f"sims.{module} has no calculation named {name!r}")
    return found, arguments
