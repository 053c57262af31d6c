"""One network halfway along one direction, for every rescaling; below it the whole direction, raw and
filter-normalized, with gray lines for the network before rescaling."""

import math

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import PATCH, EndLabels
from app.pictures.base.figures import POWERS, empty, fit, named_ticks, paint, plot, ticks_at
from app.pictures.base.questions import drawn_here, known
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.loss_surfaces.rescale_trap import ALONG, FACTORS, HALF, RescaleTrap

TITLES = {"raw": "Raw direction", "normalized": "Filter-normalized direction"}
LINES = {"before": ("soft", 1), "now": ("plain", -1)}
"""Line → the color of its label, and the side of the label where "now" is the higher line: 1 is below, -1 above"""

ASIDE, AWAY = 9, 14
"""Pixels from a place to a label that starts below it, or ends above it: lines rise to the right"""

ROOM = 4
"""Factor by which the axis extends beyond all losses, so that labels have room there"""

BESIDE = 84
"""Pixels right of the losses halfway, for their names"""

HEIGHTS = {"over": 220, "along": 180}
"""Heights in pixels"""

LOOKS = {"raw": ("plain", "solid"), "normalized": ("third", "dashed")}
"""Direction → color and dash of its losses halfway"""

MOST = 30
"""End of the axis of losses halfway, if none is larger: it has room for other answers"""

SAME = 1e-6
"""Relative difference up to which two losses count as equal."""


class RescaleTrapView(View[RescaleTrap]):
    """The losses halfway, over two figures on one scale with the whole direction."""

    def draw(self) -> list[LayoutDOM]:
        over = self._over = plot(
            "Loss halfway, for every c",
            "c",
            "loss (nats)",
            height=HEIGHTS["over"],
            x_axis_type="log",
            x_range=(0.09, 11.2),
            y_range=(-0.8, MOST),
        )
        over.styles = {"grid-column": "1 / -1"}
        over.update(frame_align=False)
        ticks_at(over.yaxis, range(0, MOST + 1, 10))
        named_ticks(over.xaxis, {factor: number(factor, 6) for factor in FACTORS})
        self._halfway, self._chosen = empty("x", *LOOKS), empty("x", *LOOKS)
        for name, (color, dash) in LOOKS.items():
            paint(over.line("x", name, source=self._halfway, line_width=2.6, line_dash=dash), line_color=color)
            paint(over.scatter("x", name, source=self._chosen, size=10), fill_color=color, line_color=color)
        self._names = EndLabels(over, {name: color for name, (color, _) in LOOKS.items()}, BESIDE)
        drawn_here(over)
        self._figures, self._sources, self._words = {}, {}, {}
        for kind, title in TITLES.items():
            chart = self._figures[kind] = plot(
                title, "place along the direction", "loss (nats)", height=HEIGHTS["along"], x_range=(-1, 1), **POWERS
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
                    level="overlay",
                    **PATCH,
                )
                paint(dot, fill_color=color, line_color=color)
                paint(words, text_color=color, background_fill_color="panel")
            chart.min_border_right = 36
            known(chart, before, self._words[kind, "before"])
        return [over, *self._figures.values()]

    def update(self, frame: Frame) -> None:
        halfway = {name: frame[f"{name}_halfway"] for name in LOOKS}
        self._halfway.data = {"x": frame["factors"], **halfway}
        self._chosen.data = {"x": [self.simulation.factor], **{name: [frame.results[name]] for name in LOOKS}}
        self._over.y_range.update(end=max(MOST, 1.1 * max(float(losses.max()) for losses in halfway.values())))
        self._names.show(
            float(frame["factors"][-1]), {name: (float(losses[-1]), name) for name, losses in halfway.items()}
        )
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
