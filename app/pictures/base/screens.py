"""Figures for one kind of screen: what a phone lays out in another way is drawn twice, and each window shows one."""

from collections.abc import Mapping

from bokeh.models import InlineStyleSheet
from bokeh.plotting import figure

WIDE, NARROW = "wide", "narrow"

EDGE = 1000
"""Width of a window in pixels from which on it is wide: there a figure has at least 800 pixels"""

SHEETS: Mapping[str, str] = {
    WIDE: f"@media (max-width: {EDGE - 1}px) {{ :host {{ display: none !important }} }}",
    NARROW: f"@media (min-width: {EDGE}px) {{ :host {{ display: none !important }} }}",
}
"""Screen → the style sheet that hides a figure on the other"""


def only_on(screen: str, figure_: figure) -> None:
    """Show a figure on one kind of screen only."""
    figure_.stylesheets = [*figure_.stylesheets, InlineStyleSheet(css=SHEETS[screen])]
