"""Simulations: networks that are really trained and quantities that are really measured.

Nothing here knows about pages, widgets or servers; `python -m sims` runs any simulation without a browser. In Python,
each can be imported by its class name, as in `from sims import Degradation`, without importing the others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sims.contract.simulation import Simulation


def __getattr__(name: str) -> "type[Simulation]":
    registry: Any = import_module("sims.registry")
    for candidate in registry.names() if name[:1].isupper() else ():
        if registry.class_name(candidate) == name:
            simulation: type[Simulation] = registry.find(candidate)
            return simulation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    registry: Any = import_module("sims.registry")
    return sorted({*globals(), *map(registry.class_name, registry.names())})
