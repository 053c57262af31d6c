"""One move of a pointer is one picture, however many coordinates it has."""

from collections.abc import Callable
from typing import Any

import pytest
from bokeh.document import Document
from bokeh.events import Tap

from app.live.session import Session
from app.views.base import view_of
from app.views.shortcuts.corrections import CorrectionsView
from app.views.shortcuts.dataflow import DataflowView
from sims.contract.frame import Frame
from sims.contract.parameters import control_names, examine, to_text
from sims.contract.simulation import Simulation
from sims.registry import simulations
from sims.simulations.loss_surfaces.landscape import Landscape
from sims.simulations.shortcuts.corrections import Corrections
from sims.simulations.shortcuts.dataflow import Dataflow


def shown(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """The frames that a session draws from now on."""
    frames: list[Frame] = []
    update = session.view.update

    def counted(frame: Frame) -> None:
        frames.append(frame)
        update(frame)

    monkeypatch.setattr(session.view, "update", counted)
    return frames


def arrows(view: Any) -> Any:
    return {DataflowView: lambda: view._arrows, CorrectionsView: lambda: view._walk}[type(view)]()


@pytest.mark.parametrize(("name", "kind"), [("dataflow", Dataflow), ("corrections", Corrections)])
def test_a_drag_in_the_plane_is_one_picture(
    name: str, kind: Callable[[], Simulation], monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation: Any = kind()
    session = Session(Document(), name, simulation)
    session.show(simulation.compute())
    frames = shown(session, monkeypatch)
    figure = arrows(session.view).figure
    figure._trigger_event(Tap(figure, x=0.77, y=-99.0))
    assert len(frames) == 1
    assert (simulation.x1, simulation.x2) == (0.75, type(simulation).param["x2"].bounds[0])


def test_a_picked_place_of_the_surface_is_one_change() -> None:
    session = Session(Document(), "landscape", Landscape())
    heard: list[Any] = []
    session.view.change_all = heard.append
    view: Any = session.view
    view._side = [-1.0, 0.0, 1.0]
    view._picked(2, 0)
    assert heard == [{"cut_a": -1.0, "cut_b": 1.0}]


@pytest.mark.parametrize("name", simulations())
def test_what_a_control_needs_is_a_possible_value_of_another(name: str) -> None:
    simulation = simulations()[name]()
    for parameter, (other, text) in view_of(name, simulation).needs.items():
        assert {parameter, other} <= set(control_names(type(simulation)))
        assert to_text(examine(simulation.param[other], text).value) == text
