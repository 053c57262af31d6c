"""Two tables of token similarities, and the mean similarity layer by layer."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.direct import LOOKS, Words
from app.pictures.base.figures import empty, paint, plot, ticks_at
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.theories.rank import DEEPEST, NETWORKS, Rank

HEIGHT = 300
LEAST = 0.03
"""Opacity of the fill of a cell whose tokens have nothing in common"""

NAMES = {"plain": "without skips", "residual": "with skips"}


class RankView(View[Rank]):
    """The opacity of a cell shows the similarity of its two tokens."""

    def draw(self) -> list[LayoutDOM]:
        # Both tables are in one figure, so that their cells have the same size.
        self._tables = plot("Tokens that point the same way", "", "", height=HEIGHT, x_range=(-1, 36), y_range=(-3, 17))
        self._tables.axis.visible = False
        self._tables.grid.visible = False
        self._cells, self._means = {}, {}
        for name, left in (("plain", 0), ("residual", 19)):
            cells = self._cells[name] = empty("x", "y", "strength")
            paint(
                self._tables.rect("x", "y", 0.94, 0.94, source=cells, fill_alpha="strength", line_color=None),
                fill_color=name,
            )
            means = self._means[name] = empty("x", "y", "text")
            words = self._tables.text(
                "x", "y", "text", source=means, text_font_size="13px", text_align="center", text_baseline="top"
            )
            paint(words, text_color=name)
            frame = self._tables.rect([left + 8], [8], 16.3, 16.3, fill_color=None, line_width=1)
            paint(frame, line_color="rule")
        self._lines = plot(
            "Mean cosine, layer by layer",
            "layer",
            "",
            height=HEIGHT,
            x_range=(-0.5, DEEPEST + 16),
            y_range=(-0.08, 1.08),
        )
        ticks_at(self._lines.xaxis, [0, 6, 12, 18, 24])
        ticks_at(self._lines.yaxis, [0, 0.25, 0.5, 0.75, 1])
        self._here, self._curves = empty("x", "y"), empty("x", *NETWORKS)
        paint(self._lines.line("x", "y", source=self._here, line_width=7, line_alpha=0.35), line_color="edge")
        for name, (color, dash) in LOOKS.items():
            line = self._lines.line("x", name, source=self._curves, line_width=2.8, line_dash=dash)
            dots = self._lines.scatter("x", name, source=self._curves, size=5)
            paint(line, line_color=color)
            paint(dots, fill_color=color, line_color=color)
        self._names = Words(self._lines, {name: name for name in NETWORKS}, 0.09)
        return [self._tables, self._lines]

    def update(self, frame: Frame) -> None:
        for name, left in (("plain", 0), ("residual", 19)):
            table = frame[f"{name}_table"]
            rows, columns = np.indices(table.shape)
            self._cells[name].data = {
                "x": columns.ravel() + left + 0.5,
                "y": len(table) - rows.ravel() - 0.5,
                "strength": np.clip(table.ravel(), LEAST, 1),
            }
            text = f"{NAMES[name]}: {number(float(frame.results[name]), 2)}"
            self._means[name].data = {"x": [left + 8], "y": [-0.7], "text": [text]}
        self._curves.data = {"x": frame["layers"], **{name: frame[f"{name}_mean"] for name in NETWORKS}}
        self._here.data = {"x": [self.simulation.layer] * 2, "y": [-0.05, 1.05]}
        ends = {name: float(frame[f"{name}_mean"][-1]) for name in NETWORKS}
        self._names.show({name: (DEEPEST, end, NAMES[name]) for name, end in ends.items()})
