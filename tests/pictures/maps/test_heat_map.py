"""A grid of colors: powers of ten, exact zeros below them, and nothing where nothing is known."""

import numpy as np

from app.pictures.maps.heat_map import HeatMap


def shown(values, **options):
    picture = HeatMap("A grid", "across", "up")
    picture.show(np.array(values), (0, 2), (0, 2), **options)
    return picture


def test_values_stand_on_a_logarithmic_scale_and_zero_below_it():
    picture = shown([[1e-3, 10.0], [0.0, np.nan]])
    (image,) = picture._image.data["image"]
    assert image[0].tolist() == [-3, 1]
    assert image[1, 0] < picture._mapper.low == -3
    assert np.isnan(image[1, 1])
    assert picture._mapper.high == 1


def test_what_is_far_below_the_rest_keeps_the_darkest_color():
    picture = shown([[1.0, 1e-30]])
    assert picture._image.data["image"][0][0, 1] == picture._mapper.low == -12


def test_a_grid_that_is_not_complete_fills_its_share():
    picture = shown([[1.0, 1.0]], columns=8)
    assert picture._image.data["width"] == [0.5]


def test_only_zeros_have_a_picture_too():
    picture = shown([[0.0, 0.0]])
    assert (picture._image.data["image"][0] < picture._mapper.low).all()
