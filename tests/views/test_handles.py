"""Whatever can be dragged or pressed in a picture has a control of its own that does the same: keys reach those."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import Plot

from app.pictures.base.dragging import Throttle
from app.views.base import view_of
from sims import registry
from sims.contract.parameters import control_names
from sims.contract.simulation import Simulation
from sims.data.input_features import LABELS as FEATURES
from tests.first_frame import first_frame
from tests.site import placed

HANDLES = {
    "ancestors": {"block"},
    "attention_leaks": {"sequence", "token"},
    "backward": {"moment"},
    "connectivity": {"look"},
    "convolutions": {"depth"},
    "correlated": {"rho"},
    "corrections": {"x1", "x2"},
    "dataflow": {"ending", "w11", "w12", "w21", "w22", "wiring", "x1", "x2"},
    "decision": {"blocks", "kind", "place", "trouble"},
    "degradation": {"depth"},
    "delta": {"angle", "x1", "x2"},
    "depth_attention": {"across", "up"},
    "explorer": {"layer", "moment", *(f"feed_{name}" for name in FEATURES)},
    "failures": {"activation", "initialization", "norm", "skip"},
    "gradient_floor": {"gain"},
    "language": {"moment"},
    "language_tower": {"cut"},
    "lanes": {"dyed"},
    "lesion": {"block"},
    "norms": {"placing"},
    "passage": {"block"},
    "path_lengths": {"gain"},
    "paths": {"alike", "gain_1", "gain_2", "gain_3"},
    "perturbation": {"place"},
    "plus_signs": {"cut"},
    "reversible": {"depth", "precision"},
    "signal": {"alpha"},
    "stability": {"depth", "learning_rate"},
    "timeline": {"entry"},
    "tower": {"cut"},
    "trained_towers": {"recipe"},
}
"""Simulation → parameters that its picture sets; every picture that sets any is here"""

STEPS = 25
"""Places that are tried along each axis"""


def tried(axis: Any) -> np.ndarray:
    return np.linspace(axis.start, axis.end, STEPS)


def set_by_hand(name: str, simulation: Simulation) -> set[str]:
    """The parameters that presses and drags all over the pictures of a simulation set."""
    view = view_of(name, simulation)
    figures = view.figures()
    view.update(first_frame(simulation))
    names: set[str] = set()
    view.change = lambda name, _value: names.add(name)
    view.change_all = lambda values: names.update(values)
    for plot in (item for figure in figures for item in figure.select({"type": Plot})):
        callbacks = plot._event_callbacks
        for x, y in product(tried(plot.x_range), tried(plot.y_range)):
            for kind in (PanStart, Pan, Tap):
                for callback in callbacks.get(kind.event_name, []):
                    callback(kind(plot, x=float(x), y=float(y)))
    return names


@pytest.mark.parametrize("name", registry.names())
def test_what_is_set_by_hand_has_a_control(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Throttle, "allows", lambda self: True)
    simulation = placed(name)
    names = set_by_hand(name, simulation)
    visible = {
        control_name
        for control_name in control_names(type(simulation))
        if (simulation.param[control_name].precedence or 0) >= 0
    }
    assert names == HANDLES.get(name, set())
    assert names <= visible
