"""Nested grids: what is known stays, and nothing is made up."""

import numpy as np
import pytest

from sims.instruments.surfaces import grids


@pytest.mark.parametrize("finest", grids.SIZES)
def test_every_grid_is_part_of_the_finer_ones(finest: int) -> None:
    places = grids.order(finest)
    assert len({tuple(place) for place in places.tolist()}) == finest**2
    for size in grids.SIZES[: grids.SIZES.index(finest) + 1]:
        coordinates = grids.coordinates(finest, 2.0, 0, size**2)
        even = np.linspace(-2, 2, size)
        assert {tuple(point) for point in coordinates.round(12).tolist()} == {
            (float(a.round(12)), float(b.round(12))) for a in even for b in even
        }


def test_rows_go_along_b_and_columns_along_a() -> None:
    coordinates = grids.coordinates(11, 1.0, 0, 121)
    np.testing.assert_allclose(grids.grid(coordinates[:, 0], 11, 11)[3], np.linspace(-1, 1, 11))
    np.testing.assert_allclose(grids.grid(coordinates[:, 1], 11, 11)[:, 3], np.linspace(-1, 1, 11))


def test_a_picture_holds_only_values_that_were_computed() -> None:
    values = np.random.default_rng(0).normal(size=441)
    for count in (36, 50, 121, 300, 441):
        picture = grids.picture(values[:count], 21)
        assert set(picture.reshape(-1).tolist()) == set(values[:count].tolist())
        assert grids.complete(count) <= len(picture)
    np.testing.assert_array_equal(grids.picture(values, 21), grids.grid(values, 21, 21))
    np.testing.assert_array_equal(grids.grid(values, 21, 21)[::2, ::2], grids.grid(values[:121], 21, 11))
