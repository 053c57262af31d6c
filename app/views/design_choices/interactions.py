"""A table of small curves: a row for each skip, a column for each norm."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint, plot
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.design_choices.interactions import IMPOSSIBLE, NORMS, SKIPS, Interactions

CELL = 74
"""Height of a row in pixels"""

ROOM, HEAD = 0.06, 0.36
"""Margin around the picture of a cell, and space above it for the verdict; in cells."""

FLOOR, CEILING = 1e-4, 2.0
"""Losses at the bottom and at the top of a cell, in nats; losses outside are drawn there."""

VERDICTS = {"all": ("●", "healthy"), "some": ("◐", "idle"), "none": ("○", "failing"), "open": ("–", "idle")}
"""How many seeds fit → glyph and color; "open" if the run has not ended and none fits yet"""


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
            "Training loss of every combination",
            "columns: normalization; rows: skip connection",
            "",
            height=CELL * rows + 58,
            x_range=(0, len(NORMS)),
            y_range=(0, rows),
        )
        figure.ygrid.visible = False
        figure.styles = {"grid-column": "1 / -1"}
        for axis, names in ((figure.xaxis, list(NORMS.values())), (figure.yaxis, list(SKIPS.values())[::-1])):
            named_ticks(axis, {at + 0.5: name for at, name in enumerate(names)})
            axis.major_tick_line_color = None
            axis.axis_line_color = None
        self._frames = empty("x", "y")
        frames = figure.rect("x", "y", 0.97, 0.94, source=self._frames, fill_color=None, line_width=1)
        paint(frames, line_color="rule")
        self._bands, self._lines = empty("xs", "ys"), empty("xs", "ys")
        bands = figure.patches("xs", "ys", source=self._bands, line_color=None, fill_alpha=0.2)
        lines = figure.multi_line("xs", "ys", source=self._lines, line_width=2)
        paint(bands, fill_color="accent")
        paint(lines, line_color="accent")
        self._verdicts = {}
        for kind, (_glyph, color) in VERDICTS.items():
            source = self._verdicts[kind] = empty("x", "y", "text")
            texts = figure.text(
                "x", "y", "text", source=source, text_align="right", text_baseline="top", text_font_size="13px"
            )
            paint(texts, text_color=color)
        self._reasons = empty("x", "y", "text")
        reasons = figure.text(
            "x", "y", "text", source=self._reasons, text_align="center", text_baseline="middle", text_font_size="13px"
        )
        paint(reasons, text_color="soft")
        known(figure, self._frames, self._reasons)
        return [figure]

    def update(self, frame: Frame) -> None:
        along = ROOM + (1 - 2 * ROOM) * frame["steps"] / frame.steps
        low, middle, high = (height_of(frame[name]) for name in ("loss_low", "loss", "loss_high"))
        corners: dict[str, list[float]] = {"x": [], "y": []}
        bands: dict[str, list[np.ndarray]] = {"xs": [], "ys": []}
        lines: dict[str, list[np.ndarray]] = {"xs": [], "ys": []}
        labels: dict[str, dict[str, list[Any]]] = {kind: {"x": [], "y": [], "text": []} for kind in VERDICTS}
        reasons: dict[str, list[Any]] = {"x": [], "y": [], "text": []}
        seeds = self.simulation.seeds
        for row, skip in enumerate(SKIPS):
            foot = len(SKIPS) - 1 - row
            for column, norm in enumerate(NORMS):
                fits, lost = int(frame["fits"][row, column]), int(frame["lost"][row, column])
                corners["x"].append(column + 0.5)
                corners["y"].append(foot + 0.5)
                if (skip, norm) in IMPOSSIBLE:
                    reasons["x"].append(column + 0.5)
                    reasons["y"].append(foot + 0.5)
                    reasons["text"].append(IMPOSSIBLE[skip, norm])
                    continue
                whole = np.isfinite(middle[row, column])
                x = column + along[whole]
                lines["xs"].append(x)
                lines["ys"].append(foot + middle[row, column][whole])
                bands["xs"].append(np.concatenate([x, x[::-1]]))
                bands["ys"].append(foot + np.concatenate([low[row, column][whole], high[row, column][whole][::-1]]))
                kind = "all" if fits == seeds else "some" if fits else "none" if frame.finished else "open"
                labels[kind]["x"].append(column + 1 - ROOM)
                labels[kind]["y"].append(foot + 1 - 1.5 * ROOM)
                runaway = f"\n{lost} overflow" if lost else ""
                counted = "not trained yet" if not frame.step else f"{VERDICTS[kind][0]} {fits} of {seeds}"
                labels[kind]["text"].append(f"{counted}{runaway}")
        self._frames.data, self._bands.data, self._lines.data = corners, bands, lines
        self._reasons.data = reasons
        for kind, data in labels.items():
            self._verdicts[kind].data = data
