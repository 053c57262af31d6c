"""A run with its gradients over time, and the map of depths and learning rates; a click on the map loads a cell."""

import math
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.figures import POWERS, STEPS, Curves, empty, fit, named_ticks, paint, plot, quiet_legend
from app.pictures.heat_map import HeatMap
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.instruments.map_cell import DIVERGED, OUTCOMES, SLOW, STUCK, TRAINS
from sims.simulations.stability import MAP_DEPTHS, RATES, Stability

COLORS = {TRAINS: "healthy", SLOW: "fifth", STUCK: "failing", DIVERGED: "edge"}
SIGNS = {TRAINS: "", SLOW: "", STUCK: "", DIVERGED: "∞"}
SLANTED = 0.7
"""Radians; upright, the learning rates would overlap on a phone"""

APART = ("depth", "learning_rate", "seeds", "with_map")
"""Controls on which the map does not depend: it stays when they change"""


class StabilityView(View[Stability]):
    """Loss, gradients of stream and weights over time, size of the stream, and the map."""

    def draw(self) -> list[LayoutDOM]:
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        self._loss = Curves(loss, {"train": ("median and range of the seeds", "accent", "solid")})
        stream = plot("Size of the stream", "place, from input to output", "rms of h", x_range=(0, 1), **POWERS)
        self._stream = empty("x", "start", "now")
        for name, label, color, dash in (
            ("start", "before training", "idle", "dashed"),
            ("now", "now", "accent", "solid"),
        ):
            line = stream.line("x", name, source=self._stream, line_width=2.4, line_dash=dash, legend_label=label)
            paint(line, line_color=color)
        quiet_legend(stream)
        self._sizes = stream
        self._of_stream = HeatMap("Gradient of the stream", "training step", "place, input at the foot")
        self._of_weights = HeatMap("Gradient of the weights", "training step", "layer, input at the foot")
        self._map = self._draw_map()
        self._drawn: tuple[dict[str, Any], dict[tuple[int, int], tuple[float, int]]] = ({}, {})
        return [loss, stream, self._of_stream.figure, self._of_weights.figure, self._map]

    def _draw_map(self) -> figure:
        made = plot(
            "Which cells train? (click one to load it)",
            "learning rate",
            "depth",
            height=300,
            x_range=(-0.5, len(RATES) - 0.5),
            y_range=(-0.5, len(MAP_DEPTHS) - 0.5),
        )
        made.grid.visible = False
        named_ticks(made.xaxis, {at: number(rate) for at, rate in enumerate(RATES)})
        made.xaxis.major_label_orientation = SLANTED
        named_ticks(made.yaxis, {at: str(depth) for at, depth in enumerate(MAP_DEPTHS)})
        self._cells = {}
        for word, color in COLORS.items():
            source = self._cells[word] = empty("x", "y")
            cells = made.rect("x", "y", 0.94, 0.9, source=source, fill_alpha=0.3, line_color=None, legend_label=word)
            paint(cells, fill_color=color)
        self._texts, self._chosen = empty("x", "y", "text"), empty("x", "y")
        texts = made.text(
            "x", "y", "text", source=self._texts, text_align="center", text_baseline="middle", text_font_size="11px"
        )
        paint(texts, text_color="ink")
        ring = made.rect("x", "y", 0.96, 0.94, source=self._chosen, fill_color=None, line_width=2.5)
        paint(ring, line_color="ink")
        quiet_legend(made, len(COLORS))
        made.on_event(Tap, lambda event: self._on_tap(event.x, event.y))
        return made

    def update(self, frame: Frame) -> None:
        steps, last = frame["steps"], self.simulation.training_steps
        self._loss.show(steps, last, {"train": read(frame, "train_loss")})
        sizes = frame["activations"]
        self._sizes.x_range.update(start=0, end=sizes.shape[1] - 1)
        fit(self._sizes, [sizes[0], sizes[-1]])
        self._stream.data = {"x": np.arange(sizes.shape[1]), "start": sizes[0], "now": sizes[-1]}
        for picture, name in ((self._of_stream, "stream_gradients"), (self._of_weights, "weight_gradients")):
            values = frame[name].T
            wide = max(float(steps[-1]), last / 16)
            picture.show(values, (0, last), (0.0, float(values.shape[0])), columns=values.shape[1] * last / wide)
        self._show_map(frame)

    def _show_map(self, frame: Frame) -> None:
        settings = {name: each for name, each in self.simulation.settings().items() if name not in APART}
        if self._drawn[0] != settings:
            self._drawn = settings, {}
        known = self._drawn[1]
        outcomes, errors = frame["map_outcome"], frame["map_error"]
        for row, column in zip(*np.nonzero(outcomes >= 0), strict=True):
            known[int(row), int(column)] = float(errors[row, column]), int(outcomes[row, column])
        for word, source in self._cells.items():
            mine = [at for at, (_error, code) in known.items() if OUTCOMES[code] == word]
            source.data = {"x": [column for _row, column in mine], "y": [row for row, _column in mine]}
        self._texts.data = {
            "x": [column for _row, column in known],
            "y": [row for row, _column in known],
            "text": [SIGNS[OUTCOMES[code]] or f"{error:.0%}" for error, code in known.values()],
        }
        depth, rate = self.simulation.depth, self.simulation.learning_rate
        inside = depth in MAP_DEPTHS
        self._chosen.data = {
            "x": [RATES.index(rate)] if inside else [],
            "y": [MAP_DEPTHS.index(depth)] if inside else [],
        }

    def _on_tap(self, x: float | None, y: float | None) -> None:
        """A click on the map loads the settings of its cell, and begins that run."""
        if not (isinstance(x, float | int) and isinstance(y, float | int) and math.isfinite(x) and math.isfinite(y)):
            return
        column, row = round(x), round(y)
        if 0 <= row < len(MAP_DEPTHS) and 0 <= column < len(RATES):
            self.change_all({"depth": MAP_DEPTHS[row], "learning_rate": RATES[column]})
            self.play()
