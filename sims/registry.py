"""Every simulation there is, found by name: the module `paths`, in whichever folder of `sims/simulations` it stands,
holds the class `Paths`."""

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path

from sims import simulations as room
from sims.contract.simulation import Simulation
from sims.modules import modules


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def names() -> list[str]:
    """The names of all simulations, in alphabetical order; none of them is imported."""
    return sorted(path.stem for path in modules(room) if _holds(path))


def title(name: str) -> str:
    """The title of a simulation, read from its file without running it: a broken file says what is wrong with it."""
    path, _module = _locate(name)
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        return f"cannot be read: {error.msg}, line {error.lineno}"
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_name(name))
    return inspect.cleandoc(ast.get_docstring(next(classes)) or "").partition("\n")[0].strip()


@cache
def find(name: str) -> type[Simulation]:
    """The simulation of that name; no other is imported.

    Raises KeyError where there is none, and whatever its module raises where that is broken.
    """
    _path, module = _locate(name)
    simulation: type[Simulation] = getattr(importlib.import_module(module), class_name(name))
    return simulation


@cache
def simulations() -> dict[str, type[Simulation]]:
    """Name → class, for all of them."""
    return {name: find(name) for name in names()}


def _locate(name: str) -> tuple[Path, str]:
    """The file of a simulation, and its module."""
    for path, module in modules(room).items():
        if path.stem == name and _holds(path):
            return path, module
    raise KeyError(f"there is no simulation named {name!r}; there are {', '.join(names())}")


def _holds(path: Path) -> bool:
    return f"class {class_name(path.stem)}(" in path.read_text(encoding="utf-8")
