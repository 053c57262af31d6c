"""Every simulation there is, found by name: the module `sims/simulations/paths.py` holds the class `Paths`."""

import importlib
from functools import cache
from pathlib import Path

from sims import simulations as room
from sims.contract.simulation import Simulation


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def find(name: str) -> type[Simulation]:
    """The simulation of that name. Raises KeyError where there is none."""
    try:
        return simulations()[name]
    except KeyError:
        raise KeyError(f"there is no simulation named {name!r}; there are {', '.join(simulations())}") from None


@cache
def simulations() -> dict[str, type[Simulation]]:
    """Name → class, for every module of `sims` that holds a simulation of its own name."""
    found = {}
    for path in sorted(Path(room.__path__[0]).glob("*.py")):
        name = path.stem
        # Looked for in the text first: what holds no simulation (the command line, the workers' entry) is not imported.
        if f"class {class_name(name)}(" in path.read_text(encoding="utf-8"):
            candidate = getattr(importlib.import_module(f"{room.__name__}.{name}"), class_name(name))
            if issubclass(candidate, Simulation):
                found[name] = candidate
    return found
