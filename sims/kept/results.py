"""Results that took long to compute, kept on disk under the parameters and the code that made them."""

import hashlib
import json
import os
import pickle
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sims.contract.calculation import Calculation, Number
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.kept.provenance import code_version


def directory() -> Path:
    """Where results are kept: `SKIP_CACHE`, or `.cache/results` beside the packages."""
    return Path(os.environ.get("SKIP_CACHE") or Path(__file__).parent.parent.parent / ".cache") / "results"


def _place(name: str, module: str, arguments: Mapping[str, Any]) -> Path:
    key = json.dumps([name, sorted(arguments.items())], default=str)
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    return directory() / code_version(module) / f"{name.rpartition('.')[2]}-{digest}.pickle"


def _read(place: Path) -> Any:
    try:
        return pickle.loads(place.read_bytes())
    except (OSError, EOFError, pickle.UnpicklingError):
        return None


def _keep(place: Path, value: object) -> None:
    """Write in one piece, so that a reader beside us never sees half a file; a read-only disk is no error."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            file.write(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
        os.replace(file.name, place)
    except OSError:
        return


def lookup(calculation: Calculation, arguments: Mapping[str, Any]) -> Number | None:
    """The kept value of a long calculation; None where it has not been computed yet."""
    value: Number | None = _read(_place(calculation.name, calculation.function.__module__, arguments))
    return value


def compute(calculation: Calculation, arguments: Mapping[str, Any]) -> Number:
    """The value of a long calculation: the kept one, or a new one, which is then kept."""
    value = lookup(calculation, arguments)
    if value is None:
        value = calculation(**arguments)
        _keep(_place(calculation.name, calculation.function.__module__, arguments), value)
    return value


def _place_of(simulation: Simulation) -> Path:
    return _place(type(simulation).__name__, type(simulation).__module__, simulation.settings())


def is_kept(simulation: Simulation) -> bool:
    """Whether a whole run with these settings was kept."""
    return _place_of(simulation).is_file()


def kept(simulation: Simulation) -> Frame | None:
    """The last frame of a simulation with these settings; None where no whole run was kept."""
    frame: Frame | None = _read(_place_of(simulation))
    return frame


def finished(simulation: Simulation) -> Frame:
    """The last frame of a simulation with these settings: the kept one, or a new run's, which is then kept."""
    frame = kept(simulation)
    if frame is None:
        frame = simulation.compute()
        _keep(_place_of(simulation), frame)
    return frame
