"""A table as a picture: a cell for every row and column, with a lane that is filled as far as a runner came, a short
text, a color and, for some, a frame."""

from collections.abc import Mapping, Sequence

from bokeh.models import FactorRange

from app.pictures.base.figures import empty, paint, plot
from app.pictures.base.questions import known

CELL, AROUND = 58, 84
"""Pixels of a row, and of everything above and below the rows together"""

HEIGHT, HALF, BELOW = 0.28, 0.4, 8
"""Height of a lane above the middle of its cell and half its length, in cells; and pixels of the text below it"""


class Cells:
    """One figure. Rows and columns have names; the first row is on top."""

    def __init__(self, title: str, x_label: str, kinds: Mapping[str, tuple[str, float]]) -> None:
        """`kinds`: kind of a cell → its color and the opacity of its fill, 0 to 1."""
        self._columns, self._rows = FactorRange(), FactorRange()
        self.figure = plot(title, x_label, "", x_range=self._columns, y_range=self._rows)
        self.figure.ygrid.visible = False
        for axis in (self.figure.xaxis, self.figure.yaxis):
            axis.major_tick_line_color = None
            axis.axis_line_color = None
        self._fills = {}
        for kind, (color, strength) in kinds.items():
            source = self._fills[kind] = empty("column", "row")
            cells = self.figure.rect("column", "row", 0.96, 0.9, source=source, fill_alpha=strength, line_color=None)
            paint(cells, fill_color=color)
        self._tracks = empty("x0", "x1", "y")
        tracks = self.figure.segment("x0", "y", "x1", "y", source=self._tracks, line_width=7)
        paint(tracks, line_color="rule")
        self._lanes = {}
        for kind, (color, _strength) in kinds.items():
            source = self._lanes[kind] = empty("x0", "x1", "y")
            lanes = self.figure.segment("x0", "y", "x1", "y", source=source, line_width=7)
            paint(lanes, line_color=color)
        self._frames, self._texts = empty("column", "row"), empty("column", "row", "text")
        frames = self.figure.rect("column", "row", 0.96, 0.9, source=self._frames, fill_color=None, line_width=2.5)
        paint(frames, line_color="ink")
        texts = self.figure.text(
            "column",
            "row",
            "text",
            source=self._texts,
            text_align="center",
            text_baseline="middle",
            text_font_size="13px",
            text_line_height=0.9,
            y_offset=BELOW,
        )
        paint(texts, text_color="ink")
        known(self.figure, self._tracks)

    def show(
        self,
        rows: Sequence[str],
        columns: Sequence[str],
        cells: Mapping[tuple[str, str], tuple[str, str, float]],
        framed: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Move the data: (row, column) → kind, text, and the filled share of its lane, 0 to 1. A missing cell stays
        empty.
        """
        if list(columns) != self._columns.factors or list(reversed(rows)) != self._rows.factors:
            self._columns.factors, self._rows.factors = list(columns), list(reversed(rows))
            self.figure.height = AROUND + CELL * len(rows)
        for kind, source in self._fills.items():
            places = [at for at, (cell_kind, _text, _share) in cells.items() if cell_kind == kind]
            source.data = {"column": [column for _row, column in places], "row": [row for row, _column in places]}
            filled = {(row, column): cells[row, column][2] for row, column in places if cells[row, column][2]}
            self._lanes[kind].data = _lines(filled)
        self._tracks.data = _lines(dict.fromkeys(cells, 1.0))
        self._texts.data = {
            "column": [column for _row, column in cells],
            "row": [row for row, _column in cells],
            "text": [text for _kind, text, _share in cells.values()],
        }
        self._frames.data = {"column": [column for _row, column in framed], "row": [row for row, _column in framed]}


def _lines(shares: Mapping[tuple[str, str], float]) -> dict[str, list[tuple[str, float]]]:
    """Lines that fill such a share of the lane of each (row, column)."""
    return {
        "x0": [(column, -HALF) for _row, column in shares],
        "x1": [(column, HALF * (2 * share - 1)) for (_row, column), share in shares.items()],
        "y": [(row, HEIGHT) for row, _column in shares],
    }
