"""Two figures that share a screen."""

from app.pictures.base.figures import plot
from app.pictures.base.pairs import LOW, pair

PHONE = 520
"""Pixels of height that a stage may have on a phone"""


def test_a_pair_fits_on_a_phone_and_grows_with_the_window() -> None:
    one, other = plot("One", "x", "y"), plot("Other", "x", "y")
    pair((one, other), 400)
    assert one.height + other.height <= PHONE
    for panel in (one, other):
        assert panel.styles == {"height": f"clamp({LOW}px, 30vw, 400px)"}
