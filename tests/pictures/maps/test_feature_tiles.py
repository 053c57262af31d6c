"""Rows of tiles: what is fed stands out and has a bold name, and a touch says which tile it meant."""

import numpy as np
import pytest
from bokeh.events import Tap
from bokeh.models import LinearColorMapper

from app.pictures.maps.feature_tiles import FeatureTiles
from sims.data.input_features import LABELS
from sims.instruments.networks.unit_maps import REST


@pytest.fixture
def touched() -> list[str]:
    return []


@pytest.fixture
def tiles(touched: list[str]) -> FeatureTiles:
    feature_tiles = FeatureTiles("Tiles", touched.append)
    feature_tiles.show(np.zeros((len(LABELS), 4, 4), np.uint8), ["x2", "sine_x1"])
    return feature_tiles


def test_every_function_has_a_map_and_is_either_fed_or_not(tiles: FeatureTiles) -> None:
    assert len(tiles._maps.data["image"]) == len(LABELS)
    assert tiles._names[True].data["text"] == ["x₂", "sin 3x₁"]
    assert tiles._names[False].data["text"] == ["x₁", "x₁²", "x₂²", "x₁x₂", "sin 3x₂"]
    assert [len(source.data["left"]) for source in (tiles._fed, tiles._rest)] == [2, 5]


def test_a_tenth_of_the_largest_value_can_be_seen(tiles: FeatureTiles) -> None:
    (mapper,) = tiles.figure.select({"type": LinearColorMapper})
    tenth = mapper.palette[REST + 13]
    assert int(tenth[-2:], 16) > 0.2 * 255


def test_tiles_do_not_overlap_and_are_inside_the_picture(tiles: FeatureTiles) -> None:
    tiles_, ranges = (tiles._fed.data, tiles._rest.data), (tiles.figure.x_range, tiles.figure.y_range)
    corners = sorted((left, low) for data in tiles_ for left, low in zip(data["left"], data["bottom"], strict=True))
    assert corners == sorted(zip(tiles._maps.data["x"], tiles._maps.data["y"], strict=True))
    assert len(set(corners)) == len(LABELS)
    for one, other in zip(np.unique(corners, axis=0)[:-1], np.unique(corners, axis=0)[1:], strict=True):
        assert np.abs(one - other).max() > 1.1
    for axis, places in zip(ranges, zip(*corners, strict=True), strict=True):
        assert axis.start < min(places)
        assert max(places) + 1 < axis.end


def test_a_touch_means_the_tile_that_is_there(tiles: FeatureTiles, touched: list[str]) -> None:
    for left, low in tiles._corners:
        tiles.figure._trigger_event(Tap(tiles.figure, sx=0, sy=0, x=left + 0.4, y=low + 0.5))
    assert touched == list(LABELS)
    last, low = tiles._corners[-1]
    for x in (-0.1, last + 1.5, None):
        tiles.figure._trigger_event(Tap(tiles.figure, sx=0, sy=0, x=x, y=low + 0.5))
    assert touched == list(LABELS)
