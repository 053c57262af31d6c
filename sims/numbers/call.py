"""Parses the calls in a page's `{calc}` role, such as `failures.ratio(depth=56)`, and finds their calculations."""

import ast
import importlib
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from sims import data, instruments, numbers, simulations
from sims.contract.calculation import Calculation, Number
from sims.contract.modules import module_named

PACKAGES = (numbers, simulations, instruments, data)
"""Packages whose modules, also those in subpackages, may contain calculations"""


def parse(call: str, inputs: Mapping[str, Number] | None = None) -> tuple[Calculation, dict[str, Any]]:
    """Return the calculation and arguments that a text such as `failures.ratio(depth=56, norm="batch")` names.

    In an argument, the name of an input is replaced by its value. Raises ValueError, saying what is wrong, for anything
    but one call of a calculation with keyword arguments that are literals or inputs.
    """
    node = _call(call)
    module, name = ast.unparse(node.func.value), node.func.attr  # type: ignore[attr-defined]
    unknown = sorted(_names(node) - set(inputs or ()))
    if unknown:
        raise ValueError(f"{call!r}: {unknown[0]!r} is neither a literal nor a declared input")
    insert = _Insert(inputs or {})
    try:
        calculation = getattr(_module(module), name, None)
        arguments = {str(keyword.arg): ast.literal_eval(insert.visit(keyword.value)) for keyword in node.keywords}
    except (ImportError, ValueError) as error:
        raise ValueError(f"{call!r}: {error}") from None
    if not isinstance(calculation, Calculation):
        raise ValueError(f"{module} has no calculation named {name!r}")
    return calculation, arguments


@cache
def _module(name: str) -> ModuleType:
    """Import the module of that name from any of the packages; a test checks that names are unique among them."""
    for package in PACKAGES:
        full_name = module_named(package, name)
        if full_name:
            return importlib.import_module(full_name)
    raise ValueError(f"No module named {name!r} may hold calculations")


def input_names(call: str) -> set[str]:
    """Return the bare names in the arguments of a call. Raises ValueError if the text is not a call."""
    return _names(_call(call))


class _Insert(ast.NodeTransformer):
    """Replaces names by their values."""

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
    """Return the names that are used as values, without names of called functions: `literal_eval` refuses calls."""
    called = {id(child.func) for child in ast.walk(node) if isinstance(child, ast.Call)}
    return {
        child.id
        for argument in node.keywords
        for child in ast.walk(argument.value)
        if isinstance(child, ast.Name) and id(child) not in called
    }
