"""A small table that is also the legend of the curves next to it: a sample of each line, its name, and a few
numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.pictures.base.figures import empty, paint, plot

ROW, AROUND = 20, 48
"""Height of a row, and of everything above and below the rows, in pixels"""

NAME = 0.075
"""Where the names start, in a width of 1; a sample of the line is left of each"""


class KeyTable:
    """One figure. Rows are created once, with their lines; `show` sets the cells."""

    def __init__(self, title: str, lines: Mapping[str, tuple[str, str, str]]) -> None:
        """`lines`: name → (label, color, dash)."""
        count = len(lines)
        self.figure = plot(
            title, "", "", height=AROUND + ROW * (count + 1), x_range=(0, 1), y_range=(-count, 1), min_border=2
        )
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        for row, (_words, color, dash) in enumerate(lines.values()):
            sample = self.figure.line([0.003, NAME - 0.012], [-row - 0.5] * 2, line_width=3, line_dash=dash)
            paint(sample, line_color=color)
        rule = self.figure.line([0, 1], [0, 0], line_width=1)
        paint(rule, line_color="rule")
        self._names = [words for words, _color, _dash in lines.values()]
        self._cells = empty("x", "y", "text", "align")
        cells = self.figure.text(
            "x", "y", "text", source=self._cells, text_align="align", text_baseline="middle", text_font_size="13px"
        )
        paint(cells, text_color="ink")

    def show(self, columns: Mapping[str, float], rows: Sequence[Sequence[str]]) -> None:
        """Set the texts of every row, in the order of the lines and of the columns.

        `columns`: heading → where its numbers end, in a width of 1.
        """
        cells: list[tuple[float, float, str, str]] = []
        for row, (name, texts) in enumerate(zip(self._names, rows, strict=True)):
            cells.append((NAME, -row - 0.5, name, "left"))
            cells += [(x, -row - 0.5, text, "right") for x, text in zip(columns.values(), texts, strict=True)]
        cells += [(x, 0.5, head, "right") for head, x in columns.items()]
        data: dict[str, list[Any]] = {
            key: [cell[at] for cell in cells] for at, key in enumerate(("x", "y", "text", "align"))
        }
        self._cells.data = data
