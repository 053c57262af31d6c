"""One declaration gives every control its widget, and no widget's value is trusted."""

from typing import Any

import panel as pn
import param
import pytest
from panel.reactive import Syncable

from app.live.controls import Controls
from sims.contract.parameters import Stops
from sims.contract.simulation import Simulation


class Sample(Simulation):
    depth = param.Integer(20, bounds=(2, 64), step=2, label="Depth")
    gain = param.Number(0.5, bounds=(-2.0, 1.0), label="Gain")
    rate = Stops(default=0.1, objects=[0.001, 0.01, 0.1], label="Rate", precedence=1)
    norm = param.Selector(default="none", objects={"None": "none", "BatchNorm": "batch"}, label="Norm")
    many = param.Selector(default=1, objects=[1, 2, 3, 4, 5, 6], label="Many")
    final = param.Boolean(False, label="Final")
    secret = param.Integer(1, bounds=(1, 2), label="Secret", precedence=-1)


@pytest.fixture
def heard() -> list[tuple[str, Any]]:
    return []


@pytest.fixture
def controls(heard: list[tuple[str, Any]]) -> Controls:
    return Controls(Sample(), lambda name, value: heard.append((name, value)))


def test_every_kind_of_parameter_has_its_widget(controls: Controls) -> None:
    kinds = {name: type(widget) for name, widget in controls.widgets.items()}
    assert kinds == {
        "depth": pn.widgets.IntSlider,
        "gain": pn.widgets.FloatSlider,
        "rate": pn.widgets.DiscreteSlider,
        "norm": pn.widgets.RadioButtonGroup,
        "many": pn.widgets.Select,
        "final": pn.widgets.Checkbox,
    }
    assert all(widget.label == Sample.param[name].label for name, widget in controls.widgets.items())


def test_a_wish_is_passed_on_as_it_came(controls: Controls, heard: list[tuple[str, Any]]) -> None:
    controls.widgets["depth"].value = 9999
    assert heard == [("depth", 9999)]


def test_showing_a_value_is_no_wish(controls: Controls, heard: list[tuple[str, Any]]) -> None:
    controls.show("depth", 56)
    controls.show("secret", 2)
    assert controls.widgets["depth"].value == 56
    assert heard == []


def test_rarer_controls_are_folded_until_asked_for(controls: Controls) -> None:
    everyday, opener, fold = controls.layout(Sample())
    assert len(everyday) == 5
    assert len(fold) == 0
    opener.value = True
    assert len(fold[0]) == 1


def test_panel_still_has_the_debounce_that_we_set() -> None:
    assert Syncable._debounce == 8
