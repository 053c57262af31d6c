"""A row for each ancestor with its loss, and the drawing of the chosen one; as measures, losses over the steps."""

from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.direct import Bands
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import STEPS, empty, named_ticks, paint, plot, ticks_at
from app.pictures.base.questions import known
from app.pictures.diagrams.block_drawing import BlockDrawing
from app.views.base import View
from sims.comparisons.ancestors import ANCESTORS
from sims.contract.bands import ENDINGS
from sims.contract.frame import Frame
from sims.contract.wording import tick
from sims.simulations.wiring.ancestors import Ancestors

NAMES = list(ANCESTORS)
LOWEST, HIGHEST = 1e-4, 10.0
"""Ends of the axis of losses, in nats; losses beyond are drawn at the end"""

POWERS = {10.0**power: tick(power) for power in (-4, -2, 0)}

BEYOND = 1 / 0.7
"""Factor by which the axis continues at both ends: room for half a dot"""

ROOM = 54
"""Pixels right of the axis for the words"""

HEIGHT = 262

LOOKS = {"plain": ("plain", "dashed"), "chosen": ("residual", "solid")}
"""Line → color and dash"""


class AncestorsView(View[Ancestors]):
    """A click on a row chooses its block."""

    def draw(self) -> list[LayoutDOM]:
        chart = plot(
            "Training loss in nats: left is better",
            "",
            "",
            height=HEIGHT,
            x_range=(LOWEST / BEYOND, HIGHEST * BEYOND),
            x_axis_type="log",
            y_range=(-len(NAMES) + 0.4, 0.6),
        )
        chart.update(min_border_right=ROOM)
        chart.styles = {"grid-column": "1 / -1"}
        named_ticks(chart.xaxis, POWERS)
        named_ticks(
            chart.yaxis, {-at: f"{ancestor.year} {ancestor.label}" for at, ancestor in enumerate(ANCESTORS.values())}
        )
        chart.yaxis.update(axis_line_color=None, major_tick_line_color=None)
        self._row = empty("bottom", "top")
        band = chart.quad(
            left=LOWEST * 0.1, right=HIGHEST * 2 * BEYOND, bottom="bottom", top="top", source=self._row, line_color=None
        )
        paint(band, fill_color="wash")
        known(chart, self._row)
        self._spans, self._dots = empty("y", "low", "high"), empty("x", "y")
        paint(chart.segment("low", "y", "high", "y", source=self._spans, line_width=3), line_color="residual")
        paint(chart.scatter("x", "y", source=self._dots, size=11), fill_color="residual", line_color="panel")
        self._plain_span, self._plain = empty("y", "low", "high"), empty("x", "y")
        paint(chart.segment("low", "y", "high", "y", source=self._plain_span, line_width=3), line_color="plain")
        dot = chart.scatter("x", "y", source=self._plain, size=11, marker="square")
        paint(dot, fill_color="plain", line_color="panel")
        self._lost = empty("x", "y")
        paint(chart.scatter("x", "y", source=self._lost, marker="x", size=11, line_width=3), line_color="zero")
        self._fits = empty("x", "y", "text")
        text = chart.text(
            *("x", "y", "text"),
            source=self._fits,
            text_font_size="13px",
            text_baseline="middle",
            x_offset=7,
            level="overlay",
        )
        paint(text, text_color="soft")
        chart.on_event(Tap, self._on_tap)
        self._drawing = BlockDrawing("The chosen block, from left to right")
        known(self._drawing.figure)
        return [chart, self._drawing.figure]

    def measures(self) -> list[LayoutDOM]:
        chart = plot(
            "Training loss over the steps",
            "training step",
            "nats",
            height=330,
            y_range=(LOWEST, HIGHEST),
            y_axis_type="log",
            **STEPS,
        )
        chart.styles = {"grid-column": "1 / -1"}
        named_ticks(chart.yaxis, POWERS)
        ticks_at(chart.xaxis, [])
        self._others = empty("xs", "ys")
        others = chart.multi_line("xs", "ys", source=self._others, line_width=1.3, line_dash="dotted")
        paint(others, line_color="idle")
        self._curves = Bands(chart, LOOKS)
        self._ends = EndLabels(chart, dict.fromkeys(NAMES, "ink"), 108)
        self._loss = chart
        return [chart]

    def update(self, frame: Frame) -> None:
        at = NAMES.index(self.simulation.block)
        self._row.data = {"bottom": [-at - 0.5], "top": [-at + 0.5]}
        now = {ending: frame[f"losses{ending}"][:, -1] for ending in ENDINGS.values()}
        middle, low, high = (_within(now[ending]) for ending in ("", "_low", "_high"))
        rows = np.arange(len(NAMES))
        finite = np.isfinite(now[""])
        for dots, spans, chosen in (
            (self._plain, self._plain_span, finite & (rows == 0)),
            (self._dots, self._spans, finite & (rows > 0)),
        ):
            dots.data = {"x": middle[chosen], "y": -rows[chosen]}
            spans.data = {"y": -rows[chosen], "low": low[chosen], "high": high[chosen]}
        self._lost.data = {"x": np.full(int((~finite).sum()), HIGHEST), "y": -rows[~finite]}
        texts = [f"fit {count}/{self.simulation.seeds}" if frame.finished else "" for count in frame["fits"]]
        self._fits.data = {
            "x": [HIGHEST * BEYOND] * len(rows),
            "y": -rows,
            "text": texts,
        }
        self._drawing.show(self.simulation.block, ANCESTORS[self.simulation.block].rule)
        self._show_losses(frame, at)

    def _show_losses(self, frame: Frame, at: int) -> None:
        steps, losses = frame["steps"], _within(frame["losses"])
        others = [row for row in range(1, len(NAMES)) if row != at]
        self._others.data = {"xs": [steps] * len(others), "ys": [losses[row] for row in others]}
        bands = {"plain": [_within(frame[f"losses{ending}"][0]) for ending in ENDINGS.values()]}
        if at:
            bands["chosen"] = [_within(frame[f"losses{ending}"][at]) for ending in ENDINGS.values()]
        self._curves.show(steps, bands)
        self._loss.x_range.update(end=frame.steps)
        ticks_at(self._loss.xaxis, [0, frame.steps // 2, frame.steps])
        ends = {name: (float(losses[row, -1]), ANCESTORS[name].label) for row, name in enumerate(NAMES)}
        self._ends.show(steps[-1], ends)

    def _on_tap(self, event: Any) -> None:
        if isinstance(event.y, float | int) and 0 <= round(-event.y) < len(NAMES):
            self.change("block", NAMES[round(-event.y)])


def _within(values: np.ndarray) -> np.ndarray:
    """The values, limited to the range of the axis."""
    return np.clip(values, LOWEST, HIGHEST)
