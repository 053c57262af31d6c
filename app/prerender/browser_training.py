"""What a page needs to train a figure by itself, in the reader's browser (app/static/training)."""

from collections.abc import Iterator, Mapping
from typing import Any

import param

from app.pages.document.figure_placement import FigurePlacement
from app.pages.files.assets import trains_in_browser
from app.pictures.base.paths import paths
from app.views.base import View
from sims.contract.frame import Frame, finite
from sims.contract.own_points import LONGEST, TEXT, Points
from sims.contract.parameters import Stops, control_names, to_text
from sims.contract.simulation import Simulation, Training
from sims.kept import results


def browser_training(place: FigurePlacement, view: View[Any], states: Iterator[tuple[str, Simulation]]) -> Any:
    """Return the names of the view's models, the parameters as they are declared, those that restart a run, and the
    ends of the kept runs among `states`, as JSON data; None where browsers do not train.

    Runs of other values of the parameter `beside` are drawn beside the present one.
    """
    simulation = place.simulation()
    if not isinstance(simulation, Training) or not trains_in_browser(place.name):
        return None
    changed = {name for values in simulation.drawn_beside().values() for name in values}
    restarts = simulation.restarts or control_names(type(simulation))
    return {
        "names": paths(view),
        "parameters": {name: declared(simulation.param[name]) for name in control_names(type(simulation))},
        "restarts": list(restarts),
        "beside": next((name for name in restarts if name in changed), ""),
        "ends": [end for _name, state in states if (end := _end(place, state))],
    }


def declared(parameter: param.Parameter) -> Mapping[str, Any]:
    """Return the label, the default and the options, form or limits of a parameter, values as texts."""
    shared = {"label": parameter.label, "default": to_text(parameter.default)}
    if isinstance(parameter, param.Boolean):
        return shared | {"options": ["yes", "no"]}
    if isinstance(parameter, param.Selector):
        stops = {"stops": True} if isinstance(parameter, Stops) else {}
        return shared | {"options": [to_text(option) for option in parameter.objects]} | stops
    if isinstance(parameter, Points):
        return shared | {"form": TEXT.pattern, "most": LONGEST, "longest": parameter.longest}
    low, high = parameter.bounds
    return shared | {"low": low, "high": high, "step": parameter.step or 1}


def _end(place: FigurePlacement, state: Simulation) -> Mapping[str, Any] | None:
    frame = results.kept(state) if isinstance(state, Training) else None
    if frame is None:
        return None
    own = place.simulation().settings()
    values = {name: to_text(value) for name, value in state.settings().items() if value != own[name]}
    return {"values": values, "last": _last_values(frame)}


def _last_values(frame: Frame) -> Mapping[str, Any]:
    """The last values of the curves over the training."""
    curves = {name: quantity for name, quantity in frame.quantities.items() if quantity.axes == ("record",)}
    return {name: finite(quantity.values[-1].item()) for name, quantity in curves.items()}
