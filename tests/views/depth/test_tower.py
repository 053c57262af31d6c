"""The untrained network with its switches: norms where they are, arcs that can be pressed, no bar."""

from types import SimpleNamespace

import pytest

from app.pictures.base.screens import NARROW, WIDE
from app.pictures.charts.lit_network import DROP, HALO, LANES, ROWS, THICKEST, UNIT
from app.views.depth.tower import TowerView
from sims.simulations.depth.tower import Tower
from tests.showing import showing

AROUND = 40
"""Pixels of the title and the borders, at most"""

BUTTON = 46
"""Pixels that the play button takes from below (`static/players/play-button.js`)"""


def shown(**settings):
    simulation = Tower(blocks=4, seeds=2, **settings)
    frame = simulation.compute()
    return showing(TowerView(simulation), frame), frame


@pytest.mark.parametrize(
    ("norm", "places"), [("none", []), ("pre", [0.16, 1.16, 2.16, 3.16, 4.08]), ("post", [1, 2, 3, 4])]
)
def test_norms_are_before_the_blocks_and_the_head_or_after_the_sums(norm, places):
    bars = shown(norm=norm)[0]._network.screens[WIDE]._norms.data
    assert bars["x"] == pytest.approx(places)
    assert bars["y"] == [LANES["network"]] * len(places)


@pytest.mark.parametrize("screen", [WIDE, NARROW])
@pytest.mark.parametrize("norm", ["none", "pre", "post"])
def test_the_stream_reaches_every_norm(norm, screen):
    row = shown(norm=norm)[0]._network.screens[screen]
    assert row._wire.data["x"][-1][1] == pytest.approx(max(row._norms.data["x"], default=4 / ROWS[screen]))


@pytest.mark.parametrize("screen", [WIDE, NARROW])
def test_the_play_button_is_below_the_gradient(screen):
    """It is in the lower left corner."""
    figure = shown()[0]._network.screens[screen].figure
    unit = (figure.height - AROUND) / (figure.y_range.end - figure.y_range.start)
    below = LANES["back"] - (ROWS[screen] - 1) * DROP - HALO * THICKEST / 2 / UNIT - figure.y_range.start
    assert below * unit >= BUTTON


def test_on_a_phone_the_norm_before_the_head_is_at_the_end_of_the_second_row():
    bars = shown(norm="pre")[0]._network.screens[NARROW]._norms.data
    assert bars["x"] == pytest.approx([0.16, 1.16, 0.16, 1.16, 2.02])
    assert bars["y"] == pytest.approx([LANES["network"]] * 2 + [LANES["network"] - DROP] * 3)


def test_the_gradient_fades_on_its_way_back():
    view, frame = shown(cut="1-28", strength="library")
    drawn = view._network.screens[WIDE]._lines["back"].source.data
    assert frame["gradient"][0] < 0.01
    assert drawn["alpha"][4] < drawn["alpha"][7]


def test_there_are_words_for_two_lines_and_no_bar():
    view, _frame = shown()
    assert [text.split()[0] for text in view._network.screens[WIDE]._words.data["text"]] == ["Forward", "←"]
    assert len(view._network.screens[WIDE]._bar.data["left"]) == 0


def test_a_press_on_an_arc_takes_its_plus_sign_out():
    view, _frame = shown(cut="2")
    changes = []
    view.change = lambda name, value: changes.append((name, value))
    view._network.screens[WIDE]._on_tap(SimpleNamespace(x=3.4, y=1.0))
    assert changes == [("cut", "2, 4")]


def test_the_measures_have_a_value_at_every_place():
    view, frame = shown()
    for name in ("stream", "gradient", "likeness"):
        assert list(view._signals._lines[name, "now"].data["y"]) == list(frame[name])
        assert view._signals._charts[name].x_range.end == 4
        assert not view._signals._charts[name].legend
