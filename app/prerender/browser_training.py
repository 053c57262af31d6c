"""What a page needs to train or calculate a figure by itself, in the reader's browser (app/static/training)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import param

from app.pages.document.figure_placement import FigurePlacement
from app.pages.files.assets import trains_in_browser
from app.pictures.base.paths import paths
from app.views.base import View
from sims.contract.frame import Frame, finite
from sims.contract.number_list import NumberList
from sims.contract.own_points import LONGEST, TEXT, Points
from sims.contract.parameters import Stops, control_names, to_text
from sims.contract.phrase import Phrase
from sims.contract.simulation import Simulation, Training
from sims.kept import results

OVER_TIME = ("record", "look")
"""Last axes of the quantities that are curves over a training"""


def browser_training(place: FigurePlacement, view: View[Any], states: Iterator[tuple[str, Simulation]]) -> Any:
    """Return the names of the view's models, the parameters as they are declared, those that restart a run, and the
    ends of the kept runs among `states`, as JSON data; None where browsers cannot do it.

    `beside` are the other runs that are drawn beside the present one: by name, the settings in which they differ. A
    calculation has neither.
    """
    simulation = place.simulation()
    if not trains_in_browser(place.name):
        return None
    controls = control_names(type(simulation))
    restarts: Sequence[str] = ()
    beside: Mapping[Any, Mapping[str, Any]] = {}
    if isinstance(simulation, Training):
        restarts, beside = simulation.restarts or controls, simulation.drawn_beside()
    return {
        "names": paths(view),
        "parameters": {name: declared(simulation.param[name]) for name in controls},
        "restarts": list(restarts),
        "beside": {str(name): _texts(values) for name, values in beside.items()},
        "ends": _ends(place, view, restarts, states),
    }


def declared(parameter: param.Parameter) -> Mapping[str, Any]:
    """Return the label, the default and the options, form, letters or limits of a parameter, values as texts."""
    shared = {"label": parameter.label, "default": to_text(parameter.default)}
    if isinstance(parameter, param.Boolean):
        return shared | {"options": ["yes", "no"]}
    if isinstance(parameter, param.Selector):
        stops = {"stops": True} if isinstance(parameter, Stops) else {}
        return shared | {"options": [to_text(option) for option in parameter.objects]} | stops
    if isinstance(parameter, Points):
        return shared | {"form": TEXT.pattern, "most": LONGEST, "longest": parameter.longest}
    if isinstance(parameter, NumberList):
        return shared | {"most": parameter.most, "longest": parameter.longest}
    if isinstance(parameter, Phrase):
        return shared | {"alphabet": parameter.alphabet, "most": parameter.most, "longest": parameter.longest}
    low, high = parameter.bounds
    # A number that is not whole may be between two steps of its slider.
    steps = {"step": parameter.step or 1} if isinstance(parameter, param.Integer) else {}
    return shared | {"low": low, "high": high} | steps


def _ends(
    place: FigurePlacement, view: View[Any], restarts: Sequence[str], states: Iterator[tuple[str, Simulation]]
) -> list[Any]:
    """The end of each run that is kept; some states only show the same run in another way."""
    ends: dict[str, Any] = {}
    for _name, state in states:
        run = str([state.settings()[name] for name in restarts])
        if run not in ends and (end := _end(place, view, state)):
            ends[run] = end
    return list(ends.values())


def _end(place: FigurePlacement, view: View[Any], state: Simulation) -> Mapping[str, Any] | None:
    frame = results.kept(state) if isinstance(state, Training) else None
    if frame is None:
        return None
    own = place.simulation().settings()
    values = {name: value for name, value in state.settings().items() if value != own[name]}
    return {"values": _texts(values), **end_of(frame, view.beside)}


def end_of(frame: Frame, beside: Sequence[str]) -> Mapping[str, Any]:
    """The results of a run and its quantities, each in one row: the last values of curves over the training, and all
    values of those that are drawn beside other runs; of a run without curves all quantities."""
    curves = {name: quantity for name, quantity in frame.quantities.items() if quantity.axes[-1] in OVER_TIME}
    ends = {name: quantity.values[..., -1].ravel() for name, quantity in curves.items()}
    whole = {name: frame[name].ravel() for name in (beside if ends else frame.quantities)}
    return {
        "results": {name: finite(value) for name, value in frame.results.items()},
        "quantities": {name: finite(values.tolist()) for name, values in (ends | whole).items()},
    }


def _texts(values: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: to_text(value) for name, value in values.items()}
