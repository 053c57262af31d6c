"""Figures for one kind of screen: what a phone lays out in another way is drawn again for it."""

from bokeh.models import InlineStyleSheet
from bokeh.plotting import figure

WIDE, TABLET, NARROW = "wide", "tablet", "narrow"

EDGE = 66
"""Width of a window from which on it is wide, in its ems: from there on, a page has a column for notes, and a figure
takes the room of both (`static/style/layout.css`)"""

PHONE = 40
"""The same for what fits a tablet. It is the width from which on a page keeps room for the picture of a wide window
(`static/style/modes.css`)."""


def only_on(screen: str, figure_: figure, edge: int = EDGE) -> None:
    """Show a figure on one kind of screen only: `WIDE` is from `edge` on, `NARROW` up to it, and `TABLET` from `PHONE`
    up to it.

    Its tag `hidden` tells the page's scripts the media query that hides it.
    """
    below, above = f"(max-width: {(PHONE if screen == TABLET else edge) - 0.01}em)", f"(min-width: {edge}em)"
    other = {WIDE: below, NARROW: above, TABLET: f"{below}, {above}"}[screen]
    sheet = f"@media {other} {{ :host {{ display: none !important }} }}"
    figure_.tags = [*figure_.tags, {"hidden": other}]
    figure_.stylesheets = [*figure_.stylesheets, InlineStyleSheet(css=sheet)]
