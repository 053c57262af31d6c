"""A table of small curves: a row for each skip, a column for each norm, each cell filled by how many seeds fit."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint, plot, words
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.design_choices.interactions import IMPOSSIBLE, NORMS, SKIPS, Interactions

CELL = 74
"""Height of a row in pixels"""

FOOT = 0.55
"""Height of the row of counts below the table, in cells"""

ROOM, HEAD = 0.07, 0.4
"""Margin around the picture of a cell, and space above it for the verdict; in cells."""

FLOOR, CEILING = 1e-4, 2.0
"""Losses at the bottom and at the top of a cell, in nats; losses outside are drawn there."""

LOOKS = {
    "all": ("healthy", 1.0, "panel"),
    "some": ("healthy", 0.3, "ink"),
    "none": ("failing", 0.22, "ink"),
    "lost": ("failing", 1.0, "panel"),
    "open": ("wash", 1.0, "ink"),
}
"""How many seeds fit → color and opacity of the cell, and color of what is in it. In a "lost" cell none fits and some
overflowed; a cell is "open" if the run has not ended and none fits yet."""


def height_of(loss: np.ndarray) -> np.ndarray:
    """The height of a loss in its cell, on a logarithmic scale from 0 to 1."""
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = np.log(np.clip(loss, FLOOR, CEILING) / FLOOR) / np.log(CEILING / FLOOR)
    return ROOM + (1 - ROOM - HEAD) * inside


class InteractionsView(View[Interactions]):
    """One figure; every curve is in the unit square of its cell, with the first row on top."""

    def draw(self) -> list[LayoutDOM]:
        rows = len(SKIPS)
        figure = plot(
            "Which skip learns with which norm?",
            "",
            "",
            height=round(CELL * (rows + FOOT)) + 58,
            x_range=(0, len(NORMS)),
            y_range=(-FOOT, rows),
            x_axis_location="above",
        )
        figure.ygrid.visible = False
        figure.styles = {"grid-column": "1 / -1"}
        heads = {column + 0.5: name for column, name in enumerate(NORMS.values())}
        sides = {rows - 0.5 - row: name for row, name in enumerate(SKIPS.values())} | {-FOOT / 2: "all seeds\nfit"}
        for axis, labels in ((figure.xaxis, heads), (figure.yaxis, sides)):
            named_ticks(axis, labels)
            axis.major_tick_line_color = None
            axis.axis_line_color = None
        self._frames = empty("x", "y")
        frames = figure.rect("x", "y", 0.97, 0.95, source=self._frames, line_width=1)
        paint(frames, fill_color="wash", line_color="rule")
        self._fills, self._bands, self._lines, self._verdicts = {}, {}, {}, {}
        for kind, (color, opacity, ink) in LOOKS.items():
            fills, bands, lines, texts = empty("x", "y"), empty("xs", "ys"), empty("xs", "ys"), empty("x", "y", "text")
            fill = figure.rect("x", "y", 0.97, 0.95, source=fills, fill_alpha=opacity, line_color=None)
            paint(fill, fill_color=color)
            paint(figure.patches("xs", "ys", source=bands, line_color=None, fill_alpha=0.25), fill_color=ink)
            paint(figure.multi_line("xs", "ys", source=lines, line_width=2), line_color=ink)
            looks = {"text_align": "right", "text_baseline": "top", "text_font_style": "bold"}
            words(figure, texts, ink, **looks)
            self._fills[kind], self._bands[kind] = fills, bands
            self._lines[kind], self._verdicts[kind] = lines, texts
        self._reasons, self._totals = empty("x", "y", "text"), empty("x", "y", "text")
        words(figure, self._reasons, "soft")
        words(figure, self._totals, "ink", text_font_size="14px", text_font_style="bold")
        known(figure, self._frames, self._reasons)
        return [figure]

    def update(self, frame: Frame) -> None:
        along = ROOM + (1 - 2 * ROOM) * frame["steps"] / frame.steps
        low, middle, high = (height_of(frame[name]) for name in ("loss_low", "loss", "loss_high"))
        fills: dict[str, dict[str, list[float]]] = {kind: {"x": [], "y": []} for kind in LOOKS}
        bands: dict[str, dict[str, list[np.ndarray]]] = {kind: {"xs": [], "ys": []} for kind in LOOKS}
        lines: dict[str, dict[str, list[np.ndarray]]] = {kind: {"xs": [], "ys": []} for kind in LOOKS}
        labels: dict[str, dict[str, list[Any]]] = {kind: {"x": [], "y": [], "text": []} for kind in LOOKS}
        reasons: dict[str, list[Any]] = {"x": [], "y": [], "text": []}
        seeds = self.simulation.seeds
        for row, skip in enumerate(SKIPS):
            foot = len(SKIPS) - 1 - row
            for column, norm in enumerate(NORMS):
                fits, lost = int(frame["fits"][row, column]), int(frame["lost"][row, column])
                if (skip, norm) in IMPOSSIBLE:
                    reasons["x"].append(column + 0.5)
                    reasons["y"].append(foot + 0.5)
                    reasons["text"].append(IMPOSSIBLE[skip, norm])
                    continue
                failed = "lost" if lost else "none" if frame.finished else "open"
                kind = "all" if fits == seeds else "some" if fits else failed
                fills[kind]["x"].append(column + 0.5)
                fills[kind]["y"].append(foot + 0.5)
                whole = np.isfinite(middle[row, column])
                x = column + along[whole]
                lines[kind]["xs"].append(x)
                lines[kind]["ys"].append(foot + middle[row, column][whole])
                bands[kind]["xs"].append(np.concatenate([x, x[::-1]]))
                edges = low[row, column][whole], high[row, column][whole][::-1]
                bands[kind]["ys"].append(foot + np.concatenate(edges))
                if frame.step:
                    labels[kind]["x"].append(column + 1 - ROOM)
                    labels[kind]["y"].append(foot + 1 - 1.5 * ROOM)
                    overflow = f"\n{lost} overflow" if lost else ""
                    labels[kind]["text"].append(f"{fits} of {seeds}{overflow}")
        self._frames.data = {axis: [at for cells in fills.values() for at in cells[axis]] for axis in ("x", "y")}
        self._reasons.data = reasons
        for kind in LOOKS:
            self._fills[kind].data, self._bands[kind].data = fills[kind], bands[kind]
            self._lines[kind].data, self._verdicts[kind].data = lines[kind], labels[kind]
        counts = [(int((of_norm == seeds).sum()), int((of_norm >= 0).sum())) for of_norm in frame["fits"].T]
        totals = counts if frame.step else []
        self._totals.data = {
            "x": [column + 0.5 for column in range(len(totals))],
            "y": [-FOOT / 2] * len(totals),
            "text": [f"{whole} of {possible}" for whole, possible in totals],
        }
