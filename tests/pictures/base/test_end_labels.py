"""Labels at the ends of lines: at their lines, in their order, and apart."""

import numpy as np
import pytest

from app.pictures.base.end_labels import AROUND, LINE, EndLabels, apart
from app.pictures.base.figures import POWERS, fit, plot


def test_places_far_from_each_other_stay() -> None:
    assert apart([0.9, 0.1, 0.5], 0.1) == [0.9, 0.1, 0.5]


@pytest.mark.parametrize("places", [[0.5, 0.5, 0.52], [1.0, 0.98, 0.99, 0.97], [0.0, 0.0], []])
def test_places_close_to_each_other_are_moved_apart_and_keep_their_order(places: list[float]) -> None:
    moved = apart(places, 0.1)
    assert max(moved, default=0) <= 1
    assert [y for _, y in sorted(zip(places, moved, strict=True))] == sorted(moved)
    assert all(gap >= 0.1 - 1e-12 for gap in np.diff(sorted(moved)))


def test_a_label_is_at_the_end_of_its_line_and_one_beyond_the_axis_at_its_end() -> None:
    figure = plot("Lines", "x", "y", height=AROUND + 10 * LINE, x_range=(0, 5), **POWERS)
    fit(figure, [np.array([1e-2, 1e3])])
    labels = EndLabels(figure, {"one": "plain", "far": "residual", "none": "third", "absent": "fourth"}, 90)
    labels.show(5, {"one": (10.0, "ten"), "far": (1e60, "far"), "none": (0.0, "nothing")})
    data = {name: source.data for name, source in labels._sources.items()}
    assert data["one"] == {"x": [5], "y": [pytest.approx(10)], "text": ["ten"], "offset": [0]}
    assert data["far"]["y"] == [pytest.approx(1e3)]
    assert data["none"]["y"] == [pytest.approx(1e-2)]
    assert data["absent"] == {"x": [], "y": [], "text": [], "offset": []}


def test_labels_are_one_line_of_text_apart_however_high_the_page_shows_the_figure() -> None:
    figure = plot("Lines", "x", "y", height=AROUND + 10 * LINE, x_range=(0, 5), y_range=(0, 1))
    labels = EndLabels(figure, {"one": "plain", "other": "residual", "near": "third"}, 90)
    labels.show(5, {"one": (0.5, "half"), "other": (0.5, "half as well"), "near": (0.52, "more")})
    for height in (10 * LINE, 22 * LINE):
        ups = [source.data["y"][0] * height - source.data["offset"][0] for source in labels._sources.values()]
        assert np.diff(ups) == pytest.approx([LINE, LINE], abs=0.02 * height)
        assert np.mean(ups) == pytest.approx(0.5 * height, abs=0.02 * height)
