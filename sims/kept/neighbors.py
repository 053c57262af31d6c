"""Finds the last frames of kept runs that differ from a simulation in a few controls; nothing is computed."""

from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any

from sims import paths
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation, Training
from sims.kept import results

Settings = tuple[tuple[str, Hashable], ...]

REMEMBERED = 256
"""Frames that are cached, so that a figure that shows several of them does not read files at every change."""


def neighbors(simulation: Training) -> dict[Any, Frame]:
    """Return the last frames of those runs that are drawn beside a simulation's own and were kept, by name."""
    frames = {name: neighbor(simulation, **changed) for name, changed in simulation.drawn_beside().items()}
    return {name: frame for name, frame in frames.items() if frame is not None}


def neighbor(simulation: Simulation, **changed: Any) -> Frame | None:
    """Return the last frame of a kept run with these settings except the changed ones; None if no such run was kept.

    Raises ValueError for a value that its control does not admit.
    """
    try:
        settings = tuple(sorted({**simulation.settings(), **changed}.items()))
        return _load_frame(type(simulation), settings, paths.results())
    except LookupError:
        return None


@lru_cache(REMEMBERED)
def _simulation(kind: type[Simulation], settings: Settings) -> Simulation:
    """Make a simulation. It is cached because making one takes longer than looking for its file, which is done often
    while the file does not exist yet."""
    return kind(**dict(settings))


@lru_cache(REMEMBERED)
def _load_frame(kind: type[Simulation], settings: Settings, _home: Path) -> Frame:
    """Load a kept frame. Frames never change, so they are cached. If there is none yet, this raises LookupError,
    because exceptions are not cached. `_home` only makes the cache's key depend on the folder."""
    frame = results.kept(_simulation(kind, settings))
    if frame is None:
        raise LookupError("no such run was kept")
    return frame
