"""Matrices as pictures: signs are colors, zero is nothing, and the first row is on top."""

import numpy as np

from app.pictures.matrix_picture import LEVELS, NEGATIVE, POSITIVE, MatrixPicture, palette


def test_zero_is_transparent_and_the_ends_are_not() -> None:
    colors = palette()
    assert len(colors) == 2 * LEVELS + 1
    assert colors[LEVELS].endswith("00")
    assert (colors[0], colors[-1]) == (NEGATIVE + "ff", POSITIVE + "ff")


def test_the_picture_is_the_matrix_with_its_first_row_on_top() -> None:
    picture, matrix = MatrixPicture("A matrix", 2.0), np.arange(6.0).reshape(2, 3)
    picture.show(matrix)
    np.testing.assert_array_equal(picture._image.data["image"][0], matrix)
    assert picture.figure.y_range.start > picture.figure.y_range.end
    assert picture.figure.x_range.end == 3.5
