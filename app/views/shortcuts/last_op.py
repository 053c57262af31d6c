"""A ridge for the stream after every second block, and next to it how far its entries move up and down."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.direct import Words
from app.pictures.base.figures import empty, paint, plot, quiet_legend, surround, ticks_at
from app.pictures.base.questions import guessed_here, known
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.shortcuts.last_op import LastOp

OVERLAP = 3.2
"""Height of the highest ridge, in blocks."""

STEPS = {"highest": ("third", "dashed"), "lowest": ("fourth", "solid")}
WORDS = {"highest": "largest step up", "lowest": "largest step down"}

HEIGHT, BOTH_WAYS = 258, 1.25
"""Height in pixels, and length of an axis relative to the largest step"""

APART = 0.1
"""Smallest distance between two labels, as a share of the axis"""


class LastOpView(View[LastOp]):
    """Ridges on the left, with the mean as a line through them; steps on the right, around a line at 0."""

    def draw(self) -> list[LayoutDOM]:
        ridges = plot(
            "The stream's values and mean", "value", "after block", height=HEIGHT, x_range=(-1, 1), y_range=(0, 1)
        )
        self._ridges, self._source, self._input = ridges, empty("xs", "ys"), empty("xs", "ys")
        for source in (self._source, self._input):
            shapes = ridges.patches("xs", "ys", source=source, fill_alpha=0.75, line_width=1.2)
            paint(shapes, fill_color="residual", line_color="paper")
        self._zero, self._mean = empty("x", "y"), empty("x", "y")
        paint(ridges.line("x", "y", source=self._zero, line_width=1, line_dash="dotted"), line_color="soft")
        paint(ridges.line("x", "y", source=self._mean, line_width=3), line_color="ink")
        known(ridges, self._zero, self._input)
        guessed_here(ridges)
        ticks_at(ridges.yaxis, [])
        self._steps = plot(
            "Steps of the values", "block", "change in one block", height=HEIGHT, x_range=(0, 1), y_range=(-1, 1)
        )
        self._level = empty("x", "y")
        paint(self._steps.line("x", "y", source=self._level, line_width=1.5, line_dash="dotted"), line_color="soft")
        self._lines = {}
        for name, (color, dash) in STEPS.items():
            source = self._lines[name] = empty("x", "y")
            area = self._steps.varea("x", 0, "y", source=source, fill_alpha=0.18)
            paint(area, fill_color=color)
            paint(self._steps.line("x", "y", source=source, line_width=2.6, line_dash=dash), line_color=color)
        self._words = Words(
            self._steps, {name: color for name, (color, _) in STEPS.items()}, APART, text_align="center", x_offset=0
        )
        return [ridges, self._steps]

    def measures(self) -> list[LayoutDOM]:
        self._means = plot(
            "Mean and size of the stream", "block", "value", height=HEIGHT, x_range=(0, 1), y_range=(0, 1)
        )
        self._sizes = {}
        for name, label, color, dash in (("mean", "mean", "residual", "solid"), ("rms", "size", "third", "dashed")):
            source = self._sizes[name] = empty("x", "y")
            line = self._means.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=label)
            paint(line, line_color=color)
        quiet_legend(self._means)
        return [self._means]

    def update(self, frame: Frame) -> None:
        edges, shares = frame["edges"], frame["shares"]
        blocks = len(shares) - 1
        middles = (edges[:-1] + edges[1:]) / 2
        outline = np.concatenate([edges[:1], middles, edges[-1:]])
        rows = range(blocks, -1, -2)
        scale = OVERLAP * blocks / 20
        heights = [np.concatenate([[0], shares[row] / shares[row].max(), [0]]) for row in rows]
        ridges = [row + scale * height for row, height in zip(rows, heights, strict=True)]
        self._source.data = {"xs": [outline] * (len(rows) - 1), "ys": ridges[:-1]}
        self._input.data = {"xs": [outline], "ys": ridges[-1:]}
        self._ridges.x_range.update(start=float(edges[0]), end=float(edges[-1]))
        self._ridges.y_range.update(start=-0.03 * blocks, end=blocks + 1.1 * scale)
        ticks_at(self._ridges.yaxis, range(0, blocks + 1, max(2, blocks // 10 * 2)))
        self._zero.data = {"x": [0, 0], "y": [0, blocks + 1.1 * scale]}
        self._mean.data = {"x": frame["mean"], "y": np.arange(blocks + 1)}
        self._show_steps(frame, blocks)
        self._means.x_range.update(start=0, end=blocks)
        surround(self._means, [frame[name] for name in self._sizes])
        for name, source in self._sizes.items():
            source.data = {"x": np.arange(blocks + 1), "y": frame[name]}

    def _show_steps(self, frame: Frame, blocks: int) -> None:
        steps = {name: frame[name] for name in STEPS}
        reach = BOTH_WAYS * max(float(np.abs(values).max()) for values in steps.values()) or 1.0
        self._steps.x_range.update(start=1, end=blocks + 0.4)
        self._steps.y_range.update(start=-reach, end=reach)
        self._level.data = {"x": [1, blocks], "y": [0, 0]}
        for name, source in self._lines.items():
            source.data = {"x": np.arange(1, blocks + 1), "y": steps[name]}
        at = (1 + blocks) / 2
        down = float(steps["lowest"].min())
        words = WORDS | ({"lowest": "never a step down"} if down >= 0 else {})
        self._words.show(
            {"highest": (at, 0.92 * reach, words["highest"]), "lowest": (at, -0.92 * reach, words["lowest"])}
        )
