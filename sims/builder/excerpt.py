"""Extracts definitions from our own source, so that the code that a page prints is the code that the tests run."""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def _module(name: str) -> tuple[Mapping[str, tuple[str, set[str]]], Mapping[str, str]]:
    """Return a module's definitions, name → its text and the names in it; and its imports, name → the import line."""
    text = (ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
    lines = text.splitlines()
    definitions: dict[str, tuple[str, set[str]]] = {}
    imports: dict[str, str] = {}
    for node in ast.parse(text).body:
        used = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            definitions[node.name] = "\n".join(lines[first - 1 : node.end_lineno]), used
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            definitions[node.targets[0].id] = str(ast.get_source_segment(text, node)), used
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            origin = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
            imports |= {alias.asname or alias.name: f"{origin}import {ast.unparse(alias)}" for alias in node.names}
    return definitions, {name: line for name, line in imports.items() if not line.startswith("from sims.")}


def excerpt(module: str, names: Iterable[str], without: Iterable[str] = ()) -> tuple[set[str], list[str]]:
    """Return the imports and definitions that `names` of a module need, including themselves, in the source's order.

    Definitions are copied with their comments; an import is a line for one name. What comes from other modules of
    `sims`, or is named in `without`, is left to the caller. Raises KeyError for an unknown name.
    """
    definitions, imports = _module(module)
    ahead, needed = set(names), set[str]()
    while ahead:
        name = ahead.pop()
        needed.add(name)
        ahead |= (definitions[name][1] & definitions.keys()) - needed - set(without)
    used = {reference for name in needed for reference in definitions[name][1]}
    return (
        {line for name, line in imports.items() if name in used},
        [text for name, (text, _used) in definitions.items() if name in needed],
    )


def import_lines(single: Iterable[str]) -> str:
    """Merge imports of one name each by module, and sort them in the usual order."""
    plain = sorted(line for line in single if line.startswith("import "))
    by_module: dict[str, list[str]] = {}
    for line in sorted(set(single) - set(plain)):
        module, _, name = line.removeprefix("from ").partition(" import ")
        by_module.setdefault(module, []).append(name)
    return "\n".join(
        [*plain, *(f"from {module} import {', '.join(names)}" for module, names in sorted(by_module.items()))]
    )
