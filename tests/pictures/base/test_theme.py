"""The palette: readable in both themes (WCAG 2.2, 1.4.3 and 1.4.11), and safe for the color-blind."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest

from app.pictures.base import theme
from tests import colors as seen
from tests.colors import SHAPE_CONTRAST, TEXT_CONTRAST

THEMES = {"light": theme.LIGHT, "dark": theme.DARK}
TEXT = ["ink", "soft", "accent", "plain", "residual", "third", "fourth", "fifth", "healthy", "idle", "failing"]
GROUNDS = ["paper", "panel", "wash"]

# Machado, Oliveira and Fernandes 2009, table 1, severity 1.0; they act on linear light.
BLINDNESS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "none": np.eye(3).tolist(),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)
FAR_APART = 30.0
"""Difference in CIELAB (1976) that nobody overlooks; 2 is the least that can be seen."""


def linear(color: str) -> np.ndarray:
    return seen.linear(seen.values(color))


def contrast(one: str, other: str) -> float:
    return seen.contrast(seen.values(one), seen.values(other))


def lab(light: np.ndarray) -> np.ndarray:
    ratio = TO_XYZ @ np.clip(light, 0, 1) / WHITE
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21, abs=0.01)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colors", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", TEXT)
def test_text_can_be_read(name: str, ground: str, colors: Mapping[str, str]) -> None:
    assert contrast(colors[name], colors[ground]) >= TEXT_CONTRAST


@pytest.mark.parametrize("colors", THEMES.values(), ids=THEMES)
def test_words_on_a_pressed_button_can_be_read(colors: Mapping[str, str]) -> None:
    assert contrast(colors["paper"], colors["accent"]) >= TEXT_CONTRAST
    assert contrast(colors["paper"], colors["ink"]) >= TEXT_CONTRAST


@pytest.mark.parametrize("colors", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("name", ["edge", "zero", "positive", "negative", "above"])
def test_shapes_can_be_seen(name: str, colors: Mapping[str, str]) -> None:
    assert all(contrast(colors[name], colors[ground]) >= SHAPE_CONTRAST for ground in GROUNDS)


@pytest.mark.parametrize("colors", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("matrix", BLINDNESS.values(), ids=BLINDNESS)
@pytest.mark.parametrize(("one", "other"), [("plain", "residual"), ("healthy", "failing"), ("positive", "negative")])
def test_what_must_be_distinguishable_is(
    one: str, other: str, matrix: list[list[float]], colors: Mapping[str, str]
) -> None:
    first, second = (lab(np.array(matrix) @ linear(colors[name])) for name in (one, other))
    assert np.linalg.norm(first - second) >= FAR_APART


def test_both_themes_have_the_same_names_and_no_color_twice_among_the_data() -> None:
    assert theme.LIGHT.keys() == theme.DARK.keys()
    for colors in THEMES.values():
        assert all(colors[one] != colors[other] for one, other in combinations(theme.SERIES, 2))


def test_every_state_of_health_has_a_glyph_of_its_own() -> None:
    assert set(theme.GLYPHS) <= set(theme.LIGHT)
    assert len(set(theme.GLYPHS.values())) == len(theme.GLYPHS)


def test_the_style_sheet_follows_the_system_and_the_readers_choice() -> None:
    sheet = theme.style_sheet()
    assert f"--plain:{theme.LIGHT['plain']}" in sheet
    assert "@media (prefers-color-scheme:dark){:root:not([data-theme=light]){" in sheet
    assert sheet.count(f"--plain:{theme.DARK['plain']}") == 2
