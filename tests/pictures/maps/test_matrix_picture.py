"""Matrices as pictures: signs are colors, zero is nothing, and the first row is on top."""

import numpy as np
import pytest

from app.pictures.maps.matrix_picture import LEVELS, NEGATIVE, PALE, POSITIVE, MatrixPair, mapper, palette


def test_zero_is_transparent_and_the_ends_are_not() -> None:
    colors = palette()
    assert len(colors) == 2 * LEVELS + 1
    assert colors[LEVELS].endswith("00")
    assert (colors[0], colors[-1]) == (NEGATIVE + "ff", POSITIVE + "ff")


def test_the_page_can_repaint_the_ends_of_the_palette_in_its_theme() -> None:
    colors = mapper(1.0)
    formers = dict(tag.removeprefix("tint:").split("=") for tag in colors.tags)
    assert formers == {POSITIVE: "positive", NEGATIVE: "negative"}
    assert {color[:7] for color in colors.palette} == set(formers)


def pair(trained: bool = True) -> MatrixPair:
    picture = MatrixPair("Two matrices", 2.0)
    matrices = {"plain": np.arange(9.0).reshape(3, 3), "residual": np.eye(3)}
    picture.show(matrices, {"plain": "0.9", "residual": "0"}, -1.0, trained)
    return picture


def test_the_picture_is_the_matrix_with_its_first_row_on_top() -> None:
    picture = pair()
    np.testing.assert_array_equal(picture._image.data["image"][0][::-1], np.arange(9.0).reshape(3, 3))
    assert picture._image.data["x"][0] + 1 < picture._image.data["x"][1]


def test_the_wanted_cells_are_outlined_in_both() -> None:
    data = pair()._cells.data
    assert data["x"][:3] == pytest.approx([1 / 6, 1 / 2, 5 / 6])
    assert data["y"] == pytest.approx([5 / 6, 1 / 2, 1 / 6] * 2)
    assert pair()._wanted.data["text"] == ["target: −1 on the diagonal"]


def test_what_is_untrained_is_pale_and_has_gray_words() -> None:
    for trained, alpha, words in ((True, 1.0, [1, 1, 0]), (False, PALE, [0, 0, 2])):
        picture = pair(trained)
        assert picture._image.data["alpha"] == [alpha] * 2
        assert [len(source.data["text"]) for source in picture._words.values()] == words
