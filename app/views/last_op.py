"""A ridge for the stream after every second block, and curves of its mean and of the steps that its numbers take."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.figures import PLACES, empty, paint, plot, quiet_legend, ticks_at
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.last_op import LastOp

OVERLAP = 3.2
"""Height of the highest ridge, in blocks."""

LINES = {
    "highest": ("step up", "third", "dashed"),
    "mean": ("mean", "residual", "solid"),
    "lowest": ("step down", "fourth", "dotted"),
}


class LastOpView(View[LastOp]):
    """Ridges on the left, curves on the right."""

    def draw(self) -> list[LayoutDOM]:
        self._ridges = plot(
            "Numbers of the stream", "value", "after block", height=400, x_range=(-1, 1), y_range=(-0.6, 24)
        )
        self._source = empty("xs", "ys")
        ridges = self._ridges.patches("xs", "ys", source=self._source, fill_alpha=0.75, line_width=1.2)
        paint(ridges, fill_color="residual", line_color="paper")
        self._zero = empty("x", "y")
        zero = self._ridges.line("x", "y", source=self._zero, line_width=1, line_dash="dotted")
        paint(zero, line_color="soft")
        self._ridges.ygrid.visible = False
        self._curves = plot("Mean, and the largest steps of any number", "block", "value", height=400, **PLACES)
        self._lines = {}
        for name, (label, color, dash) in LINES.items():
            source = self._lines[name] = empty("x", "y")
            line = self._curves.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=label)
            paint(line, line_color=color)
        quiet_legend(self._curves, columns=3)
        ticks_at(self._ridges.yaxis, [])
        return [self._ridges, self._curves]

    def update(self, frame: Frame) -> None:
        edges, shares = frame["edges"], frame["shares"]
        blocks = len(shares) - 1
        middles = (edges[:-1] + edges[1:]) / 2
        outline = np.concatenate([edges[:1], middles, edges[-1:]])
        shown = range(blocks, -1, -2)
        scale = OVERLAP * blocks / 20
        heights = [np.concatenate([[0], shares[each] / shares[each].max(), [0]]) for each in shown]
        self._source.data = {
            "xs": [outline] * len(heights),
            "ys": [each + scale * height for each, height in zip(shown, heights, strict=True)],
        }
        self._ridges.x_range.update(start=float(edges[0]), end=float(edges[-1]))
        self._ridges.y_range.update(start=-0.03 * blocks, end=blocks + 1.1 * scale)
        ticks_at(self._ridges.yaxis, range(0, blocks + 1, max(2, blocks // 10 * 2)))
        self._zero.data = {"x": [0, 0], "y": [0, blocks + 1.1 * scale]}
        self._curves.x_range.update(start=0, end=blocks)
        for name, source in self._lines.items():
            values = frame[name]
            source.data = {"x": np.arange(blocks + 1 - len(values), blocks + 1), "y": values}
