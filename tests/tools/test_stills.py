"""What `make stills` opens for the figures of a page."""

from itertools import pairwise

from app.pages.files.stills import THEMES, WIDTHS
from tools.stills import PICTURED, visits

TALL = 760
"""Width in pixels of a stage from which on a page scales its pictures when it is loaded (tall.js)"""


def test_every_width_is_measured_on_the_page_and_in_the_frame_of_a_figure() -> None:
    opened = list(visits("degradation"))
    frames = {visit.address for visit in opened if visit.place == "embed"}
    assert "embed/degradation" in frames
    for address in ("degradation", *frames):
        widths = {width for visit in opened if visit.address == address for width in visit.window.widths}
        assert widths == set(WIDTHS), address


def test_images_are_made_in_both_themes_at_each_size() -> None:
    pictured = [(visit.theme, visit.size) for visit in visits("degradation") if visit.size]
    assert sorted(pictured) == sorted((theme, size) for theme in THEMES for size in PICTURED)


def test_no_window_changes_its_width_where_pictures_are_scaled_as_they_are_loaded() -> None:
    for visit in visits("degradation"):
        widest, *others = visit.window.widths
        assert not others or widest <= TALL + 32, visit
        assert all(first > second for first, second in pairwise(visit.window.widths)), visit
