"""Lanes: bars for what can be drawn, a text for everybody, an axis that holds both."""

import numpy as np
import pytest

from app.pictures.charts.lanes import Lanes


def drawn(lanes: Lanes) -> dict[str, tuple[float, float]]:
    """Name → left and right end of its bar."""
    bars: dict[str, tuple[float, float]] = {}
    for renderer in lanes.figure.renderers:
        data = renderer.data_source.data
        if "left" in data:
            ends = zip(data["left"], data["right"], strict=True)
            bars |= dict(zip(data["name"], ends, strict=True))
    return bars


def test_a_value_that_is_no_number_has_a_text_and_no_bar() -> None:
    lanes = Lanes("Steps", "step", {"bar": "soft"}, room=0.5)
    lanes.show(["a", "b", "c"], np.array([3.0, np.nan, np.inf]), ["3", "none", "never"], ["bar"] * 3)
    assert drawn(lanes) == {"a": (0.0, 3.0)}
    assert lanes.figure.renderers[-1].data_source.data["text"] == ["3", "none", "never"]
    assert lanes.figure.y_range.factors == ["c", "b", "a"]


def test_the_axis_leaves_room_for_the_texts() -> None:
    lanes = Lanes("Steps", "step", {"bar": "soft"}, room=0.5)
    lanes.show(["a"], np.array([3.0]), ["3"], ["bar"])
    assert lanes.figure.x_range.end == pytest.approx(6)
    lanes.show(["a"], np.array([3.0]), ["3"], ["bar"], longest=10)
    assert lanes.figure.x_range.end == pytest.approx(20)


def test_ratios_grow_from_one_to_both_sides() -> None:
    lanes = Lanes("Ratio", "ratio", {"low": "idle", "high": "failing"}, room=0.5, logarithmic=True)
    lanes.show(["a", "b", "c"], np.array([1e-5, 30.0, 0.0]), ["", "", ""], ["low", "high", "low"])
    assert drawn(lanes) == {"a": (1.0, 1e-5), "b": (1.0, 30.0)}
    assert lanes.figure.x_range.start == pytest.approx(1e-5)
    assert lanes.figure.x_range.end > 1e4


def test_sizes_grow_from_below_all_of_them() -> None:
    lanes = Lanes("Size", "size", {"bar": "soft"}, room=0.5, logarithmic=True, sizes=True)
    lanes.show(["a", "b"], np.array([1.0, 30.0]), ["", ""], ["bar"] * 2)
    assert drawn(lanes) == {"a": (0.1, 1.0), "b": (0.1, 30.0)}
    lanes.show(["a", "b"], np.array([1.0, 1e-3]), ["", ""], ["bar"] * 2)
    assert drawn(lanes) == {"a": (1e-4, 1.0), "b": (1e-4, 1e-3)}


def test_with_a_border_texts_are_at_the_ends_of_their_bars_and_every_decade_has_a_tick() -> None:
    lanes = Lanes("Ratio", "ratio", {"bar": "soft"}, room=0.2, logarithmic=True, border=90)
    lanes.show(["a", "b", "c"], np.array([1e8, 1.5, np.nan]), ["", "", "none"], ["bar"] * 3)
    assert lanes.figure.renderers[-1].data_source.data["x"] == [1e8, 1.5, 1.0]
    assert lanes.figure.x_range.start == 1
    (axis,) = lanes.figure.xaxis
    assert axis.ticker.ticks == pytest.approx([10.0**power for power in range(9)])
    named = [words for words in axis.major_label_overrides.values() if words.strip()]
    assert named == ["1", "10⁴", "10⁸"]
    lanes.show(["a"], np.array([0.02]), [""], ["bar"])
    assert lanes.figure.renderers[-1].data_source.data["x"] == [1.0]
    assert lanes.figure.x_range.start == pytest.approx(0.01)


def test_nothing_to_draw_is_no_error() -> None:
    for logarithmic in (False, True):
        lanes = Lanes("Ratio", "ratio", {"bar": "soft"}, logarithmic=logarithmic)
        lanes.show(["a"], np.array([np.nan]), ["none"], ["bar"])
        assert drawn(lanes) == {}


def test_with_names_above_bars_have_the_whole_width() -> None:
    lanes = Lanes("Ratio", "ratio", {"bar": "soft"}, room=0.0, logarithmic=True, border=90, above=True)
    lanes.show(["a", "b"], np.array([1.2, 1e8]), ["1.2", "1e8"], ["bar"] * 2)
    assert not lanes.figure.yaxis[0].visible
    names = lanes._names.data
    assert (names["x"], names["text"]) == ([1.0, 1.0], ["a", "b"])
    assert [lane for lane, _up in names["place"]] == ["a", "b"]
    assert all(name > bar for (_, name), (_, bar) in zip(names["place"], lanes._texts.data["place"], strict=True))
    assert lanes.figure.x_range.end == pytest.approx(1e8)
    assert len([label for label in lanes.figure.xaxis[0].major_label_overrides.values() if label.strip()]) >= 5
