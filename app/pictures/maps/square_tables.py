"""Small square tables side by side in one figure: the opacity of a cell shows its number."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource

from app.pictures.base.figures import empty, paint, plot, quiet_legend, ticks_at, words
from app.pictures.base.questions import known

LEAST = 0.04
"""Opacity of the fill of an empty cell"""

WIDE = 0.86
"""Width of a table within its slot of width 1"""

AWAY = -1e6
"""Place of the samples for the legend, far from the picture"""

FOOT = -0.62
"""Lower end of the figure, below tables of height 1: there is room for three lines of words"""


class SquareTables:
    """One figure with a table for each of several names, and below each table its name and a line about its run."""

    def __init__(
        self, title: str, x_label: str, names: Mapping[str, str], key: Mapping[str, float], height: int
    ) -> None:
        """`names`: name → the color of its table. `key`: words of the legend → the number of their cell; a negative
        one is hatched."""
        self._places = {name: at for at, name in enumerate(names)}
        self.figure = plot(title, x_label, "", height=height, x_range=(-0.05, len(names) - 0.05), y_range=(FOOT, 1.06))
        for axis in (self.figure.xaxis, self.figure.yaxis):
            ticks_at(axis, [])
            axis.axis_line_color = None
        self.figure.grid.visible = False
        self._grid = empty("x", "y", "side", "high")
        paint(self.figure.rect("x", "y", "side", "high", source=self._grid, fill_alpha=0), line_color="rule")
        self._cells: dict[str, list[ColumnDataSource]] = {}
        for name, color in names.items():
            self._cells[name] = []
            for hatch in (" ", "/"):
                source = empty("x", "y", "side", "high", "strength")
                cells = self.figure.rect(
                    "x",
                    "y",
                    "side",
                    "high",
                    source=source,
                    fill_alpha="strength",
                    line_width=0.8,
                    hatch_pattern=hatch,
                    hatch_alpha=0.6,
                    hatch_scale=6,
                )
                paint(cells, fill_color=color, line_color=color, hatch_color="panel")
                self._cells[name].append(source)
        for label, number in key.items():
            strength, hatch = max(abs(number), LEAST), "/" if number < 0 else " "
            look: dict[str, Any] = {
                "fill_alpha": strength,
                "line_width": 0.8,
                "hatch_pattern": hatch,
                "hatch_alpha": 0.6,
            }
            sample = self.figure.rect([AWAY], [0], 1, 1, hatch_scale=6, legend_label=label, **look)
            paint(sample, fill_color="soft", line_color="soft", hatch_color="panel")
        quiet_legend(self.figure, len(key))
        self._titles, self._words = empty("x", "y", "text"), empty("x", "y", "text")
        for source in (self._titles, self._words):
            words(self.figure, source, "ink", text_align="left", text_baseline="top", text_line_height=1.15)
        known(self.figure, self._grid, self._titles)

    def show(
        self,
        tables: Mapping[str, np.ndarray],
        titles: Mapping[str, str],
        captions: Mapping[str, str],
        *,
        triangles: bool,
    ) -> None:
        """Move the data: square tables of numbers, where 1 fills a cell and negative numbers are hatched, and for each
        a name with a line about its run. With `triangles`, cells above the diagonal are not drawn."""
        cells = []
        for name, table in tables.items():
            count = len(table)
            rows, columns = np.tril_indices(count) if triangles else tuple(map(np.ravel, np.indices(table.shape)))
            values = table[rows, columns]
            side = WIDE / count
            everything = {
                "x": self._places[name] + (columns + 0.5) * side,
                "y": 1 - (rows + 0.5) / count,
                "side": np.full(len(values), 0.94 * side),
                "high": np.full(len(values), 0.94 / count),
                "strength": np.clip(np.abs(values), LEAST, 1),
            }
            cells.append([everything[key] for key in self._grid.data])
            for source, mask in zip(self._cells[name], (values >= 0, values < 0), strict=True):
                source.data = {key: column[mask] for key, column in everything.items()}
        self._grid.data = dict(zip(self._grid.data, map(np.concatenate, zip(*cells, strict=True)), strict=True))
        lines = {name: "\n" * (titles[name].count("\n") + 1) + captions[name] for name in self._places}
        for source, texts in ((self._titles, titles), (self._words, lines)):
            source.data = {
                "x": list(self._places.values()),
                "y": [-0.04] * len(self._places),
                "text": [texts[name] for name in self._places],
            }
