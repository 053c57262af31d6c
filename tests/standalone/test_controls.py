"""Every widget of a layout hands over its value, and shows the one that was made of it."""

from itertools import islice
from typing import Any

import pytest
from bokeh.document import Document

from app.live.layout import layout
from app.live.session import Session
from app.standalone.controls import Controls, sheet
from sims import registry
from sims.contract.parameters import control_names, to_text
from sims.contract.simulation import Training
from tests.settings import corners


def message(values: dict[str, str], **more: Any) -> dict[str, Any]:
    state = {"status": "ready", "playing": False, "kept": False, "end": False, "message": ""}
    return {**state, "values": values, **more}


@pytest.mark.parametrize("name", registry.names())
def test_every_control_shows_a_value_that_is_set_without_requesting_it(name: str) -> None:
    kind = registry.find(name)
    changes: list[tuple[str, Any]] = []
    controls = Controls(
        layout(Session(Document(), name, kind())), lambda *wish: changes.append(wish), lambda *_act: None
    )
    for settings in islice(corners(kind), 2):
        simulation = kind(**settings)
        values = {key: to_text(value) for key, value in simulation.settings().items()}
        controls.show(message(values))
        assert changes == []
    expected = {control_name for control_name in control_names(kind) if (kind.param[control_name].precedence or 0) >= 0}
    assert set(controls._controls) == expected


def test_a_slider_through_stops_hands_over_its_stop_and_names_it() -> None:
    changes: list[tuple[str, Any]] = []
    kind = registry.find("degradation")
    controls = Controls(
        layout(Session(Document(), "degradation", kind())), lambda *wish: changes.append(wish), lambda *_act: None
    )
    rate = controls._controls["learning_rate"]
    stops = kind.param.learning_rate.objects
    controls.show(message({name: to_text(value) for name, value in kind(learning_rate=stops[-1]).settings().items()}))
    assert rate.label == f"Learning rate: {to_text(stops[-1])}"
    rate.value = 0
    assert changes == [("learning_rate", to_text(stops[0]))]


def test_the_bar_offers_what_can_be_done() -> None:
    pressed: list[tuple[str, Any]] = []
    kind = registry.find("degradation")
    assert issubclass(kind, Training)
    controls = Controls(
        layout(Session(Document(), "degradation", kind())), lambda *_wish: None, lambda *act: pressed.append(act)
    )
    values = {name: to_text(value) for name, value in kind().settings().items()}
    buttons = controls._buttons
    controls.show(message(values, playing=True, status="running", end=True, step=3, steps=600))
    assert (buttons["play"].visible, buttons["pause"].visible, buttons["end"].visible) == (False, True, True)
    controls.show(message(values, status="finished", step=600, steps=600))
    assert buttons["play"].visible
    assert buttons["play"].disabled
    buttons["restart"].clicks += 1
    buttons["speed"].value = 0.5
    assert pressed == [("restart", {}), ("speed", {"share": 0.5})]


def test_the_widgets_bring_their_palette() -> None:
    assert sheet().startswith(":host{--paper:#")
    assert "var(--accent)" in sheet()
