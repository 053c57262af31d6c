"""Two figures of one stage: side by side where there is room, and above each other on a phone."""

from collections.abc import Iterable

from bokeh.plotting import figure

LOW = 254
"""Pixels of height of each on a phone, so that both fit on its screen"""


def pair(figures: Iterable[figure], height: int = 340) -> None:
    """Let two figures be up to `height` pixels high on a wide window, and `LOW` on a narrow one."""
    for fig in figures:
        fig.height = LOW
        fig.styles = {"height": f"clamp({LOW}px, 30vw, {height}px)"}
