"""Strips, maps and tiles of units: their colors, their places, and what a touch means."""

from typing import Any

import numpy as np
import pytest
from bokeh.events import Pan, Tap

from app.pictures.maps.network_maps import APART, CELLS, HUES, MARKS, STRIP, Drawn, NetworkMaps, palette, unit_palette
from sims.instruments.gradients.gradient_health import KINDS, LEVEL, ZERO
from sims.instruments.networks.decision_map import LEVELS, NOTHING
from sims.instruments.networks.unit_maps import BROKEN, REST, SIDE

POINTS = np.array([[-2.0, 2.0], [0.0, 0.0], [1.0, 1.0]])


def drawn(name: str, layers: int = 4, answer: int = 3) -> Drawn:
    kinds = np.array([LEVEL] * (layers - 1) + [ZERO])
    units = np.arange(layers - 1, dtype=np.uint8)[:, None, None, None] + np.zeros((1, 3, 2, 2), np.uint8)
    return Drawn(name, "plain", kinds, np.ones(layers), np.full((4, 4), answer, np.uint8), units)


class Touched(NetworkMaps):
    def __init__(self) -> None:
        self.places: list[tuple[float, float]] = []
        self.layers: list[int] = []
        super().__init__("Maps", lambda x, y: self.places.append((x, y)), self.layers.append)

    def touch(self, x: float | None, y: float | None, kind: Any = Tap) -> None:
        self.figure._trigger_event(kind(self.figure, sx=0, sy=0, x=x, y=y))


def shown(*networks: Drawn, classes: tuple[int, ...] = (0, 1, 1), **options: Any) -> Touched:
    maps = Touched()
    maps.show(networks, POINTS, np.array(classes), 2.0, **options)
    return maps


def test_every_class_has_a_hue_that_grows_stronger_with_confidence() -> None:
    colors = palette()
    assert len(colors) == len(HUES) * LEVELS <= NOTHING
    assert len(set(HUES)) == len(HUES) == 10
    opacities = [int(color[7:], 16) for color in colors[:LEVELS]]
    assert opacities == sorted(set(opacities))
    assert {color[:7] for color in colors[LEVELS : 2 * LEVELS]} == {HUES[1]}


def test_a_unit_at_rest_is_clear_and_both_signs_have_a_hue() -> None:
    colors = unit_palette()
    assert len(colors) == 256
    assert colors[BROKEN] == "#00000000"
    assert colors[REST][7:] == "00"
    assert (colors[255][:7], colors[1][:7]) == (HUES[0], HUES[1])


def test_two_networks_have_a_map_and_the_points_each() -> None:
    maps = shown(drawn("one"), drawn("other", answer=NOTHING))
    assert maps._answers.data["x"] == [0.0, 1 + APART]
    assert maps._points[0].data["x"].tolist() == [0.0, 1 + APART]
    assert maps._points[0].data["y"].tolist() == [1.0, 1.0]
    assert [len(source.data["x"]) for source in maps._points.values()] == [2, 4, 0, 0]
    assert maps._notes.data["text"] == ["overflowed"]
    assert maps._units.data["image"] == []


def test_every_layer_has_a_cell_whose_height_says_its_kind() -> None:
    maps = shown(drawn("one"), drawn("other", layers=2))
    assert set(CELLS) == set(KINDS)
    assert len({height for _color, height in CELLS.values()}) == 4
    assert maps._cells[LEVEL].data["left"] == [0.0, 0.25, 0.5, 1 + APART]
    assert maps._cells[ZERO].data["left"] == [0.75, 1.5 + APART]


def test_tooltips_show_a_few_units_of_every_layer() -> None:
    """Of each network an array (layers but the last, units, rows, columns), and the gradient of every layer."""
    maps = shown(drawn("one"), drawn("other", layers=2), back=True)
    assert [units.shape for units in maps._inside.data["maps"]] == [(3, 3, 1, 1), (1, 3, 1, 1)]
    assert [units[-1].max() for units in maps._inside.data["maps"]] == [2, 0]
    assert maps._inside.data["gradients"] == [["1"] * 4, ["1"] * 2]
    assert maps._inside.data["when"] == [" now", " now"]
    assert shown()._inside.data["maps"] == []


def test_tooltips_are_small() -> None:
    units = np.zeros((63, 9, SIDE, SIDE), np.uint8)
    one = Drawn("one", "plain", np.array([LEVEL] * 64), np.ones(64), np.zeros((4, 4), np.uint8), units)
    assert sum(image.size for image in shown(one, one)._inside.data["maps"]) < 60_000


def test_the_units_of_a_layer_replace_the_answers() -> None:
    maps = shown(drawn("one"), drawn("other", layers=2), layer=3, back=True)
    assert maps._answers.data["x"] == [1 + APART]
    assert [image[0, 0] for image in maps._units.data["image"]] == [2, 2, 2]
    assert maps._names["plain"].data["text"] == ["one, layer 3 now", "other"]
    assert maps._looked.data["left"] == [0.5]
    assert shown(drawn("one"), drawn("other"), layer=4)._units.data["image"] == []


def test_a_single_network_has_its_units_next_to_it() -> None:
    maps = shown(drawn("one"))
    assert maps._answers.data["x"] == [0.0]
    assert min(maps._units.data["x"]) > 1
    assert maps._names["idle"].data["text"] == ["Units of layer 2"]


def test_points_are_shown_where_there_is_nothing_to_train() -> None:
    maps = shown()
    assert maps._answers.data["image"] == []
    assert maps._points[0].data["x"].tolist() == [0.0]
    maps.touch(0.5, 0.5)
    assert maps.places == [(0.0, 0.0)]


def test_many_classes_are_digits() -> None:
    maps = shown(drawn("one"), classes=(0, 9, 3))
    assert [len(source.data["x"]) for source in maps._points.values()] == [0, 0, 0, 0]
    assert maps._digits.data["text"] == ["0", "9", "3"]
    assert len({marker for marker, _color in MARKS}) == 4


@pytest.mark.parametrize("left", [0, 1 + APART])
def test_a_touch_is_a_place_in_the_plane_or_a_layer(left: float) -> None:
    maps = shown(drawn("one"), drawn("other"))
    maps.touch(left + 0.75, 0.25)
    maps.touch(left + 0.3, STRIP + 0.02)
    maps.touch(left + 0.8, STRIP + 0.02, Pan)
    maps.touch(left + 0.8, 0.5, Pan)
    maps.touch(left + 1.03, 0.5)
    maps.touch(None, None)
    assert maps.places == [(pytest.approx(0.5), pytest.approx(-0.5))]
    assert maps.layers == [2, 4]


def test_a_touch_on_units_goes_back_to_the_answers() -> None:
    maps = shown(drawn("one"), drawn("other"), layer=2)
    maps.touch(0.5, 0.5)
    assert maps.layers == [0]
    assert maps.places == []
