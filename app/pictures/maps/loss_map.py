"""Losses of every pair of two settings: a cell for each, and a frame around the best cell of a column."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.pictures.base.figures import empty, hover, named_ticks, paint, plot, quiet_legend, words
from app.pictures.base.questions import known
from app.pictures.base.theme import GLYPHS
from sims.contract.wording import number

ROW, AROUND = 32, 74
"""Pixels of a row, and of what is above and below all rows"""

STRONGEST, WORST = 0.01, 100.0
"""Losses in nats from which on a cell has the full color of its kind: good or worse than guessing"""

LEAST = 0.1
"""Opacity of a loss just below that of guessing"""

KEY = (0.01, 1.0)
"""Losses in the legend, which fits a phone"""

WIDE, TALL, INSIDE = 0.94, 0.9, 0.82
"""Size of a cell and of the frame in it, in distances of cells"""

AWAY = -99.0
"""Place of the samples for the legend, far from the picture"""

CELL = ("x", "y", "alpha", "what", "loss")


class LossMap:
    """The figure, created once; `show` moves its data. Only one row is known before the prediction."""

    def __init__(self, title: str, label: str, rows: Sequence[str], given: int, guessing: float) -> None:
        """`rows`: their names, from below. `given`: index of the row that is known. `guessing`: the loss of a guess."""
        self._rows, self._given, self._guessing = rows, given, guessing
        count = len(rows)
        self.figure = plot(
            title, "", label, height=AROUND + ROW * count, x_range=(-0.5, 0.5), y_range=(-0.5, count - 0.5)
        )
        self.figure.xaxis.visible = False
        self.figure.ygrid.visible = False
        self.figure.yaxis.update(axis_line_color=None, major_tick_line_color=None)
        named_ticks(self.figure.yaxis, {float(at): name for at, name in enumerate(rows)})
        self._frames = empty("x", "y")
        frames = self.figure.rect("x", "y", WIDE, TALL, source=self._frames, fill_color=None, line_width=1)
        paint(frames, line_color="rule")
        self.cells, self.marks = {}, {}
        for kind, color in (("good", "healthy"), ("bad", "failing")):
            for row in ("given", "other"):
                source = self.cells[kind, row] = empty(*CELL)
                looks: dict[str, Any] = {"line_width": 0, "fill_alpha": "alpha", "line_alpha": 0}
                cells = self.figure.rect("x", "y", WIDE, TALL, source=source, **looks)
                paint(cells, fill_color=color)
                hover(self.figure, [("", "@what"), ("loss in nats", "@loss")], renderers=[cells])
        for row in ("given", "other"):
            source = self.marks[row] = empty("x", "y", "text")
            words(self.figure, source, "panel", text_font_size="13px")
        self.best = empty("x", "y")
        best = self.figure.rect("x", "y", INSIDE, 0.78, source=self.best, fill_color=None, line_width=2.4)
        paint(best, line_color="ink")
        self._draw_key()
        shown = [self.cells[kind, "given"] for kind in ("good", "bad")]
        known(self.figure, self._frames, self.marks["given"], *shown)

    def _draw_key(self) -> None:
        for loss in KEY:
            alpha = float(self._alpha(np.array([loss]))[0])
            looks: dict[str, Any] = {"line_width": 1, "legend_label": number(loss)}
            sample = self.figure.rect([AWAY], [0], 1, 1, fill_alpha=alpha, **looks)
            paint(sample, fill_color="healthy", line_color="edge")
        worse = self.figure.rect([AWAY], [0], 1, 1, line_width=1, legend_label="above guessing")
        paint(worse, fill_color="failing", line_color="edge")
        quiet_legend(self.figure, len(KEY) + 1)

    def show(self, losses: np.ndarray, columns: Sequence[str], best: Sequence[int] | None) -> None:
        """Show losses (rows, columns); `columns` are named, and `best` is the best row of each. Its cell has a frame if
        it is better than guessing."""
        rows, count = losses.shape
        self.figure.x_range.update(start=-0.5, end=count - 0.5)
        places = [(row, column) for row in range(rows) for column in range(count)]
        self._frames.data = {"x": [float(at) for _row, at in places], "y": [float(at) for at, _column in places]}
        alphas, good = self._alpha(losses), losses < self._guessing
        for (kind, which), source in self.cells.items():
            mine = [
                at for at in places if good[at] == (kind == "good") and (at[0] == self._given) == (which == "given")
            ]
            source.data = {
                "x": [float(column) for _row, column in mine],
                "y": [float(row) for row, _column in mine],
                "alpha": [float(alphas[at]) for at in mine],
                "what": [f"{columns[column]}, {self._rows[row]}" for row, column in mine],
                "loss": [number(float(losses[at]), 2) for at in mine],
            }
            if kind == "bad":
                marks = {name: source.data[name] for name in ("x", "y")}
                self.marks[which].data = marks | {"text": [GLYPHS["failing"]] * len(mine)}
        framed = [(column, row) for column, row in enumerate(best or []) if good[row, column]]
        self.best.data = {"x": [float(at) for at, _row in framed], "y": [float(row) for _at, row in framed]}

    def _alpha(self, losses: np.ndarray) -> np.ndarray:
        """The opacity of each loss on a logarithmic scale: how far below that of guessing, or how far above."""
        with np.errstate(divide="ignore", invalid="ignore"):
            away = np.log(losses / self._guessing)
        below = away / np.log(STRONGEST / self._guessing)
        above = away / np.log(WORST / self._guessing)
        share = np.clip(np.where(losses < self._guessing, below, above), 0, 1)
        least = np.where(losses < self._guessing, LEAST, 0.5)
        return np.where(np.isfinite(losses), least + (1 - least) * share, 1.0)
