"""Six curves in the shape of tents: the memory that each stack holds during its forward and backward pass."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import empty, named_ticks, paint, plot
from app.pictures.base.questions import known, until_answered
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.costs.memory import KINDS, Memory

LOOKS = {
    "dense": ("third", "dotdash"),
    "pre_norm": ("fourth", "solid"),
    "residual": ("residual", "solid"),
    "plain": ("plain", "dashed"),
    "checkpointed": ("residual", "dotted"),
    "reversible": ("fifth", "solid"),
}
"""Kind → color and dash; later ones are drawn on top"""

WITHOUT_SUMS = ("plain", "dense")

ROOM = 110
"""Pixels for the names on the right: more would leave too little of the picture on a phone"""


class MemoryView(View[Memory]):
    """A curve for each stack, with its name at the height of its peak.

    Before the prediction, the stacks without sums are there.
    """

    def draw(self) -> list[LayoutDOM]:
        figure = self._figure = plot(
            "Held for the backward pass",
            "block: forward, then back",
            "kB",
            height=400,
            x_range=(0, 1),
            y_range=(0, 1),
        )
        figure.styles = {"grid-column": "1 / -1"}
        self._curves = empty("x", *KINDS)
        self._leaders = {}
        for kind, (color, dash) in LOOKS.items():
            leader = self._leaders[kind] = empty("x", "y")
            paint(figure.line("x", "y", source=leader, line_width=1), line_color=color)
            wide = {"plain": 2.4, "residual": 5.0}.get(kind, 2.6)
            line = figure.line("x", kind, source=self._curves, line_width=wide, line_dash=dash)
            paint(line, line_color=color)
            if kind in WITHOUT_SUMS:
                known(figure, leader, line)
        self._turn = empty("x", "y0", "y1")
        paint(
            figure.segment("x", "y0", "x", "y1", source=self._turn, line_width=1, line_dash="dotted"), line_color="edge"
        )
        self._waiting = empty("x", "y", "text")
        waiting = figure.text(
            "x", "y", "text", source=self._waiting, text_font_size="14px", text_align="center", text_baseline="middle"
        )
        paint(waiting, text_color="soft")
        named_ticks(figure.xaxis, {})
        colors = {kind: color for kind, (color, _dash) in LOOKS.items()}
        self._labels = EndLabels(figure, colors, ROOM)
        self._early_labels = EndLabels(figure, {kind: colors[kind] for kind in WITHOUT_SUMS}, ROOM)
        known(figure, self._turn)
        until_answered(figure, *self._early_labels.of())
        return [figure]

    def update(self, frame: Frame) -> None:
        depth, places = int(frame.results["depth"]), frame["place"]
        peaks = {kind: float(frame.results[f"{kind}_peak"]) for kind in KINDS}
        measured = [kind for kind in KINDS if np.isfinite(frame[kind]).all()]
        top = 1.06 * max([*peaks.values(), 1.0])
        axes: Any = self._figure
        axes.x_range.update(start=0, end=2 * depth)
        axes.y_range.update(start=0, end=top)
        named_ticks(axes.xaxis, {0: "1", depth: f"{depth}: last block", 2 * depth: "1"})
        self._curves.data = {"x": places, **{kind: frame[kind] for kind in KINDS}}
        self._turn.data = {"x": [depth], "y0": [0], "y1": [top]}
        for kind, leader in self._leaders.items():
            at = [int(np.argmax(frame[kind])), 2 * depth] if kind in measured else []
            leader.data = {"x": at, "y": [peaks[kind]] * len(at)}
        together = {"plain", "residual"} <= set(measured) and (frame["plain"] == frame["residual"]).all()
        ends = {kind: (peaks[kind], f"{NAMES[kind]} {number(peaks[kind])}") for kind in measured}
        self._early_labels.show(2 * depth, {kind: end for kind, end in ends.items() if kind in WITHOUT_SUMS})
        if together:
            ends["residual"] = (peaks["residual"], f"plain =\nresidual {number(peaks['residual'])}")
            del ends["plain"]
        self._labels.show(2 * depth, ends)
        words = [] if measured else ["not measured yet"]
        self._waiting.data = {"x": [depth] * len(words), "y": [top / 2] * len(words), "text": words}


NAMES = {**KINDS, "pre_norm": "Pre-LN", "checkpointed": "checkpoints"}
"""Kind → a short name"""
