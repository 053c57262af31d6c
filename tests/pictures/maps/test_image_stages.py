"""The stages of an image: square pixels from paper to ink, small enough for two rows."""

import numpy as np
import pytest
from bokeh.models import GlyphRenderer, Image

from app.pictures.maps.image_stages import FINER, HEIGHT, WIDTH, ImageStages
from app.pictures.maps.matrix_picture import LEVELS

SIDE = 8


def stages(count: int, factor: float = 1.0) -> ImageStages:
    picture = ImageStages("Title", "residual", "solid")
    first = np.arange(SIDE * SIDE, dtype=float).reshape(SIDE, SIDE)
    picture.show(np.stack([first, *[factor * first] * count]), np.full(count + 1, 0.5), "residual", "words")
    return picture


def test_a_unit_is_as_wide_as_high() -> None:
    figure = stages(8).figure
    across, up = (axis.end - axis.start for axis in (figure.x_range, figure.y_range))
    assert figure.aspect_ratio == pytest.approx(across / up)
    glyphs = [renderer.glyph for renderer in figure.renderers if isinstance(renderer, GlyphRenderer)]
    image = next(glyph for glyph in glyphs if isinstance(glyph, Image))
    assert image.dw == image.dh


@pytest.mark.parametrize("count", [1, 4, 8, 9, 12])
def test_all_stages_have_room(count: int) -> None:
    data = stages(count).images.data
    for x, y, side in zip(data["x"], data["y"], data["side"], strict=True):
        assert x >= 0
        assert x + side <= WIDTH + 1e-9
        assert -HEIGHT < y < y + side <= 0


def test_from_paper_to_ink_with_the_first_row_on_top() -> None:
    image = stages(1).images.data["image"][0]
    assert image.shape == (FINER * SIDE, FINER * SIDE)
    assert (image.min(), image.max()) == (0, LEVELS)
    assert image[0].mean() > image[-1].mean()


def test_an_image_is_drawn_at_the_size_of_the_first_one() -> None:
    first, second = stages(1, factor=1e-6).images.data["image"]
    np.testing.assert_array_equal(first, second)


def test_nothing_is_even_gray() -> None:
    picture = ImageStages("Title", "plain", "dashed")
    centered = np.arange(SIDE * SIDE, dtype=float).reshape(SIDE, SIDE) - (SIDE * SIDE - 1) / 2
    picture.show(np.stack([centered, np.zeros((SIDE, SIDE))]), np.array([1.0, 0.0]), "plain", "words")
    assert set(picture.images.data["image"][1].flat) == {LEVELS // 2}
