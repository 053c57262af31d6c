"""The GPT with its switches: letters say which branch is which, and arcs can be pressed."""

from types import SimpleNamespace

import pytest

from app.pictures.base.screens import NARROW, WIDE
from app.pictures.charts.lit_network import DROP, LANES
from app.views.language_models.language_tower import LanguageTowerView
from sims.simulations.language_models.language_tower import LanguageTower


def shown(**settings):
    simulation = LanguageTower(blocks=2, **settings)
    view, frame = LanguageTowerView(simulation), simulation.compute()
    view.figures()
    view.update(frame)
    return view, frame


def row(view, screen=WIDE):
    return view._network.screens[screen]


@pytest.mark.parametrize("screen", [WIDE, NARROW])
def test_attention_and_feed_forward_take_turns(screen):
    network = row(shown()[0], screen)
    letters = network._letters.data
    assert letters["text"] == ["A", "F", "A", "F"]
    assert (letters["x"], letters["y"]) == (network._boxes.data["x"], network._boxes.data["y"])
    feed = [place for letter, *place in zip(letters["text"], letters["x"], letters["y"], strict=True) if letter == "F"]
    assert [list(place) for place in zip(network._seconds.data["x"], network._seconds.data["y"], strict=True)] == feed


def test_on_a_phone_the_second_row_is_named_after_its_branches():
    assert row(shown()[0], NARROW)._further.data["text"] == ["Branches 3 to 4"]


def test_there_is_a_norm_before_every_branch_and_one_before_the_head():
    assert row(shown()[0])._norms.data["x"] == pytest.approx([0.16, 1.16, 2.16, 3.16, 4.08])


def test_a_press_on_an_arc_takes_its_plus_sign_out_or_puts_it_back():
    view, _frame = shown(cut="2")
    changes = []
    view.change = lambda name, value: changes.append((name, value))
    row(view)._on_tap(SimpleNamespace(x=3.4, y=1.0))
    row(view, NARROW)._on_tap(SimpleNamespace(x=1.5, y=LANES["network"]))
    row(view, NARROW)._on_tap(SimpleNamespace(x=1.5, y=LANES["network"] - DROP))
    assert changes == [("cut", "2, 4"), ("cut", ""), ("cut", "2, 4")]


def test_the_measures_have_a_value_at_every_place():
    view, frame = shown()
    for name in ("stream", "gradient", "likeness"):
        assert list(view._signals._lines[name, "now"].data["y"]) == list(frame[name])
        assert view._signals._charts[name].xaxis.axis_label == "branch"
