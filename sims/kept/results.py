"""Keeps the last frames of long runs on disk, by the parameters and the code that made them.

A file contains only data: arrays without pickling, and JSON that describes them. A file that cannot be read counts as
missing. Frames that pages show first are in the repository (`SHIPPED`); all frames that are computed here go to the
cache.
"""

import datetime
import hashlib
import io
import json
import logging
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sims import paths
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.simulation import Simulation, Training
from sims.kept.environment import is_reproducible
from sims.kept.machine import processor
from sims.kept.provenance import version
from sims.kept.whole_file import write_whole
from sims.paths import CONTENT

log = logging.getLogger(__name__)

ABOUT = "about"
"""Name of the array that holds everything except the values, as JSON in UTF-8."""

SHIPPED = CONTENT / "runs"
"""Frames that come with the code"""


@dataclass(frozen=True)
class Made:
    """When a frame was computed, as a date, and on which processor."""

    date: str
    machine: str


TIMES = "_milliseconds"
"""Suffix of the names of results that are measured times. They hold for one machine at one time and are not kept."""


def reproducible_results(frame: Frame) -> dict[str, float | int | str]:
    """Return the results of a frame that the same code would give again."""
    return {name: value for name, value in frame.results.items() if not name.endswith(TIMES)}


def packed(frame: Frame) -> bytes:
    """Return a frame as the bytes of a compressed `.npz` file, with this machine and today's date."""
    about = {
        "quantities": [
            [name, quantity.label, quantity.unit, list(quantity.axes)] for name, quantity in frame.quantities.items()
        ],
        "results": {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in reproducible_results(frame).items()
        },
        "step": frame.step,
        "steps": frame.steps,
        "diverged": [vars(divergence) for divergence in frame.diverged],
        "made": asdict(Made(datetime.date.today().isoformat(), processor())),
    }
    arrays = {f"values_{number}": quantity.values for number, quantity in enumerate(frame.quantities.values())}
    out = io.BytesIO()
    np.savez_compressed(out, **{ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8)}, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def unpacked(data: bytes) -> Frame:
    """Return the frame from the bytes of `packed`. Raises ValueError if they are damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            about = json.loads(file[ABOUT].tobytes())
            quantities = {
                name: Quantity(file[f"values_{number}"], label, unit, tuple(axes))
                for number, (name, label, unit, axes) in enumerate(about["quantities"])
            }
        diverged = tuple(Divergence(**fields) for fields in about["diverged"])
        return Frame(quantities, about["results"], about["step"], about["steps"], diverged)
    except Exception as error:
        # A damaged archive fails in too many ways to name: zip, zlib, JSON, missing names, shapes.
        raise ValueError(f"not a kept frame: {error}") from error


def is_kept(simulation: Simulation) -> bool:
    """Whether a complete run with these settings has been kept."""
    return any(place.is_file() for place in _places(simulation))


def kept(simulation: Simulation) -> Frame | None:
    """Return the last frame of a simulation with these settings; None if no complete run was kept."""
    for place in _places(simulation):
        try:
            return simulation.reread(unpacked(place.read_bytes()))
        except OSError:
            continue
        except ValueError as error:
            log.warning("%s is damaged and counts as missing: %s", place.name, error)
    return None


def at_once(simulation: Simulation) -> Frame | None:
    """Return what can be shown without training: the frame of an instant simulation or of a kept run; else None."""
    return kept(simulation) if isinstance(simulation, Training) else simulation.compute()


def origin(simulation: Simulation) -> Made | None:
    """Return when and where the frame of `kept` was computed; None if none was kept."""
    for place in _places(simulation):
        with suppress(OSError, ValueError, KeyError, TypeError), np.load(place, allow_pickle=False) as file:
            return Made(**json.loads(file[ABOUT].tobytes())["made"])
    return None


def finished(simulation: Simulation) -> Frame:
    """Return the last frame of a simulation with these settings as this machine computes it: from the cache, or by a
    new run. Frames that came with the code are not used.

    The new run is kept in the cache, from where `make numbers` ships it, unless this process uses instructions that
    round differently.
    """
    place = paths.results() / name(simulation)
    with suppress(OSError, ValueError):
        return simulation.reread(unpacked(place.read_bytes()))
    computed = simulation.compute()
    frame = replace(computed, results=reproducible_results(computed))
    if is_reproducible():
        keep(simulation, frame)
    return frame


def keep(simulation: Simulation, frame: Frame, folder: Path | None = None) -> None:
    """Keep the last frame of a complete run with these settings, in the cache or in `folder`.

    The file is written atomically, so that other processes never see half of it. Frames that older code made for the
    same settings are deleted. A read-only or full disk is not an error.
    """
    place = (folder or paths.results()) / name(simulation)
    with suppress(OSError):
        write_whole(place, packed(frame))
        for older in place.parent.glob(f"{place.name.partition('.')[0]}.*.npz"):
            if older != place:
                older.unlink(missing_ok=True)


def cache_key_settings(simulation: Simulation) -> dict[str, Any]:
    """Return the settings that decide a frame: for a training, those whose change starts a new run."""
    names = simulation.restarts if isinstance(simulation, Training) else None
    return {name: value for name, value in simulation.settings().items() if names is None or name in names}


def code_of(kind: type[Simulation]) -> str:
    """Return the version of the code that makes the frames of a simulation."""
    return version(kind.__module__, kind.__name__)


def name(simulation: Simulation) -> str:
    """Return the file name for a simulation with these settings, from its class, settings and version of the code."""
    kind = type(simulation)
    digest = hashlib.sha256(
        json.dumps(sorted(cache_key_settings(simulation).items()), default=str).encode()
    ).hexdigest()[:16]
    return f"{kind.__name__}-{digest}.{code_of(kind)}.npz"


def _places(simulation: Simulation) -> tuple[Path, Path]:
    """Return where the frame may be: first the cache, then the repository."""
    file = name(simulation)
    return paths.results() / file, SHIPPED / file
