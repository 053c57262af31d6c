"""Which code made a result: a short hash over the definition that made it and every definition of `sims` it can reach.

A definition is a function, a class or a constant at the top of a module. What one reaches is read off the names in its
syntax tree, so comments, docstrings and formatting change nothing, and a changed constant changes the versions of what
depends on it and of nothing else. What a simulation says about its numbers (`SPOKEN`) cannot change them either, nor
can the way in which results are kept.
"""

import ast
import hashlib
import importlib.metadata
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
WING = ROOT.name
FILES = ROOT / "data" / "files"
LIBRARIES = ("numpy", "numba", "torch")
"""Their versions belong to the hash: another release may round differently."""

REST = ""
"""Name of what a module does besides defining: it belongs to each of its definitions."""

Place = tuple[str, str]
"""A module's dotted name, and a definition in it"""

SPOKEN = ("describe", "honesty", "onward", "listing", "atlas", "verb", "to_pandas", "_repr_mimebundle_")
"""What a simulation says about its numbers, in which forms it hands them over, and which of them are made ahead"""

DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass
class Module:
    """The top of a module: its definitions, the names it imports, and everything else it does."""

    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    """Name → dotted name of what it stands for"""
    rest: list[ast.stmt] = field(default_factory=list)


def version(module: str, name: str) -> str:
    """Twelve hexadecimal digits that change when the definition, anything it reaches, its data or a library changes.

    Data is a file of `sims/data/files` that one of these definitions names. Raises KeyError where there is no such
    definition.
    """
    if name not in _module(module).definitions:
        raise KeyError(f"{module} defines no {name}")
    return _version(module, name)


@cache
def _version(module: str, name: str) -> str:
    digest = hashlib.sha256()
    data: set[Path] = set()
    for place in sorted(reached(module, name)):
        digest.update(_hash(place))
        data.update(_data(place))
    for path in sorted(data):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    for library in LIBRARIES:
        digest.update(f"{library}={importlib.metadata.version(library)}\0".encode())
    return digest.hexdigest()[:12]


def reached(module: str, name: str) -> set[Place]:
    """The definition itself and all of `sims` that it can reach, however far away."""
    found: set[Place] = set()
    ahead: list[Place] = [(module, name)]
    while ahead:
        place = ahead.pop()
        if place not in found:
            found.add(place)
            ahead.extend(_next(place))
    return found


def forget() -> None:
    """Read the sources anew at the next question."""
    for each in (_module, _next, _hash, _data, _version):
        each.cache_clear()


def _source(module: str) -> Path | None:
    """The file of a module given by its dotted name: one of ours, or one that was loaded from elsewhere; else None."""
    base = ROOT.parent.joinpath(*module.split("."))
    found = next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
    loaded = getattr(sys.modules.get(module), "__file__", None)
    return found or (Path(loaded) if loaded else None)


@cache
def _module(name: str) -> Module:
    path = _source(name)
    if path is None:
        raise KeyError(f"there is no module {name}")
    found = Module()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.imports |= dict(_imported(node))
        elif isinstance(node, DEFINING):
            if isinstance(node, ast.ClassDef):
                node.body = [each for each in node.body if _name(each) not in SPOKEN]
            found.definitions.setdefault(node.name, []).append(node)
            if _registers(node):
                found.rest.append(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and (names := list(_targets(node))):
            for each in names:
                found.definitions.setdefault(each, []).append(node)
        elif not _is_text(node):
            found.rest.append(node)
    found.definitions[REST] = found.rest
    return found


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """What an import binds: the name, and the dotted name that it stands for."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            yield alias.name.partition(".")[0], alias.name.partition(".")[0]


def _name(node: ast.stmt) -> str:
    """What a statement in a class defines; empty where it defines nothing, or several things."""
    if isinstance(node, ast.AnnAssign | ast.Assign):
        names = list(_targets(node))
        return names[0] if len(names) == 1 else ""
    return getattr(node, "name", "")


def _targets(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for each in targets:
        for inner in ast.walk(each):
            if isinstance(inner, ast.Name):
                yield inner.id


def _registers(node: ast.stmt) -> bool:
    """Whether a decorator files the definition somewhere, so that it is used without being named."""
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(each, ast.Call) and _last(each.func) in REGISTERING for each in decorators)


REGISTERING = ("overload", "overload_method", "overload_attribute", "register_model", "lower_builtin", "lower_cast")
"""Numba's decorators that tell the compiler of a definition"""


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@cache
def _next(place: Place) -> frozenset[Place]:
    """What one definition names."""
    name, definition = place
    module = _module(name)
    found: set[Place] = {(name, REST)}
    imports = dict(module.imports)
    for statement in module.definitions[definition]:
        for node in ast.walk(statement):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                imports |= dict(_imported(node))
    for statement in module.definitions[definition]:
        for node in ast.walk(statement):
            dotted = _dotted(node)
            if not dotted:
                continue
            head, _, tail = dotted.partition(".")
            if head in imports:
                found.update(_resolved(f"{imports[head]}.{tail}" if tail else imports[head]))
            elif head in module.definitions:
                found.add((name, head))
    return frozenset(found)


def _dotted(node: ast.AST) -> str:
    """The names that an expression such as `a.b.c` begins with; empty for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def _resolved(dotted: str) -> Iterator[Place]:
    """The definition that a dotted name stands for, through the packages that pass it on; all of a bare module."""
    names = dotted.split(".")
    if names[0] != WING or names[:2] == __name__.split(".")[:2]:
        return
    for count in range(len(names), 0, -1):
        module = ".".join(names[:count])
        if _source(module) is None:
            continue
        top = _module(module)
        if count == len(names):
            yield module, REST
        elif names[count] in top.definitions:
            yield module, names[count]
        elif names[count] in top.imports:
            yield from _resolved(".".join([top.imports[names[count]], *names[count + 1 :]]))
        return


def _plain(node: ast.AST) -> ast.AST:
    """The tree without docstrings, of which the text cannot change a number."""
    for each in ast.walk(node):
        body = getattr(each, "body", None)
        if isinstance(body, list):
            each.body = [inner for inner in body if not _is_text(inner)]  # type: ignore[attr-defined]
    return node


@cache
def _hash(place: Place) -> bytes:
    module, name = place
    texts = [ast.dump(_plain(each)) for each in _module(module).definitions[name]]
    return hashlib.sha256("\0".join([module, name, *texts]).encode()).digest()


@cache
def _data(place: Place) -> tuple[Path, ...]:
    module, name = place
    texts = {
        node.value
        for statement in _module(module).definitions[name]
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return tuple(path for path in FILES.glob("*") if path.name in texts)
