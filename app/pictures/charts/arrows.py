"""A plane with arrows, which show vectors of two numbers."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models.annotations import Arrow, VeeHead
from bokeh.plotting import figure

from app.pictures.base.dragging import Throttle
from app.pictures.base.figures import empty, ink, paint, plot, quiet_legend


class Arrows:
    """The figure, created once; `show` moves the arrows. Both axes have the same scale."""

    def __init__(self, title: str, kinds: Mapping[str, tuple[str, str, str]]) -> None:
        """`kinds`: name of an arrow → (label in the legend, color, dash)."""
        self.figure = plot(
            title,
            "first number",
            "second number",
            height=330,
            x_range=(-1, 1),
            y_range=(-1, 1),
            max_width=430,
        )
        self.figure.update(aspect_ratio=1.0)
        self._sources = {}
        for name, (label, color, dash) in kinds.items():
            source = self._sources[name] = empty("x0", "y0", "x1", "y1")
            head = VeeHead(size=11)
            arrow = Arrow(x_start="x0", y_start="y0", x_end="x1", y_end="y1", source=source, end=head)
            arrow.update(line_width=2.4, line_dash=dash)
            ink(arrow, line_color=color)
            ink(head, line_color=color, fill_color=color)
            self.figure.add_layout(arrow)
            sample = self.figure.line([9e9, 9e9], [9e9, 9e9], line_width=2.4, line_dash=dash, legend_label=label)
            paint(sample, line_color=color)
        quiet_legend(self.figure, columns=3 if len(kinds) == 3 else 2)

    def show(self, arrows: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> None:
        """Name → tails and tips, both (arrows, 2) or (2,)."""
        fit_square(self.figure, [end for ends in arrows.values() for end in ends])
        for name, (tails, tips) in arrows.items():
            ends = np.hstack([np.atleast_2d(tails), np.atleast_2d(tips)])
            self._sources[name].data = dict(zip(("x0", "y0", "x1", "y1"), ends.T, strict=True))

    def follow(self, callback: Callable[[float, float], None]) -> None:
        """Call `callback(x, y)` where the figure is clicked, and repeatedly while a pointer is dragged."""
        throttle = Throttle()

        def moved(event: Any) -> None:
            if isinstance(event.x, float | int) and isinstance(event.y, float | int) and throttle.allows():
                callback(float(event.x), float(event.y))

        for event_type in (Tap, PanStart, Pan):
            self.figure.on_event(event_type, moved)


def fit_square(plot_: figure, points: Sequence[np.ndarray], per_doubling: int = 1) -> None:
    """Set both axes to the same size beyond all points: a power of two, or one of `per_doubling` steps between two of
    them. It rarely changes, so that the picture stays still."""
    farthest = max(float(np.abs(point[np.isfinite(point)]).max(initial=0)) for point in points)
    steps = math.ceil(per_doubling * math.log2(max(1.1 * farthest, 1e-9)))
    reach = 2.0 ** (max(0, steps) / per_doubling)
    x_range: Any = plot_.x_range
    if x_range.end != reach:
        x_range.update(start=-reach, end=reach)
        plot_.y_range.update(start=-reach, end=reach)
