"""One declaration gives every control its widget, whose tag says what it sets."""

from typing import Any

import panel as pn
import param
import pytest

from app.live.controls import controls, fold, widget
from sims.contract.number_list import NumberList
from sims.contract.parameters import Stops, examine, to_text
from sims.contract.simulation import Simulation


class Sample(Simulation):
    depth = param.Integer(20, bounds=(2, 64), step=2, label="Depth")
    gain = param.Number(0.5, bounds=(-2.0, 1.0), label="Gain")
    rate = Stops(default=0.1, objects=[0.001, 0.01, 0.1], label="Rate", precedence=1)
    norm = param.Selector(default="none", objects={"None": "none", "BatchNorm": "batch"}, label="Norm")
    many = param.Selector(default=1, objects=[1, 2, 3, 4, 5, 6], label="Many")
    final = param.Boolean(False, label="Final")
    cut = NumberList("", 12, label="Cut", precedence=-1)
    secret = param.Integer(1, bounds=(1, 2), label="Secret", precedence=-1)


def tagged(*parts: Any) -> dict[str, Any]:
    """Name of a parameter → its widget, of all that are somewhere in these parts."""
    widgets = [model for part in parts for model in (part.select() if isinstance(part, pn.Column) else [part])]
    return {
        tag["control"]: model for model in widgets for tag in getattr(model, "tags", None) or [] if "control" in tag
    }


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("depth", pn.widgets.IntSlider),
        ("gain", pn.widgets.FloatSlider),
        ("rate", pn.widgets.IntSlider),
        ("norm", pn.widgets.RadioButtonGroup),
        ("many", pn.widgets.Select),
        ("final", pn.widgets.Checkbox),
        ("cut", pn.widgets.TextInput),
    ],
)
def test_every_kind_of_parameter_has_its_widget(name: str, kind: type[pn.widgets.Widget]) -> None:
    widgets = tagged(widget(name, Sample.param[name], Sample.param[name].default))
    assert type(widgets[name]) is kind
    assert widgets[name].label == Sample.param[name].label


@pytest.mark.parametrize("name", ["rate", "norm", "many"])
def test_the_options_of_a_widget_are_texts_that_its_parameter_reads(name: str) -> None:
    parameter = Sample.param[name]
    [tag] = tagged(widget(name, parameter, parameter.default))[name].tags
    texts = [text for text, _label in tag["options"]]
    assert [examine(parameter, text).value for text in texts] == list(parameter.objects)
    assert all(label for _text, label in tag["options"])


def test_a_control_that_needs_another_value_says_so() -> None:
    everyday, rare = controls(Sample(), {"gain": ("norm", "batch")})
    tags = {name: model.tags[0] for name, model in tagged(everyday, rare).items()}
    assert tags["gain"]["needs"] == ["norm", "batch"]
    assert not any("needs" in tag for name, tag in tags.items() if name != "gain")


def test_a_list_of_numbers_shows_a_text_that_it_reads() -> None:
    example = tagged(widget("cut", Sample.param["cut"], ""))["cut"].placeholder.removeprefix("e.g. ")
    assert example
    assert examine(Sample.param["cut"], example).value == example


def test_a_slider_through_stops_is_at_its_value() -> None:
    slider = tagged(widget("rate", Sample.param["rate"], 0.01))["rate"]
    [tag] = slider.tags
    assert tag["options"][slider.value][0] == to_text(0.01)
    assert tag["stops"]
    assert not slider.show_value


def test_rarer_controls_are_folded_and_secret_ones_left_out() -> None:
    everyday, rare = controls(Sample())
    assert everyday
    assert rare
    assert list(tagged(everyday)) == ["depth", "gain", "norm", "many", "final"]
    assert list(tagged(rare)) == ["rate"]


def test_a_fold_is_closed_until_it_is_opened() -> None:
    opener, inside = fold("menu", "More")
    assert (opener.label, opener.tags) == ("More", [{"opens": "menu"}])
    assert inside.tags == [{"fold": "menu"}]
    assert not inside.visible
