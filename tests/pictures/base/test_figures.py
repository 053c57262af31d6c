"""Figures keep zeros visible, fit their axes to powers of ten, and take their colors from the palette."""

import numpy as np
import pytest

from app.pictures.base.figures import LAST_TICK, PLACES, POWERS, STEPS, Curves, LogBars, fit, plot, surround
from app.pictures.base.theme import LIGHT


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([0.5, 20.0], (0.1, 100.0)),
        ([3.0], (0.1, 10.0)),
        ([], (0.01, 1.0)),
        ([np.nan, np.inf, 0.0, -1.0, 7.0], (0.1, 10.0)),
    ],
)
def test_a_logarithmic_axis_ends_at_powers_of_ten_two_or_more_apart(
    values: list[float], ends: tuple[float, float]
) -> None:
    figure = plot("A title", "x", "y", **POWERS)
    assert fit(figure, [np.array(values)]) == pytest.approx(ends[0])
    assert (figure.y_range.start, figure.y_range.end) == pytest.approx(ends)


def test_a_title_that_asks_needs_no_period() -> None:
    names = [plot(title, "x", "y").html_attributes["aria-label"] for title in ("A title", "Which one?")]
    assert [name.partition(" The text")[0] for name in names] == ["A title.", "Which one?"]


@pytest.mark.parametrize("values", [[1e-53, 1e12], [1e-13, 3.0], [1e-1, 1e7]])
def test_one_has_a_label_on_a_logarithmic_axis(values: list[float]) -> None:
    figure = plot("A title", "x", "y", **POWERS)
    fit(figure, [np.array(values)])
    assert 1.0 in figure.yaxis[0].ticker.ticks


@pytest.mark.parametrize(
    ("values", "ends"),
    [([0.0, 2.0], (-0.1, 2.1)), ([3.0, np.nan, np.inf], (2.95, 3.05)), ([], (0, 1)), ([np.nan], (0, 1))],
)
def test_a_linear_axis_ends_a_little_beyond_its_values(values: list[float], ends: tuple[float, float]) -> None:
    figure = plot("A title", "x", "y", y_range=(0, 1))
    surround(figure, [np.array(values)])
    assert (figure.y_range.start, figure.y_range.end) == pytest.approx(ends)


def test_an_exact_zero_is_a_cross_and_not_a_missing_bar() -> None:
    bars = LogBars(plot("A title", "x", "y", **PLACES, **POWERS), {"plain": ("plain", "plain")})
    bars.show({"plain": np.array([0.0, 1.0, np.nan])})
    data = bars._sources["plain"].data
    assert np.isnan(data["top"]).tolist() == [True, False, True]
    assert np.isfinite(data["zero_y"]).tolist() == [True, False, False]


def test_a_curve_that_is_missing_disappears_and_the_axis_shows_the_whole_run() -> None:
    figure = plot("A title", "x", "y", **STEPS)
    curves = Curves(figure, {"plain": ("plain", "plain", "dashed"), "residual": ("residual", "residual", "solid")})
    values = np.array([1.0, 0.5])
    curves.show(np.array([0, 10]), 600, {"plain": [values, values, values]})
    assert figure.x_range.end == 600
    assert np.isnan(curves.source.data["residual"]).all()
    assert curves.source.data["plain"].tolist() == [1.0, 0.5]


def test_colors_are_names_of_the_palette_for_the_page_to_repaint() -> None:
    figure = plot("A title", "x", "y", **STEPS)
    Curves(figure, {"plain": ("plain", "plain", "dashed")})
    glyphs = [renderer.glyph for renderer in figure.renderers]
    assert [glyph.tags for glyph in glyphs] == [
        ["ink:fill_color=plain"],
        ["ink:line_color=plain"],
        ["ink:fill_color=plain", "ink:line_color=plain"],
    ]
    assert glyphs[1].line_color == LIGHT["plain"]


def test_the_last_tick_has_room_beside_the_axes() -> None:
    assert plot("", "", "").min_border_right == LAST_TICK
    assert plot("", "", "", min_border=3).min_border_right is None
    assert plot("", "", "", min_border_right=40).min_border_right == 40
