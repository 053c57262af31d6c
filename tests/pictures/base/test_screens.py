"""A figure for one kind of screen is hidden on the other, and no window shows both or none."""

import re

from app.pages.files.assets import FOLDER
from app.pictures.base.figures import plot
from app.pictures.base.screens import EDGE, NARROW, SHEETS, WIDE, only_on


def test_a_window_of_any_width_shows_one_of_both_and_pages_change_there_too():
    (up_to,) = re.findall(r"max-width: ([\d.]+)em", SHEETS[WIDE])
    (from_on,) = re.findall(r"min-width: (\d+)em", SHEETS[NARROW])
    assert float(up_to) == EDGE - 0.01
    assert int(from_on) == EDGE
    layout = (FOLDER / "style" / "layout.css").read_text(encoding="utf-8")
    assert f"@media (max-width: {up_to}em)" in layout


def test_a_figure_gets_the_sheet_of_its_screen():
    chart = plot("A title", "", "")
    only_on(NARROW, chart)
    assert [sheet.css for sheet in chart.stylesheets] == [SHEETS[NARROW]]
