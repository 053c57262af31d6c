"""Figures for one kind of screen: what a phone lays out in another way is drawn twice, and each window shows one."""

from collections.abc import Mapping

from bokeh.models import InlineStyleSheet
from bokeh.plotting import figure

WIDE, NARROW = "wide", "narrow"

EDGE = 66
"""Width of a window from which on it is wide, in its ems: from there on, a page has a column for notes, and a figure
takes the room of both (`static/style/layout.css`)"""

SHEETS: Mapping[str, str] = {
    WIDE: f"@media (max-width: {EDGE - 0.01}em) {{ :host {{ display: none !important }} }}",
    NARROW: f"@media (min-width: {EDGE}em) {{ :host {{ display: none !important }} }}",
}
"""Screen → the style sheet that hides a figure on the other"""


def only_on(screen: str, figure_: figure) -> None:
    """Show a figure on one kind of screen only."""
    figure_.stylesheets = [*figure_.stylesheets, InlineStyleSheet(css=SHEETS[screen])]
