"""Figures for one kind of screen: what a phone lays out in another way is drawn twice, and each window shows one."""

from bokeh.models import InlineStyleSheet
from bokeh.plotting import figure

WIDE, NARROW = "wide", "narrow"

EDGE = 66
"""Width of a window from which on it is wide, in its ems: from there on, a page has a column for notes, and a figure
takes the room of both (`static/style/layout.css`)"""

PHONE = 40
"""The same for what fits a tablet. It is the width from which on a page keeps room for the picture of a wide window
(`static/style/modes.css`)."""


def only_on(screen: str, figure_: figure, edge: int = EDGE) -> None:
    """Show a figure on one kind of screen only: `WIDE` is from `edge` on, `NARROW` up to it.

    Its tag `hidden` tells the page's scripts the media query that hides it.
    """
    other = f"(max-width: {edge - 0.01}em)" if screen == WIDE else f"(min-width: {edge}em)"
    sheet = f"@media {other} {{ :host {{ display: none !important }} }}"
    figure_.tags = [*figure_.tags, {"hidden": other}]
    figure_.stylesheets = [*figure_.stylesheets, InlineStyleSheet(css=sheet)]
