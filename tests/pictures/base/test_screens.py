"""A figure for one kind of screen is hidden on the other, and no window shows both or none."""

import re

from app.pictures.base.figures import plot
from app.pictures.base.screens import EDGE, NARROW, SHEETS, WIDE, only_on


def test_a_window_of_any_width_shows_one_of_both():
    (up_to,) = re.findall(r"max-width: (\d+)px", SHEETS[WIDE])
    (from_on,) = re.findall(r"min-width: (\d+)px", SHEETS[NARROW])
    assert int(up_to) + 1 == int(from_on) == EDGE


def test_a_figure_gets_the_sheet_of_its_screen():
    chart = plot("A title", "", "")
    only_on(NARROW, chart)
    assert [sheet.css for sheet in chart.stylesheets] == [SHEETS[NARROW]]
