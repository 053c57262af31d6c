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


def parse(call: str, inputs: Mapping[str, Number] | None = None) -> tuple[Calculation, dict[str, Any]]:
    """The calculation and arguments that a text such as `failures.ratio(depth=56, norm="batch")` names.

    In an argument, the name of an input stands for its value. Raises ValueError, saying what is wrong, for anything but
    one call of a calculation with keyword arguments that are literals or inputs.
    """
    node = _call(call)
    module, name = ast.unparse(node.func.value), node.func.attr  # type: ignore[attr-defined]
    unknown = sorted(_names(node) - set(inputs or ()))
    if unknown:
        raise ValueError(f"{call!r}: {unknown[0]!r} is neither a literal nor a declared input")
    insert = _Insert(inputs or {})
    try:
        found = getattr(importlib.import_module(f"sims.{module}"), name, None)
        arguments = {str(each.arg): ast.literal_eval(insert.visit(each.value)) for each in node.keywords}
    except (ImportError, ValueError) as error:
        raise ValueError(f"{call!r}: {error}") from None
    if not isinstance(found, Calculation):
        raise ValueError(f"sims.{module} has no calculation named {name!r}")
    return found, arguments


def input_names(call: str) -> set[str]:
    """The bare names among the arguments of a call. Raises ValueError where it is none."""
    return _names(_call(call))


class _Insert(ast.NodeTransformer):
    """Puts values in the places of names."""

    def __init__(self, values: Mapping[str, Number]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.values[node.id]) if node.id in self.values else node


def _call(text: str) -> ast.Call:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{text!r} is not a call: {error.msg}") from None
    if not isinstance(node, ast.Call) or node.args or not isinstance(node.func, ast.Attribute):
        raise ValueError(f"{text!r} is not of the form module.function(name=value)")
    return node


def _names(node: ast.Call) -> set[str]:
    """Names that are values, not the functions of calls: those are refused as they always were."""
    called = {id(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    return {
        each.id
        for argument in node.keywords
        for each in ast.walk(argument.value)
        if isinstance(each, ast.Name) and id(each) not in called
    }
