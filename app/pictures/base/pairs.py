"""Two figures as one main picture: side by side if there is room, and one above the other on a phone."""

from collections.abc import Iterable

from bokeh.plotting import figure

LOW = 254
"""Height of each figure in pixels on a phone, so that both fit on its screen"""


def pair(figures: Iterable[figure], height: int = 340) -> None:
    """Make two figures up to `height` pixels high on a wide window, and `LOW` on a narrow one."""
    for fig in figures:
        fig.height = LOW
        fig.styles = {"height": f"clamp({LOW}px, 30vw, {height}px)"}
