"""A slice from above: colors follow the loss, and what is not there is not drawn."""

import numpy as np
import pytest

from app.pictures.maps.slices import FLOOR, SliceMap, limits, round_numbers

VALUES = np.array([[0.0, 1.0, 2.0], [3.0, np.inf, 5.0], [6.0, 7.0, 8.0]])


def test_limits_hold_what_is_finite() -> None:
    assert limits([VALUES], False) == (0, 8)
    assert limits([VALUES], True) == (FLOOR, 8)
    assert limits([np.full((2, 2), np.inf)], False) == (0, 1)
    assert limits([np.ones((2, 2))], False) == (1, 2)


def test_a_point_is_in_the_middle_of_its_block() -> None:
    map_ = SliceMap("A slice", "a", "b")
    map_.show(VALUES, 1.0, (0, 8), False, (0.5, -1.0))
    data = map_._image.data
    assert (data["from"], data["side"]) == ([-1.5], [3.0])
    assert np.isnan(data["image"][0][1, 1])
    assert map_.figure.x_range.end == 1.5
    assert [span.location for span in map_._spans.values()] == [-1.0, 0.5]


def test_one_of_two_scales_is_seen() -> None:
    map_ = SliceMap("A slice", "a", "b")
    for logarithmic in (True, False):
        map_.show(VALUES, 1.0, limits([VALUES], logarithmic), logarithmic)
        assert map_._bars[logarithmic].visible
        assert not map_._bars[not logarithmic].visible
        assert not map_._spans["width"].visible


def test_a_way_ends_in_a_sign() -> None:
    map_ = SliceMap("A slice", "a", "b")
    map_.trace("ball", np.array([[0.0, 0.0], [0.5, 1.0]]))
    assert [ends.tolist() for ends in map_._ends["ball"].data.values()] == [[0.5], [1.0]]
    map_.trace("ball", np.empty((0, 2)))
    assert [len(ends) for ends in map_._ends["ball"].data.values()] == [0, 0]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (0, 3.9, ["0", "1", "2", "3"]),
        (2.31, 2.92, ["2.4", "2.6", "2.8"]),
        (-3, 5.5, ["−2", "0", "2", "4"]),
        (0.07, 3.3e8, ["0", "1 × 10⁸", "2 × 10⁸", "3 × 10⁸"]),
    ],
)
def test_ticks_are_at_round_numbers(low: float, high: float, expected: list[str]) -> None:
    ticks = round_numbers(low, high)
    assert list(ticks.values()) == expected
    assert all(low - 1e-9 * (high - low) <= tick <= high + 1e-9 for tick in ticks)


def test_the_bar_of_a_linear_map_has_round_numbers() -> None:
    map_ = SliceMap("A slice", "a", "b")
    map_.show(VALUES, 1.0, (0, 3.3e8), False)
    assert map_._ticker.ticks == [0, 1e8, 2e8, 3e8]
    assert map_._bars[False].major_label_overrides[1e8] == "1 × 10⁸"
