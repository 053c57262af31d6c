"""A change on its way: bands as thick as it is large, named curves, and a press that changes another block."""

from types import SimpleNamespace

import numpy as np
import pytest

from app.views.loss_surfaces.perturbation import DEEP, PALE, SOLID, THICKEST, THINNEST, PerturbationView
from sims.simulations.loss_surfaces.perturbation import Perturbation
from tests.showing import showing


def shown(simulation: Perturbation) -> PerturbationView:
    return showing(PerturbationView(simulation), simulation.compute())


def test_every_network_is_named_where_its_line_ends():
    simulation = Perturbation(depth=12)
    view, frame = shown(simulation), simulation.compute()
    for name, (words, _color, _dash) in DEEP.items():
        data = view._labels._sources[name].data
        assert (data["x"], data["text"]) == ([12], [words])
        assert view._source.data[name][-1] == frame[name][-1]


def test_the_change_travels_from_its_block_on_and_is_as_thick_as_it_is_large():
    simulation = Perturbation(depth=12, place=4)
    view, frame = shown(simulation), simulation.compute()
    assert view._now.data == {"moment": [13], "last": [13]}
    assert [round(x) for x in view._changed.data["right"]] == [4] * len(DEEP)
    thick = {}
    for name in DEEP:
        bands = view._bands[name].source.data
        for opacity in (PALE, SOLID):
            rows = [row for row, bright in enumerate(bands["bright"]) if bright == opacity]
            assert [bands["xs"][row][:2] for row in rows] == [(block, block + 1) for block in range(4, 12)]
            assert [bands["first"][row] for row in rows] == list(range(5, 13))
        last = bands["ys"][rows[-1]]
        thick[name] = last[2] - last[1]
        assert view._ends[name].data["text"][0].startswith("moves by ")
    ends = np.log10([frame[name][-1] for name in DEEP])
    slopes = np.diff(list(thick.values())) / np.diff(ends)
    assert slopes == pytest.approx([slopes[0]] * len(slopes))
    assert all(THINNEST <= size <= THICKEST for size in thick.values())


@pytest.mark.parametrize("settings", [{"epsilon": 0.0}, {"depth": 1}])
def test_no_change_and_no_way_to_go_have_no_bands(settings: dict[str, float]) -> None:
    view = shown(Perturbation(**settings))
    assert [view._bands[name].source.data["xs"] for name in DEEP] == [[]] * len(DEEP)


def test_a_press_changes_the_block_below_it():
    view = PerturbationView(Perturbation(depth=8))
    changed = {}
    view.change = changed.__setitem__
    for x, block in ((6.4, 7), (-1.0, 1), (9.0, 8)):
        view._on_pointer(SimpleNamespace(x=x))
        assert changed == {"place": block}
