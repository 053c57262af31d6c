"""A figure for one kind of screen is hidden on the other, and no window shows both or none."""

import re

import pytest

from app.pages.files.assets import FOLDER
from app.pictures.base.figures import plot
from app.pictures.base.screens import EDGE, NARROW, PHONE, WIDE, only_on


def sheet(screen: str, edge: int) -> str:
    chart = plot("A title", "", "")
    only_on(screen, chart, edge)
    (only,) = chart.stylesheets
    return str(only.css)


@pytest.mark.parametrize("edge", [EDGE, PHONE])
def test_a_window_of_any_width_shows_one_of_both(edge):
    (up_to,) = re.findall(r"max-width: ([\d.]+)em", sheet(WIDE, edge))
    (from_on,) = re.findall(r"min-width: (\d+)em", sheet(NARROW, edge))
    assert float(up_to) == edge - 0.01
    assert int(from_on) == edge


@pytest.mark.parametrize("screen", [WIDE, NARROW])
def test_the_scripts_know_what_hides_it(screen):
    chart = plot("A title", "", "")
    only_on(screen, chart)
    (only,) = chart.stylesheets
    (tag,) = chart.tags
    assert only.css.startswith(f"@media {tag['hidden']} ")


@pytest.mark.parametrize(("file", "up_to"), [("layout", EDGE - 0.01), ("modes", PHONE)])
def test_pages_change_there_too(file, up_to):
    style = (FOLDER / "style" / f"{file}.css").read_text(encoding="utf-8")
    assert f"@media (max-width: {up_to}em)" in style
