"""One network along one direction: raw, and filter-normalized; gray lines for the network before rescaling."""

import math

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import POWERS, empty, fit, paint, plot
from app.pictures.base.pairs import pair
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.loss_surfaces.rescale_trap import ALONG, HALF, RescaleTrap

TITLES = {"raw": "Raw direction", "normalized": "Filter-normalized direction"}
LINES = {"before": ("soft", 1), "now": ("plain", -1)}
"""Line → the color of its label, and the side of the label where "now" is the higher line: 1 is below, -1 above"""

ASIDE, AWAY = 9, 14
"""Pixels from a place to a label that starts below it, or ends above it: lines rise to the right"""

ROOM = 4
"""Factor by which the axis extends beyond all losses, so that labels have room there"""

SAME = 1e-6
"""Relative difference up to which two losses count as equal."""


class RescaleTrapView(View[RescaleTrap]):
    """Two figures on one scale, with the losses halfway along the direction."""

    def draw(self) -> list[LayoutDOM]:
        self._figures, self._sources, self._words = {}, {}, {}
        for kind, title in TITLES.items():
            chart = self._figures[kind] = plot(
                title, "place along the direction", "loss (nats)", x_range=(-1, 1), **POWERS
            )
            source = self._sources[kind] = empty("x", "before", "now")
            before = chart.line("x", "before", source=source, line_width=7)
            now = chart.line("x", "now", source=source, line_width=2.6)
            paint(before, line_color="rule")
            paint(now, line_color="plain")
            for line, (color, _away) in LINES.items():
                labels = self._words[kind, line] = empty("x", "y", "text", "align", "aside", "away")
                dot = chart.scatter("x", "y", source=labels, size=8)
                words = chart.text(
                    *("x", "y", "text"),
                    source=labels,
                    text_font_size="13px",
                    text_align="align",
                    text_baseline="middle",
                    x_offset="aside",
                    y_offset="away",
                    **PATCH,
                )
                paint(dot, fill_color=color, line_color=color)
                paint(words, text_color=color, background_fill_color="panel")
        pair(self._figures.values())
        return list(self._figures.values())

    def update(self, frame: Frame) -> None:
        everything = [frame[kind + ending] for kind in TITLES for ending in ("", "_before")]
        everything.append(np.array([ROOM * max(float(curve.max()) for curve in everything)]))
        for kind, source in self._sources.items():
            lines = {"before": frame[f"{kind}_before"], "now": frame[kind]}
            source.data = {"x": frame["along"], **lines}
            fit(self._figures[kind], everything)
            at = {line: float(curve[HALF]) for line, curve in lines.items()}
            same = math.isclose(at["before"], at["now"], rel_tol=SAME)
            factor = number(self.simulation.factor, 6)
            texts = {
                "before": "" if same else f"c = 1: {number(at['before'])}",
                "now": f"c = {factor}: {number(at['now'])}",
            }
            if same and self.simulation.factor != 1:
                texts["now"] = f"{number(at['now'])}, as before"
            higher = 1 if same or at["now"] >= at["before"] else -1
            for line, (_color, under) in LINES.items():
                below = under * higher
                self._words[kind, line].data = {
                    "x": [float(ALONG[HALF])],
                    "y": [at[line]],
                    "text": [texts[line]],
                    "align": ["left" if below > 0 else "right"],
                    "aside": [ASIDE * below],
                    "away": [AWAY * below],
                }
