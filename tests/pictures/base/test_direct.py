"""Words stand beside what they name, in its color, and never on each other."""

from typing import Any

import numpy as np
import pytest

from app.pictures.base.direct import LOOKS, Bands, Dots, Words, spread_out
from app.pictures.base.figures import plot

COLORS = {name: color for name, (color, _) in LOOKS.items()}


@pytest.mark.parametrize(
    ("heights", "moved"),
    [
        ([0.2, 0.8], [0.2, 0.8]),
        ([0.5, 0.5], [0.45, 0.55]),
        ([0.52, 0.5], [0.56, 0.46]),
        ([0.5, 0.5, 0.58], [0.4267, 0.5267, 0.6267]),
        ([0.3], [0.3]),
        ([], []),
    ],
)
def test_words_are_moved_apart_as_little_as_it_takes(heights: list[float], moved: list[float]) -> None:
    assert spread_out(heights, 0.1) == pytest.approx(moved, abs=1e-4)


def test_a_line_that_is_missing_disappears() -> None:
    bands = Bands(plot("A title", "x", "y"), LOOKS)
    values = np.array([1.0, 0.5])
    bands.show([2, 8], {"plain": [values, values - 0.1, values + 0.1]})
    assert bands.source.data["x"].tolist() == [2, 8]
    assert bands.source.data["plain_low"].tolist() == [0.9, 0.4]
    assert np.isnan(bands.source.data["residual"]).all()


def test_words_and_dots_come_and_go_with_what_they_name() -> None:
    figure = plot("A title", "x", "y", y_range=(0, 1))
    words, dots = (kind(figure, COLORS, 0.1) for kind in (Words, Dots))
    words.show({"plain": (3, 0.9, "plain 90%")})
    dots.show({"plain": (3, 0.9)})
    assert words._sources["plain"].data == {"x": [3], "y": [0.9], "text": ["plain 90%"]}
    assert words._sources["residual"].data["text"] == dots._sources["residual"].data["x"] == []
    assert dots._sources["plain"].data == {"x": [3], "y": [0.9]}


@pytest.mark.parametrize(
    ("options", "heights"),
    [({"y_range": (0, 10)}, [0.5, 1.5]), ({"y_axis_type": "log", "y_range": (0.1, 1000)}, [10**-0.2, 10**0.2])],
)
def test_words_keep_a_share_of_the_axis_apart(options: dict[str, Any], heights: list[float]) -> None:
    words = Words(plot("A title", "x", "y", **options), COLORS, 0.1)
    words.show({"plain": (0, 1.0, "plain"), "residual": (0, 1.0, "residual")})
    assert [words._sources[name].data["y"][0] for name in COLORS] == pytest.approx(heights)
