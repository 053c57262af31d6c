"""The ends of kept runs that differ from a simulation in a control or two: what was really computed, and only that."""

from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any

from sims import paths
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.kept import results

Settings = tuple[tuple[str, Hashable], ...]

REMEMBERED = 256
"""Frames that are held, so that a picture which shows several of them does not read files whenever it moves."""


def neighbor(simulation: Simulation, **changed: Any) -> Frame | None:
    """The last frame of a kept run with these settings but the changed ones; None where no such run was kept.

    Raises ValueError for a value that its control does not admit.
    """
    try:
        settings = tuple(sorted({**simulation.settings(), **changed}.items()))
        return _load_frame(type(simulation), settings, paths.results())
    except LookupError:
        return None


@lru_cache(REMEMBERED)
def _simulation(kind: type[Simulation], settings: Settings) -> Simulation:
    """Making one takes longer than looking for its file, which may not be there yet."""
    return kind(**dict(settings))


@lru_cache(REMEMBERED)
def _load_frame(kind: type[Simulation], settings: Settings, _home: Path) -> Frame:
    """A kept frame never changes and is remembered; LookupError, which is not, says that there is none yet."""
    frame = results.kept(_simulation(kind, settings))
    if frame is None:
        raise LookupError("no such run was kept")
    return frame
