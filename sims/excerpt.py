"""Taking definitions out of our own source, so that what a page prints is what the tests run."""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent


@cache
def _definitions(module: str) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Name, source and names used, for every class and function at the top of a module of `sims`, in its order."""
    text = (ROOT / f"{module}.py").read_text(encoding="utf-8")
    lines, found = text.splitlines(), []
    for node in ast.parse(text).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            used = frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))
            found.append((node.name, "\n".join(lines[first - 1 : node.end_lineno]), used))
    return tuple(found)


@cache
def _imports(module: str) -> tuple[tuple[str, str], ...]:
    """Every name that a module imports, and the line that imports it alone."""
    found = []
    for node in ast.parse((ROOT / f"{module}.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found += [(each.name, f"import {each.name}") for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(each.name, f"from {node.module} import {each.name}") for each in node.names]
    return tuple(found)


def excerpt(module: str, names: Iterable[str]) -> tuple[set[str], list[str]]:
    """The imports and, in their order, the definitions of a module that `names` need, themselves included.

    An import is a line for one name. Raises KeyError where the module defines no such name.
    """
    definitions = {name: used for name, _, used in _definitions(module)}
    ahead, wanted = list(names), set[str]()
    while ahead:
        name = ahead.pop()
        if name not in wanted:
            wanted.add(name)
            ahead += definitions[name] & definitions.keys()
    used = frozenset[str]().union(*(definitions[name] for name in wanted))
    imports = {line for name, line in _imports(module) if name in used}
    return imports, [source for name, source, _ in _definitions(module) if name in wanted]


def import_lines(single: Iterable[str]) -> str:
    """Imports of one name each, gathered by module and sorted as a reader expects them."""
    plain = sorted(line for line in single if line.startswith("import "))
    by_module: dict[str, list[str]] = {}
    for line in sorted(set(single) - set(plain)):
        module, _, name = line.removeprefix("from ").partition(" import ")
        by_module.setdefault(module, []).append(name)
    return "\n".join(
        [*plain, *(f"from {module} import {', '.join(each)}" for module, each in sorted(by_module.items()))]
    )
