"""Taking definitions out of our own source, so that what a page prints is what the tests run."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sims.builder.specialized import specialized

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class _Module:
    """What stands at the top of a module of `sims`: its definitions in their order, and the names it imports."""

    definitions: Mapping[str, tuple[str, ast.stmt]]
    """Name of a class, function or constant → its source, as text and as a tree"""
    imports: Mapping[str, str]
    """Name → the line that imports it alone"""
    origins: Mapping[str, str]
    """Name → the module of `sims` that it comes from, in the order of the imports"""


@cache
def _module(name: str) -> _Module:
    text = (ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
    lines = text.splitlines()
    definitions: dict[str, tuple[str, ast.stmt]] = {}
    imports: dict[str, str] = {}
    origins: dict[str, str] = {}
    for node in ast.parse(text).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            definitions[node.name] = "\n".join(lines[first - 1 : node.end_lineno]), node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            definitions[node.targets[0].id] = str(ast.get_source_segment(text, node)), node
        elif isinstance(node, ast.Import):
            imports |= {each.asname or each.name: f"import {_spelled(each)}" for each in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sims."):
            origins |= {each.name: str(node.module).removeprefix("sims.") for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            imports |= {each.name: f"from {node.module} import {each.name}" for each in node.names}
    return _Module(definitions, imports, origins)


def _spelled(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def excerpt(
    module: str,
    names: Iterable[str],
    known: Mapping[str, object] | None = None,
    given: Mapping[str, str] | None = None,
) -> tuple[set[str], list[str]]:
    """The imports and, in their order, the definitions that `names` of a module need, themselves included.

    Definitions that a module takes from others of `sims` come along and stand in front of its own. An import is a line
    for one name. Functions are specialized for the objects in `known` (`sims.builder.specialized`); where that changes
    nothing, a definition stands as in its source, comments and all. `given` are taken in place of definitions.
    Raises KeyError where the module defines no such name.
    """
    known, given = known or {}, given or {}
    ahead = [(module, name) for name in names]
    texts: dict[tuple[str, str], str] = {}
    imports: set[str] = set()
    while ahead:
        place = ahead.pop()
        if place in texts:
            continue
        here, name = _module(place[0]), place[1]
        text, node = here.definitions[name]
        if name in given:
            text, node = given[name], ast.parse(given[name]).body[0]
        elif known and isinstance(node, ast.FunctionDef):
            filled = specialized(node, known)
            if ast.dump(filled) != ast.dump(node):
                text, node = ast.unparse(filled), filled
        texts[place] = text
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        imports |= {line for each, line in here.imports.items() if each in used}
        ahead += [(place[0], each) for each in used & here.definitions.keys()]
        ahead += [(origin, each) for each, origin in here.origins.items() if each in used]
    order = [(each, name) for each in _below(module, {each for each, _ in texts}) for name in _module(each).definitions]
    return imports, [texts[place] for place in order if place in texts]


def _below(module: str, used: set[str]) -> list[str]:
    """Those of the `used` modules from which a module takes definitions, however far away, before itself."""
    found: dict[str, None] = {}
    for each in _module(module).origins.values():
        if each in used:
            found |= dict.fromkeys(_below(each, used))
    return [*found, module]


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
