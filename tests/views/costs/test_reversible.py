"""Images and lines where there are numbers, crosses where there are none, and nothing where nothing was measured."""

from dataclasses import replace

import numpy as np
import pytest
from bokeh.events import Tap

from app.pictures.maps.recovered_images import ImageTable
from app.views.costs.reversible import LARGEST, ReversibleView, short
from sims.contract.frame import Frame
from sims.simulations.costs.reversible import DEPTHS, PRECISIONS, Reversible
from tests.first_frame import first_frame
from tests.showing import showing


@pytest.fixture(scope="module")
def whole() -> Frame:
    return first_frame(Reversible())


def shown(frame: Frame, simulation: Reversible) -> ReversibleView:
    return showing(ReversibleView(simulation), frame)


@pytest.mark.exhaustive
def test_every_depth_has_a_dot_or_a_cross(whole: Frame) -> None:
    errors = shown(whole, Reversible())._errors
    for name in PRECISIONS:
        dots = np.flatnonzero(np.isfinite(errors._bands.source.data[name]))
        crosses = errors._lost[name].data["x"]
        assert sorted([*dots, *crosses]) == list(range(len(DEPTHS)))
        assert (errors._bands.source.data[name][dots] <= LARGEST).all()


@pytest.mark.exhaustive
def test_a_stack_that_cannot_be_inverted_has_a_cross(whole: Frame) -> None:
    """In half precision the numbers of a deep stack can end as infinity; with today's weights none does."""
    quantities = {
        name: replace(quantity, values=np.append(quantity.values[:-1], np.inf)) if "16_error" in name else quantity
        for name, quantity in whole.quantities.items()
    }
    errors = shown(replace(whole, quantities=quantities), Reversible())._errors
    assert list(errors._lost["float16"].data["x"]) == [len(DEPTHS) - 1]
    assert list(errors._lost["float32"].data["x"]) == []


def test_before_a_run_nothing_is_drawn() -> None:
    simulation = Reversible(seeds=1)
    view = shown(simulation.frame(simulation.start()), simulation)
    assert view._names["ordinary"].data["text"] == ["not measured yet"]
    assert all(len(source.data["x"]) == 0 for source in (*view._errors._lost.values(), *view._heights.values()))
    journey, table = view._journey, view._table
    assert len(journey._images.data["x"]) == 1
    assert journey._labels.data["text"] == ["goes in", "after 16 blocks", "computed back", ""]
    assert len(table._images.data["x"]) == len(table._lost.data["x"]) == 0
    assert set(table._numbers["soft"].data["text"]) == {""}


def test_the_image_comes_back_with_enough_digits(whole: Frame) -> None:
    view = shown(whole, Reversible(precision="float64", depth=64))
    given, _out, back = view._journey._images.data["image"]
    np.testing.assert_allclose(given.astype(int), back.astype(int), atol=1)
    assert view._journey._labels.data["text"][1:3] == ["after 64 blocks", "computed back"]
    assert view._journey._labels.data["text"][3].startswith("difference × 10¹")
    assert len(view._table._images.data["x"]) == len(PRECISIONS) * len(DEPTHS)
    assert view._table._numbers["failing"].data["text"] == []


def test_an_image_that_overflowed_has_a_cross(whole: Frame) -> None:
    quantities = {
        name: replace(
            quantity, values=np.concatenate([quantity.values[:-1], np.full_like(quantity.values[-1:], np.nan)])
        )
        if name in ("float16_error", "float16_out", "float16_back")
        else quantity
        for name, quantity in whole.quantities.items()
    }
    view = shown(replace(whole, quantities=quantities), Reversible(precision="float16", depth=64))
    assert view._journey._labels.data["text"] == ["goes in", "after 64 blocks", "lost: it overflowed", ""]
    assert len(view._journey._difference.data["x"]) == 0
    assert len(view._table._lost.data["x"]) == 1
    assert view._table._numbers["failing"].data["text"] == ["lost"]


@pytest.mark.parametrize(
    ("error", "text"),
    [(0.0, "0"), (2.5e-17, "10⁻¹⁷"), (0.002, "0.2%"), (0.35, "35%"), (8.04, "804%"), (190.0, "10²"), (np.nan, "lost")],
)
def test_an_error_takes_few_letters(error: float, text: str) -> None:
    assert short(error) == text


def test_a_press_on_an_image_chooses_its_stack(whole: Frame) -> None:
    view = shown(whole, Reversible())
    changes: dict[str, object] = {}
    view.change_all = changes.update
    x, y = ImageTable._corner(3, 6)
    view._table.figure._trigger_event(Tap(view._table.figure, x=x + 0.5, y=y + 0.5))
    assert changes == {"precision": "bfloat16", "depth": 64}
    changes.clear()
    view._table.figure._trigger_event(Tap(view._table.figure, x=0.2, y=y))
    assert changes == {}


@pytest.mark.exhaustive
def test_the_bars_are_those_of_the_chosen_precision(whole: Frame) -> None:
    view = shown(whole, Reversible(precision="float16", depth=2))
    np.testing.assert_array_equal(view._heights["ordinary"].data["top"], whole["float16_ordinary"])
    assert view._numbers["reversible"].data["text"] == ["16"]


def test_a_press_chooses_the_nearest_depth(whole: Frame) -> None:
    view = shown(whole, Reversible())
    changes: dict[str, int] = {}
    view.change = lambda name, value: changes.update({name: value})
    view._bars._trigger_event(Tap(view._bars, x=4.3, y=1.0))
    assert changes == {"depth": 16}
    view._bars._trigger_event(Tap(view._bars, x=99.0, y=1.0))
    assert changes == {"depth": 64}
