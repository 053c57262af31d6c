"""The colors of a decision map, and the points on it."""

import numpy as np
import pytest

from app.pictures.plane import HUES, MARKS, NO_ANSWER, Plane, palette
from sims.contract.frame import Frame, Quantity
from sims.instruments.decision_map import LEVELS, NOTHING, SIDE


def frame(maps: np.ndarray, classes: list[int], reach: float = 2.0) -> Frame:
    points = np.linspace(-1, 1, 2 * len(classes)).reshape(-1, 2)
    return Frame(
        {
            "first_maps": Quantity(maps, "maps", axes=("record", "row", "column")),
            "points": Quantity(points, "points", axes=("point", "direction")),
            "classes": Quantity(np.array(classes), "classes", axes=("point",)),
        },
        {"reach": reach},
    )


def plane() -> Plane:
    return Plane("A map", lambda x, y: None)


def test_every_class_has_a_hue_that_grows_stronger_with_confidence() -> None:
    colors = palette()
    assert len(colors) == len(HUES) * LEVELS <= NOTHING
    assert len(set(HUES)) == len(HUES) == 10
    opacities = [int(color[7:], 16) for color in colors[:LEVELS]]
    assert opacities == sorted(set(opacities))
    assert {color[:7] for color in colors[LEVELS : 2 * LEVELS]} == {HUES[1]}


@pytest.mark.parametrize("moment", [0, 1])
def test_it_shows_the_map_of_the_moment(moment: int) -> None:
    maps = np.stack([np.full((SIDE, SIDE), 3, np.uint8), np.full((SIDE, SIDE), NOTHING, np.uint8)])
    shown = plane()
    shown.show(frame(maps, [0, 1]), "first", moment)
    assert shown._image.data["image"][0].dtype == np.uint8
    assert np.array_equal(shown._image.data["image"][0], maps[moment])
    assert shown.figure.title.text.endswith(NO_ANSWER) == bool(moment)


def test_classes_differ_in_shape_and_many_classes_are_digits() -> None:
    maps = np.zeros((1, SIDE, SIDE), np.uint8)
    shown = plane()
    shown.show(frame(maps, [0, 1, 1, 3]), "first", 0)
    assert [len(source.data["x"]) for source in shown._points.values()] == [1, 2, 0, 1]
    assert len({marker for marker, _color in MARKS}) == 4
    shown.show(frame(maps, [0, 9], reach=3.0), "first", 0)
    assert [len(source.data["x"]) for source in shown._points.values()] == [0, 0, 0, 0]
    assert shown._digits.data["text"] == ["0", "9"]
    assert shown.figure.x_range.end == 3.0
