"""The size of the gradient over all gains, with the promised floor and the shift from one curve to the other, and over
the blocks for the chosen gain."""

from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import POWERS, empty, fit, paint, plot, quiet_legend
from app.pictures.base.pairs import pair
from app.pictures.base.questions import drawn_here, known
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import exact_or
from sims.simulations.gradients.gradient_floor import DEEPEST, HIGHEST, LOWEST, GradientFloor

SHIFT = (0.97, 0.07)
"""Where the arrow between the two curves starts and ends, just beside the gains 1 and 0 at which they have size 1"""

LEAST, MOST = 1e-12, 1e12
"""Ends of the left figure's axis, which is fixed while the number of blocks changes."""

AROUND_THE_FLOOR = np.array([0.1, 10.0])
"""Sizes that the right figure always shows, so that the label of the floor is in it."""

INSIDE = 10.0
"""Factor by which the mark of a size beyond the axis, or of an exact zero, is inside its end"""

ASIDE = 12
"""Pixels from the dot to its number"""

FAR = 1e-60
"""Smaller sizes are omitted on the right."""


class GradientFloorView(View[GradientFloor]):
    """Two figures on logarithmic axes. A click into the left one sets the gain."""

    def draw(self) -> list[LayoutDOM]:
        over = plot(
            "Size of the gradient: drag here",
            "gain of every branch",
            "size",
            x_range=(LOWEST, HIGHEST),
            y_axis_type="log",
            y_range=(LEAST, MOST),
        )
        down = plot(
            "The same, block after block",
            "blocks",
            "size",
            x_range=(0, 100),
            **POWERS,
        )
        self._over, self._down = empty("x", "residual", "plain"), empty("x", "residual", "plain")
        # Labels are where the curves are far from the floor: left, where both are below it; right, where they separate.
        for picture, source, place, align in (
            (over, self._over, -0.5, "center"),
            (down, self._down, DEEPEST - 1, "right"),
        ):
            floor = picture.line([LOWEST, DEEPEST], [1, 1], line_width=1.8, line_dash="dotted")
            paint(floor, line_color="accent")
            words = picture.text(
                [place],
                [1],
                ["promised floor"],
                text_font_size="13px",
                text_baseline="bottom",
                text_align=align,
                y_offset=-3,
            )
            paint(words, text_color="accent")
            for name, label, dash in (("plain", "without skips", "dashed"), ("residual", "with skips", "solid")):
                line = picture.line("x", name, source=source, line_width=2.6, line_dash=dash, legend_label=label)
                paint(line, line_color=name)
                if name == "plain":
                    known(picture, floor, words, line)
            quiet_legend(picture)
        self._draw_shift(over)
        self._here = empty("x", "y", "text", "side", "aside", "baseline", "marker")
        # At this level the edge of the plot area does not clip them.
        dot = over.scatter("x", "y", source=self._here, size=14, line_width=2, marker="marker", level="annotation")
        text = over.text(
            "x",
            "y",
            "text",
            source=self._here,
            text_font_size="13px",
            text_align="side",
            text_baseline="baseline",
            x_offset="aside",
            y_offset=-9,
            level="annotation",
            **PATCH,
        )
        paint(dot, fill_color="residual", line_color="paper")
        paint(text, text_color="ink", background_fill_color="panel")
        self._dead, self._end = empty("x", "y"), empty("x", "y")
        dead = over.scatter("x", "y", source=self._dead, marker="x", size=14, line_width=3, level="annotation")
        end = down.scatter("x", "y", source=self._end, size=10, level="annotation")
        paint(dead, line_color="zero")
        paint(end, fill_color="residual", line_color="residual")
        drawn_here(over)
        pair((over, down))
        for event_type in (PanStart, Pan, Tap):
            over.on_event(event_type, self._on_pointer)
        self._down_figure = down
        return [over, down]

    def _draw_shift(self, over: figure) -> None:
        """An arrow from the curve without skips to the one with them, at size 1, where it fits any number of blocks."""
        shaft = over.line(SHIFT, [1, 1], line_width=2)
        head = over.scatter([SHIFT[1]], [1], marker="triangle", size=11, angle=np.pi / 2)
        words = over.text(
            [sum(SHIFT) / 2],
            [1],
            ["shifted by 1"],
            text_font_size="13px",
            text_baseline="top",
            text_align="center",
            y_offset=5,
            **PATCH,
        )
        paint(shaft, line_color="ink")
        paint(head, fill_color="ink", line_color="ink")
        paint(words, text_color="ink", background_fill_color="panel")

    def update(self, frame: Frame) -> None:
        gain, size = self.simulation.gain, float(frame.results["size"])
        self._over.data = {
            "x": frame["gain"],
            **{name: _drawable(frame[name], LEAST) for name in ("residual", "plain")},
        }
        depths = {name: _drawable(frame[f"{name}_by_depth"], FAR) for name in ("residual", "plain")}
        self._down.data = {"x": np.arange(len(depths["plain"])), **depths}
        fit(self._down_figure, [*depths.values(), AROUND_THE_FLOOR])
        blocks = self.simulation.blocks
        height, marker, arrow = _mark(size)
        # The label is on the side from which the curve, |1 + gain| to a power, rises.
        side, aside = ("right", -ASIDE) if gain >= -1 else ("left", ASIDE)
        self._here.data = {
            "x": [gain],
            "y": [height],
            "text": [exact_or(size, 3) + arrow],
            "side": [side],
            "aside": [aside],
            "baseline": ["top" if arrow else "bottom"],  # beside an arrow, above a dot
            "marker": [marker],
        }
        self._dead.data = {"x": [gain], "y": [height]} if size == 0 else {"x": [], "y": []}
        self._end.data = {"x": [blocks], "y": [size]} if size > FAR else {"x": [], "y": []}

    def _on_pointer(self, event: Any) -> None:
        if isinstance(event.x, float | int):
            self.change("gain", round(min(max(float(event.x), LOWEST), HIGHEST), 2))


def _mark(size: float) -> tuple[float, str, str]:
    """Where on the axis a size is marked, with which marker, and the arrow of its number: beyond the axis, one at its
    end points to it."""
    if size > MOST:
        return MOST / INSIDE, "triangle", " ↑"
    if 0 < size < LEAST:
        return LEAST * INSIDE, "inverted_triangle", " ↓"
    return size or LEAST * INSIDE, "circle", ""


def _drawable(values: np.ndarray, least: float) -> np.ndarray:
    """The values that a logarithmic axis can show: smaller ones are omitted."""
    return np.where(values > least, values, np.nan)
