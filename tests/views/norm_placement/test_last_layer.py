"""Only what is measured has a line, a name and a place in a legend."""

import numpy as np
import pytest

from app.pictures.base.looks import PLACEMENTS
from app.views.norm_placement.last_layer import ABOVE, LastLayerView
from sims.contract.wording import number
from sims.simulations.norm_placement.last_layer import ORDERS, LastLayer


@pytest.fixture(scope="module")
def measured():
    simulation = LastLayer(seeds=1, width=32)
    begun = simulation.start()
    return simulation, simulation.frame(begun), simulation.frame(simulation.advance(begun, 6))


@pytest.fixture
def view(measured):
    last_layer_view = LastLayerView(measured[0])
    last_layer_view.figures()
    return last_layer_view


def test_before_the_first_network_it_says_so_and_names_nothing(measured, view):
    view.update(measured[1])
    assert view._waiting.data["text"] == ["not measured yet"]
    assert all(source.data["text"] == [] for source in view._names._sources.values())
    assert not any(item.visible for item in view._figures["stream"].legend[0].items)


def test_what_is_measured_is_named_with_its_last_value(measured, view):
    view.update(measured[2])
    assert view._waiting.data["text"] == []
    keys = {order.replace("-", "_") for order in ORDERS}
    labels = {PLACEMENTS[key][0] for key in keys}
    sources = view._names._sources
    for key, (label, *_look) in PLACEMENTS.items():
        value = measured[2][f"{key}_last"][np.isfinite(measured[2][f"{key}_last"])][-1:]
        lines = [line for name in (key + ABOVE, key) for line in sources[name].data["text"]]
        assert " ".join(lines) == (f"{label} {number(float(value[0]), 2)}" if key in keys else "")
    assert sources["pre_open" + ABOVE].data["offset"][0] < sources["pre_open"].data["offset"][0]
    for name in ("profile", "stream"):
        items = view._figures[name].legend[0].items
        assert {item.label.value for item in items if item.visible} == labels


def test_the_lines_are_those_of_the_frame(measured, view):
    frame = measured[2]
    view.update(frame)
    for name in ("last", "stream", "profile"):
        for key in PLACEMENTS:
            assert np.array_equal(view._sources[name].data[key], frame[f"{key}_{name}"], equal_nan=True)
    assert view._guide.data["y"] == pytest.approx([frame["pre_last"][0] / 8**0.5])
