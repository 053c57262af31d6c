"""Definitions of `sims` as a text that runs on its own: with the imports and definitions of ours that they need."""

import ast
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from sims.builder.excerpt import ROOT, import_lines


class _Module:
    """The source of a module of `sims`: its definitions, and where the other names in it come from."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = file_of(name).read_text(encoding="utf-8")
        self.definitions: dict[str, tuple[str, list[str]]] = {}
        self.libraries: dict[str, str] = {}
        self.ours: dict[str, tuple[str, str]] = {}
        lines = self.text.splitlines()
        for node in ast.parse(self.text).body:
            used = list(dict.fromkeys(child.id for child in ast.walk(node) if isinstance(child, ast.Name)))
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                self.definitions[node.name] = "\n".join(lines[first - 1 : node.end_lineno]), used
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    names = [child.id for child in ast.walk(target) if isinstance(child, ast.Name)]
                    self.definitions |= {bound: (str(ast.get_source_segment(self.text, node)), used) for bound in names}
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("sims."):
                self.ours |= {alias.asname or alias.name: (str(node.module), alias.name) for alias in node.names}
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                origin = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
                self.libraries |= {
                    alias.asname or alias.name: f"{origin}import {ast.unparse(alias)}" for alias in node.names
                }


_module = cache(_Module)


def file_of(module: str) -> Path:
    """The file of a module of `sims`. Raises ValueError if there is none."""
    path = ROOT.parent.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if module.startswith("sims.") and file.is_file():
            return file
    raise ValueError(f"there is no {module}")


def standalone(paths: Sequence[str]) -> str:
    """A text that defines classes, functions and constants of `sims`, given by their dotted paths, and runs on its own.

    What a module of `sims` defines is copied; what it imports from a library is imported. The path of a module gives
    its whole text. Raises ValueError for what cannot be copied alone: a module that imports another of ours, two
    definitions of one name, an unknown path.
    """
    first, *others = paths
    if not others and _is_module(first):
        if _module(first).ours:
            raise ValueError(f"{first} imports {', '.join(_module(first).ours)} from sims, so it does not run alone")
        return _module(first).text.strip()
    libraries, started = set[str](), set[str]()
    origins, parts = dict[str, str](), dict[str, str]()

    def add(module_name: str, name: str) -> None:
        module = _module(module_name) if _is_module(module_name) else None
        if module is None or name not in module.definitions:
            raise ValueError(f"there is no {module_name}.{name} to copy")
        if origins.setdefault(name, module_name) != module_name:
            raise ValueError(f"{origins[name]} and {module_name} both define {name}")
        if name in started:
            return
        started.add(name)
        text, used = module.definitions[name]
        for other in used:
            if other in module.libraries:
                libraries.add(module.libraries[other])
            elif other in module.definitions:
                add(module_name, other)
            elif other in module.ours:
                origin, original = module.ours[other]
                add(origin, original if original == other else f"{original} as {other}")
        parts[name] = text  # after all that it needs

    for path in paths:
        module_name, _, name = path.rpartition(".")
        add(module_name, name)
    texts = list(dict.fromkeys(parts.values()))
    return "\n\n\n".join([import_lines(libraries), *texts] if libraries else texts)


def _is_module(path: str) -> bool:
    try:
        return file_of(path).is_file()
    except ValueError:
        return False
