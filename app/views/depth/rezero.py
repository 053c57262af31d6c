"""A line for every factor of ReZero; as measures, gradients block by block, and errors."""

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, LayoutDOM, NumeralTickFormatter

from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, empty, paint, plot, words
from app.pictures.base.questions import known, until_answered
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.depth.rezero import Rezero

SIGNS = {"above": ("residual", "solid", 1), "below": ("fourth", "dashed", -1)}
"""Where a factor ends → color and dash of its line, and its sign"""

ROOM = 1.25
"""End of the axis, relative to the largest factor"""


class RezeroView(View[Rezero]):
    """Lines that leave zero in both directions, and how many do."""

    def draw(self) -> list[LayoutDOM]:
        self._fan = plot("Every block's factor α", "training step", "α", height=340, x_range=(0, 1), y_range=(-1, 1))
        self._fan.styles = {"grid-column": "1 / -1"}
        self._fan.min_border_right = 96
        self._fan.xaxis.ticker = BasicTicker(desired_num_ticks=4)
        zero = self._fan.line([0, 1e6], [0, 0], line_width=1.5)
        paint(zero, line_color="zero")
        self._lines, self._words, self._tips = {}, {}, empty("x", "y")
        for name, (color, dash, _sign) in SIGNS.items():
            self._lines[name] = empty("x", "y")
            lines = self._fan.multi_line("x", "y", source=self._lines[name], line_width=1.6, line_dash=dash)
            lines.glyph.line_alpha = 0.75
            paint(lines, line_color=color)
            self._words[name] = empty("x", "y", "text")
            counted = self._fan.text(
                "x",
                "y",
                "text",
                source=self._words[name],
                text_font_size="15px",
                text_baseline="middle",
                x_offset=10,
                level="overlay",
            )
            paint(counted, text_color=color)
        tips = self._fan.scatter("x", "y", source=self._tips, size=5, level="annotation")
        paint(tips, fill_color="ink", line_color="ink")
        start = ColumnDataSource({"x": [0], "y": [0], "text": ["all factors start here"]})
        paint(self._fan.scatter("x", "y", source=start, size=9), fill_color="ink", line_color="ink")
        words(self._fan, start, "ink", text_align="left", text_baseline="bottom", x_offset=10, y_offset=-6)
        known(self._fan, zero)
        until_answered(self._fan, start)
        return [self._fan]

    def measures(self) -> list[LayoutDOM]:
        kinds = {"first": ("first matrix", "third"), "last": ("last matrix", "fourth")}
        self._bars, figures = {}, []
        for name, when in (("at_start", "at the first step"), ("now", "now")):
            figure = plot(f"Gradients of the weights, {when}", "block", "norm", height=300, **PLACES, **POWERS)
            figures.append(figure)
            self._bars[name] = LogBars(figure, kinds)
        errors = plot("Training error", "training step", "error", height=300, y_range=(-0.02, 1.02), **STEPS)
        errors.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._errors = Curves(
            errors,
            {
                "rezero_error": ("ReZero", "residual", "solid"),
                "zero_error": ("last layers from zero", "fifth", "dashed"),
            },
        )
        return [*figures, errors]

    def update(self, frame: Frame) -> None:
        factors, steps = frame["factors"], frame["steps"]
        end = np.nan_to_num(factors[-1])
        most = max(float(np.nanmax(np.abs(factors))), 0.01) * ROOM
        self._tips.data = {"x": np.full(len(end), steps[-1]), "y": end}
        self._fan.x_range.update(start=0, end=frame.steps)
        self._fan.y_range.update(start=-most, end=most)
        for name, (_color, _dash, sign) in SIGNS.items():
            chosen = factors[:, np.sign(end) == sign]
            self._lines[name].data = {"x": [steps] * chosen.shape[1], "y": list(chosen.T)}
            counted = chosen.shape[1]
            texts = [f"{counted} {name} 0"] if frame.step else []
            self._words[name].data = {
                "x": [frame.steps] * len(texts),
                "y": [0.6 * sign * most] * len(texts),
                "text": texts,
            }
        for name, bars in self._bars.items():
            bars.show({layer: frame[f"{layer}_{name}"] for layer in ("first", "last")})
        self._errors.show(
            frame["records"], frame.steps, {name: read(frame, name) for name in ("rezero_error", "zero_error")}
        )
