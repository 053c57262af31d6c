"""The network with its switches: lines as large as what is measured, arcs that can be pressed."""

from types import SimpleNamespace

import numpy as np
import pytest

from app.pictures.base.screens import NARROW, WIDE
from app.pictures.charts.lit_network import APART, DROP, HALO, LANES, PALE, UNIT, brightness, thickness
from app.views.depth.plus_signs import PlusSignsView
from sims.instruments.networks.weighted_passes import angle
from sims.simulations.depth.plus_signs import PlusSigns
from tests.showing import showing


def shown(**settings):
    simulation = PlusSigns(blocks=7, seeds=2, training_steps=200, **settings)
    frame = simulation.frame(simulation.start())
    return showing(PlusSignsView(simulation), frame), frame


def row(view, screen=WIDE):
    return view._network.screens[screen]


def test_arcs_and_sums_are_there_where_a_plus_sign_is():
    network = row(shown(cut="2, 4-5")[0])
    assert [float(np.mean(x)) for x in network._arcs["cut"].data["x"]] == pytest.approx([1.5, 3.5, 4.5])
    assert network._sums.data["x"] == [1, 3, 6, 7]
    assert len(network._arcs["kept"].data["x"]) == 4


@pytest.mark.parametrize(("name", "quantity"), [("one", "stream"), ("other", "stream"), ("back", "gradient")])
def test_lines_are_as_thick_and_bright_as_what_they_show(name, quantity):
    view, frame = shown(cut="1-3")
    sizes = np.log10(frame[f"{quantity} at start"])
    drawn = row(view)._lines[name].source.data
    assert drawn["alpha"][7:] == [brightness(middle) for middle in (sizes[1:] + sizes[:-1]) / 2]
    for rows, halo in ((drawn["ys"][7:], 1), (drawn["ys"][:7], HALO)):
        left = [UNIT * (corners[3] - corners[0]) for corners in rows]
        right = [UNIT * (corners[2] - corners[1]) for corners in rows]
        assert left == pytest.approx([halo * thickness(size) for size in sizes[:-1]])
        assert right == pytest.approx([halo * thickness(size) for size in sizes[1:]])


def test_two_lines_are_as_far_apart_as_the_images():
    view, frame = shown()
    upper, lower = (
        [(corners[1] + corners[2]) / 2 for corners in row(view)._lines[name].source.data["ys"][7:]]
        for name in ("one", "other")
    )
    apart = [APART * angle(cosine) / 90 for cosine in frame["likeness at start"][1:]]
    assert upper == pytest.approx([LANES["forward"] + distance for distance in apart])
    assert lower == pytest.approx([LANES["forward"] - distance for distance in apart])


def test_the_signal_comes_first_and_the_gradient_returns():
    lines = row(shown()[0])._lines
    assert lines["one"].source.data["first"][7:] == [1, 2, 3, 4, 5, 6, 7]
    assert lines["back"].source.data["first"][7:] == [14, 13, 12, 11, 10, 9, 8]


def test_sizes_far_below_one_are_thin_and_dark_but_seen():
    assert thickness(-30) > 0
    assert brightness(-30) > 0
    assert thickness(-1) < thickness(0) < thickness(1)
    assert brightness(-5) < brightness(-1) < brightness(3) == 1


@pytest.mark.parametrize(("x", "expected"), [(0.0, "1"), (2.2, "3, 5"), (4.9, ""), (7.0, "5, 7")])
def test_pressing_an_arc_switches_its_plus_sign(x, expected):
    view = shown(cut="5" if x else "")[0]
    changes = []
    view.change = lambda name, value: changes.append((name, value))
    row(view)._on_tap(SimpleNamespace(x=x, y=1.0))
    assert changes == [("cut", expected)]


@pytest.mark.parametrize(
    ("x", "y"), [(3.0, 3.0), (3.0, -1.0), (-0.1, 1.0), (7.2, 1.0), (float("nan"), 1.0), (None, 1.0)]
)
def test_elsewhere_nothing_is_pressed(x, y):
    view = shown()[0]
    view.change = lambda name, value: pytest.fail("nothing was pressed")
    row(view)._on_tap(SimpleNamespace(x=x, y=y))


@pytest.mark.parametrize(
    ("x", "y", "expected"), [(0.5, 1.0, "1"), (3.9, 1.0, "4"), (0.5, 1 - DROP, "5"), (2.9, -DROP, "7")]
)
def test_on_a_phone_the_network_goes_on_in_a_second_row(x, y, expected):
    view = shown()[0]
    changes = []
    view.change = lambda name, value: changes.append((name, value))
    row(view, NARROW)._on_tap(SimpleNamespace(x=x, y=y))
    assert changes == [("cut", expected)]
    block = int(expected) - 1
    network = row(view, NARROW)
    arc_x, arc_y = (network._arcs["kept"].data[axis][block] for axis in ("x", "y"))
    assert arc_x[0] < x < arc_x[-1]
    assert arc_y[0] == pytest.approx(LANES["network"] - DROP * (block > 3))
    assert network._further.data["text"] == ["Blocks 5 to 7"]


@pytest.mark.parametrize(("x", "y"), [(3.5, 1 - DROP), (4.1, 1.0), (1.0, -1.0), (1.0, 2 - DROP), (1.0, 1 - 2 * DROP)])
def test_between_two_rows_and_after_the_last_block_nothing_is_pressed(x, y):
    view = shown()[0]
    view.change = lambda name, value: pytest.fail("nothing was pressed")
    row(view, NARROW)._on_tap(SimpleNamespace(x=x, y=y))


def test_both_rows_show_the_same_as_the_one():
    view, _frame = shown(cut="1-3")
    for name in ("one", "other", "back"):
        one, two = (row(view, screen)._lines[name].source.data for screen in (WIDE, NARROW))
        assert one["alpha"] == two["alpha"]
        assert one["first"] == two["first"]
        assert [xs[0] for xs in two["xs"][:7]] == [0, 1, 2, 3, 0, 1, 2]
        middles = [
            [(ys[0] + ys[3]) / 2 + drop for ys, drop in zip(data["ys"][:7], drops, strict=True)]
            for data, drops in ((one, [0] * 7), (two, [0] * 4 + [DROP] * 3))
        ]
        assert middles[0] == pytest.approx(middles[1])


def test_the_bar_is_as_long_as_the_error():
    view, frame = shown()
    bar = row(view)._bar.data
    assert bar["right"][0] == pytest.approx(7 * frame.results["training_error"])
    assert "at step 0:" in row(view)._words.data["text"][-1]
    assert row(view)._words.data["text"][-1].endswith("guessing: 90%")
    assert row(view)._guess.data["x"] == pytest.approx([0.9 * 7])


def test_an_error_of_zero_has_a_mark():
    view, frame = shown()
    frame.quantities["train_error"].values[-1] = 0
    view.update(frame)
    assert row(view)._end.data["x"] == [0]


def test_before_the_signal_comes_a_line_is_pale_as_it_is_bright():
    view, _frame = shown()
    data = row(view)._lines["back"].source.data
    assert data["faint"] == pytest.approx([PALE * bright for bright in data["bright"]])
    assert data["alpha"] == data["bright"]
