"""Two maps of depth against learning rate, and the runs of both placements in the marked cell."""

import math
from typing import Any

import numpy as np
from bokeh.events import Pan, Tap
from bokeh.models import ColumnDataSource, LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.dragging import Throttle
from app.pictures.base.figures import POWERS, STEPS, columns_of, empty, fit, named_ticks, paint, plot, quiet_legend
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.instruments.training.map_cell import DIVERGED, OPEN, OUTCOMES, SLOW, STUCK, TRAINS
from sims.simulations.norm_placement.stability import DEPTHS, RATES, SIDES, Stability

LOOKS = {SIDES[0]: ("fourth", "dashed"), SIDES[1]: ("residual", "solid")}
"""Side of the comparison → color and dash of its lines; Pre-LN has the color of residual networks"""

NOT_YET = "not trained yet"
FILLS = {
    TRAINS: ("healthy", 0.4),
    SLOW: ("fifth", 0.3),
    STUCK: ("failing", 0.3),
    DIVERGED: ("edge", 0.55),
    NOT_YET: ("rule", 0.45),
}
"""Outcome of a cell → its color and the opacity of its fill"""

ROWS = len(DEPTHS)
TOPS = (2 * ROWS + 2.05, ROWS + 0.55)
"""Heights of the names of the two maps; each map is below its name, with the shallowest network on top"""

FOOT, HEAD = -0.05, 2 * ROWS + 2.6
HEIGHT, BESIDE = 400, 260
"""Heights in pixels of the maps, whose cells are high enough for a finger, and of the curves beside them; a phone shows
them stacked on one screen"""

TICKS = (1e-4, 1e-3, 0.01, 0.1, 1.0)
"""Learning rates with a label; a phone has no room for all nine"""


def height_of(side: int, row: int) -> float:
    """The center of the cells of a depth in the map of a side."""
    return TOPS[side] - 1.05 - row


class StabilityView(View[Stability]):
    """The maps on the left; on the right the losses of the marked cell, which a click into a map chooses."""

    def draw(self) -> list[LayoutDOM]:
        self._throttle = Throttle()
        loss = plot("Training loss in the framed cell", "training step", "nats", height=BESIDE, **STEPS, **POWERS)
        self._loss_figure = loss
        self._loss = {}
        for side, (color, dash) in LOOKS.items():
            source = self._loss[side] = empty("x", "low", "middle", "high")
            band = loss.varea("x", "low", "high", source=source, fill_alpha=0.18)
            line = loss.line("x", "middle", source=source, line_width=3, line_dash=dash, legend_label=side)
            paint(band, fill_color=color)
            paint(line, line_color=color)
        quiet_legend(loss)
        return [self._draw_maps(), loss]

    def _draw_maps(self) -> figure:
        chart = plot(
            "Which cells train? Press one, or drag",
            "learning rate",
            "depth",
            height=HEIGHT,
            x_range=(-0.5, len(RATES) - 0.5),
            y_range=(FOOT, HEAD),
        )
        chart.grid.visible = False
        named_ticks(chart.xaxis, {RATES.index(rate): number(rate) for rate in TICKS})
        rows = {height_of(side, row): str(depth) for side in range(len(SIDES)) for row, depth in enumerate(DEPTHS)}
        named_ticks(chart.yaxis, rows)
        for axis in (chart.xaxis, chart.yaxis):
            axis.major_tick_line_color = None
            axis.axis_line_color = None
        self._column = empty("x", "y")
        column = chart.rect("x", "y", 1.0, 2 * ROWS + 1.6, source=self._column, line_color=None, fill_alpha=0.1)
        paint(column, fill_color="ink")
        every = [(column, height_of(side, row)) for side, row, column in np.ndindex(len(SIDES), ROWS, len(RATES))]
        self._grid = ColumnDataSource(columns_of(every, "x", "y"))
        grid = chart.rect("x", "y", 0.94, 0.9, source=self._grid, fill_color=None, line_width=1)
        paint(grid, line_color="rule")
        self._cells = {}
        for word, (color, strength) in FILLS.items():
            source = self._cells[word] = empty("x", "y")
            cells = chart.rect("x", "y", 0.94, 0.9, source=source, line_color=None, fill_alpha=strength)
            paint(cells, fill_color=color)
        self._texts, self._chosen = empty("x", "y", "text"), empty("x", "y")
        self._names, self._counts = empty("x", "y", "text"), empty("x", "y", "text")
        middle: dict[str, Any] = {"text_align": "center", "text_baseline": "middle"}
        texts = chart.text("x", "y", "text", source=self._texts, text_font_size="13px", **middle)
        above: dict[str, Any] = {"text_font_size": "14px", "text_baseline": "middle"}
        names = chart.text("x", "y", "text", source=self._names, text_font_style="bold", **above)
        counts = chart.text("x", "y", "text", source=self._counts, text_align="right", **above)
        ring = chart.rect("x", "y", 0.98, 0.96, source=self._chosen, fill_color=None, line_width=3)
        paint(texts, text_color="ink")
        paint(names, text_color="ink")
        paint(counts, text_color="ink")
        paint(ring, line_color="ink")
        known(chart, self._grid, self._names, self._chosen, self._column)
        self._maps = chart
        chart.on_event(Tap, lambda event: self._point(event.x, event.y))
        chart.on_event(Pan, lambda event: self._drag_to(event.x, event.y))
        return chart

    def measures(self) -> list[LayoutDOM]:
        ratio = plot("Gradient at the input ÷ at the output", "training step", "ratio", **STEPS, **POWERS)
        self._ratio_figure, self._ratio = ratio, {}
        for side, (color, dash) in LOOKS.items():
            source = self._ratio[side] = empty("x", "y")
            line = ratio.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=side)
            paint(line, line_color=color)
        quiet_legend(ratio)
        self._along: dict[str, tuple[figure, dict[str, Any]]] = {}
        for kind, title, unit in (
            ("stream_gradients", "Gradient", "size of ∂L/∂h"),
            ("activations", "Stream", "rms of h"),
        ):
            chart = plot(f"{title} (thin: before training)", "sublayer", unit, x_range=(0, 1), **POWERS)
            sources = {}
            for side, (color, dash) in LOOKS.items():
                source = sources[side] = empty("x", "start", "now")
                for time, width in (("start", 1.2), ("now", 3)):
                    line = chart.line("x", time, source=source, line_width=width, line_dash=dash)
                    paint(line, line_color=color)
            self._along[kind] = chart, sources
        return [ratio, *(chart for chart, _sources in self._along.values())]

    def update(self, frame: Frame) -> None:
        self._show_maps(frame)
        labels = frame["placement"].tolist()
        at = DEPTHS.index(self.simulation.depth), RATES.index(self.simulation.learning_rate)
        steps = frame["steps"]
        bands = {
            side: [frame[f"loss{end}"][where][at] for end in ("_low", "", "_high")] for where, side in enumerate(SIDES)
        }
        for side, (low, middle, high) in bands.items():
            self._loss[side].data = {"x": steps, "low": low, "middle": middle, "high": high}
        ratios = {side: frame["ratio"][where][at] for where, side in enumerate(SIDES)}
        for side, values in ratios.items():
            self._ratio[side].data = {"x": steps, "y": values}
        for chart, curves in (
            (self._loss_figure, [line for band in bands.values() for line in band]),
            (self._ratio_figure, list(ratios.values())),
        ):
            chart.x_range.update(end=frame.steps)
            fit(chart, curves)
            items: Any = chart.legend[0].items
            for item, label in zip(items, labels, strict=True):
                item.label = {"value": label}
        places = np.arange(self.simulation.depth + 1)
        for kind, (chart, sources) in self._along.items():
            lines = {time: frame[f"{kind}_{time}"] for time in ("start", "now")}
            for where, side in enumerate(SIDES):
                columns = {time: values[where][at][: len(places)] for time, values in lines.items()}
                sources[side].data = {"x": places, **columns}
            chart.x_range.update(end=len(places) - 1)
            fit(chart, [values[:, at[0], at[1]] for values in lines.values()])

    def _show_maps(self, frame: Frame) -> None:
        cells: dict[str, list[tuple[float, float]]] = {word: [] for word in FILLS}
        texts = []
        for (side, row, column), code in np.ndenumerate(frame["outcome"]):
            word, error = OUTCOMES[code] if code != OPEN else NOT_YET, float(frame["error"][side, row, column])
            cells[word].append((column, height_of(side, row)))
            text = "∞" if word == DIVERGED else f"{error:.0%}" if math.isfinite(error) else "·"
            texts.append((column, height_of(side, row), text))
        for word, source in self._cells.items():
            source.data = columns_of(cells[word], "x", "y")
        self._texts.data = columns_of(texts, "x", "y", "text")
        counts = [int(frame.results[f"{side}_trains"]) for side in SIDES]
        readouts = [f"{count} of {frame.results['cells']} cells train" if frame.step else NOT_YET for count in counts]
        names = frame["placement"].tolist()
        self._names.data = columns_of(
            [(-0.45, top, name) for top, name in zip(TOPS, names, strict=True)], "x", "y", "text"
        )
        counted = [(len(RATES) - 0.53, top, words) for top, words in zip(TOPS, readouts, strict=True)]
        self._counts.data = columns_of(counted, "x", "y", "text")
        column, row = RATES.index(self.simulation.learning_rate), DEPTHS.index(self.simulation.depth)
        self._chosen.data = columns_of([(column, height_of(side, row)) for side in range(len(SIDES))], "x", "y")
        self._column.data = {"x": [column], "y": [(TOPS[0] + FOOT) / 2 - 0.2]}

    def _drag_to(self, x: float | None, y: float | None) -> None:
        if self._throttle.allows():
            self._point(x, y)

    def _point(self, x: float | None, y: float | None) -> None:
        """Choose the cell under the pointer; between the maps, only its learning rate."""
        if not (isinstance(x, float | int) and isinstance(y, float | int) and math.isfinite(x) and math.isfinite(y)):
            return
        column = round(x)
        if not (0 <= column < len(RATES) and FOOT <= y <= HEAD):
            return
        chosen: dict[str, float] = {"learning_rate": RATES[column]}
        for side in range(len(SIDES)):
            for row, depth in enumerate(DEPTHS):
                if abs(y - height_of(side, row)) <= 0.5:
                    chosen["depth"] = depth
        self.change_all(chosen)
