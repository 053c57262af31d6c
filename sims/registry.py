"""Every simulation there is, found by name: the module `sims/simulations/paths.py` holds the class `Paths`."""

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path

from sims import simulations as room
from sims.contract.simulation import Simulation


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def names() -> list[str]:
    """The names of all simulations, in alphabetical order; none of them is imported."""
    return sorted(path.stem for folder in room.__path__ for path in Path(folder).glob("*.py") if _holds(path))


def title(name: str) -> str:
    """The title of a simulation, read from its file without running it: a broken file says what is wrong with it."""
    path = _file(name)
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        return f"cannot be read: {error.msg}, line {error.lineno}"
    found = (each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == class_name(name))
    return inspect.cleandoc(ast.get_docstring(next(found)) or "").partition("\n")[0].strip()


@cache
def find(name: str) -> type[Simulation]:
    """The simulation of that name; no other is imported.

    Raises KeyError where there is none, and whatever its module raises where that is broken.
    """
    _file(name)
    found: type[Simulation] = getattr(importlib.import_module(f"{room.__name__}.{name}"), class_name(name))
    return found


@cache
def simulations() -> dict[str, type[Simulation]]:
    """Name → class, for all of them."""
    return {name: find(name) for name in names()}


def _file(name: str) -> Path:
    for folder in room.__path__:
        path = Path(folder) / f"{name}.py"
        if name.isidentifier() and path.is_file() and _holds(path):
            return path
    raise KeyError(f"there is no simulation named {name!r}; there are {', '.join(names())}")


def _holds(path: Path) -> bool:
    return f"class {class_name(path.stem)}(" in path.read_text(encoding="utf-8")
