"""Finds simulations by name: the module `paths`, in any subfolder of `sims/simulations`, holds the class `Paths`."""

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path

from sims import simulations as room
from sims.contract.modules import modules
from sims.contract.simulation import Simulation


def class_name(name: str) -> str:
    """Return the class name for a simulation's name: `path_lengths` → `PathLengths`."""
    return "".join(word.capitalize() for word in name.split("_"))


def names() -> list[str]:
    """Return the names of all simulations in alphabetical order, without importing them."""
    return sorted(path.stem for path in modules(room) if _holds(path))


@cache
def title(name: str) -> str:
    """Return the title of a simulation, read from its file without running it; for a broken file, what is wrong."""
    path, _module = _locate(name)
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        return f"cannot be read: {error.msg}, line {error.lineno}"
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_name(name))
    return inspect.cleandoc(ast.get_docstring(next(classes)) or "").partition("\n")[0].strip()


@cache
def find(name: str) -> type[Simulation]:
    """Return the simulation of that name, without importing any other.

    Raises KeyError if there is none, and whatever its module raises if that is broken.
    """
    _path, module = _locate(name)
    simulation: type[Simulation] = getattr(importlib.import_module(module), class_name(name))
    return simulation


@cache
def simulations() -> dict[str, type[Simulation]]:
    """Return name → class for all simulations; imports them all."""
    return {name: find(name) for name in names()}


def _locate(name: str) -> tuple[Path, str]:
    """Return the file and the module of a simulation."""
    for path, module in modules(room).items():
        if path.stem == name and _holds(path):
            return path, module
    raise KeyError(f"there is no simulation named {name!r}; there are {', '.join(names())}")


def _holds(path: Path) -> bool:
    return f"class {class_name(path.stem)}(" in path.read_text(encoding="utf-8")
