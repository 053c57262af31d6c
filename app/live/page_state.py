"""What the page shows around a picture: sentences, results, settings, and the progress of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.runs.run import Status
from sims.contract.frame import Frame, finite
from sims.contract.parameters import to_text
from sims.contract.simulation import Simulation, Training
from sims.kept import results
from sims.kept.results import Made


def page_state(
    simulation: Simulation,
    frame: Frame | None,
    *,
    status: Status,
    notes: Sequence[str] = (),
    kept: bool = False,
    playing: bool = False,
    seconds: float | None = None,
    request: int = 0,
    film: str = "",
) -> Mapping[str, Any]:
    """Everything the page says about a frame (or before there is one), as JSON data.

    `kept`: the frame is the end of a run that was computed before. `seconds` estimates how long a run takes
    that has not begun. `request` is the number of the last request that this state answers. `film` names the whole
    number that the page can play; each of its values gets the sentence of that moment.
    """
    next_link = simulation.next_link()
    training = isinstance(simulation, Training)
    return {
        "asked": request,
        "values": {name: to_text(value) for name, value in simulation.settings().items()},
        "defaults": {name: to_text(simulation.param[name].default) for name in simulation.settings()},
        "notes": list(notes),
        "disclosure": {**vars(simulation.disclosure()), "computed": _computed(simulation, frame, kept)},
        "status": status.state,
        "place": status.place,
        "message": status.message,
        "training": training,
        "kept": kept,
        "playing": playing,
        "seconds": None if kept or playing else seconds,
        "end": training and not kept and results.is_kept(simulation),
        "nextLink": None if next_link is None else {"words": next_link.words, "address": next_link.address},
        "configuration": simulation.configuration(),
        **({} if frame is None else _reported(simulation, frame, film)),
    }


def _computed(simulation: Simulation, frame: Frame | None, kept: bool) -> str:
    code = results.code_of(type(simulation))
    if not isinstance(simulation, Training):
        return f"From the settings, at once; code version {code}."
    if kept:
        return f"Kept from a run of this very code, version {code}{_when(results.origin(simulation))}."
    if frame and not frame.step:
        return f"The start of a run, before any training; code version {code}."
    return f"Live, on this server, for you; code version {code}."


def _when(record: Made | None) -> str:
    return f", on {record.date}, on {record.machine}" if record else ""


def _reported(simulation: Simulation, frame: Frame, film: str) -> Mapping[str, Any]:
    return {
        "description": simulation.describe(frame),
        "results": {name: finite(value) for name, value in frame.results.items()},
        "diverged": [vars(divergence) for divergence in frame.diverged],
        "step": frame.step,
        "steps": frame.steps,
        **({"film": {"of": film, "sentences": _moments(simulation, frame, film)}} if film else {}),
    }


def _moments(simulation: Simulation, frame: Frame, film: str) -> Mapping[str, str]:
    low, high = simulation.param[film].bounds
    settings = simulation.settings()
    others = {moment: type(simulation)(**settings | {film: moment}) for moment in range(low, high + 1)}
    return {to_text(moment): other.describe(frame) for moment, other in others.items()}
