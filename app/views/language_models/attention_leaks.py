"""Sentences of words: those that influence the chosen word light up, and those of other sentences in another color."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint, plot
from app.pictures.base.questions import known
from app.pictures.base.screens import NARROW, WIDE, only_on
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.language_models.attention_leaks import SENTENCES, SEQUENCES, TOKENS, AttentionLeaks

COLUMNS = {WIDE: TOKENS, NARROW: TOKENS // 2}
"""Words in a line"""

SIZES = {WIDE: (20, 82), NARROW: (15, 56)}
"""Pixels of a word's height, and of a line"""

AROUND = 36
"""Pixels of a figure around its lines"""

LOOKS = {"own": ("accent", "bold"), "foreign": ("failing", "bold"), "zero": ("soft", "normal")}
"""How a word influences the output → its color and style"""

PAD, WHOLE = 0.1, 0.8
"""Space before a word, and the length of the longest bar, in columns"""

WORD, BAR, NUMBER = 0.29, 0.58, 0.76
"""Heights in a line: the middle of the word, its bar, and its number"""

LEAST = 0.03
"""Length of the shortest bar, in columns: a small influence is not none"""


class Sentences:
    """The figure on one kind of screen."""

    def __init__(self, screen: str, on_press: Callable[[int, int], None]) -> None:
        """`asked(sequence, token)` is called when a word is pressed; both count from 0."""
        self._columns, self._asked = COLUMNS[screen], on_press
        size, high = SIZES[screen]
        self._lines = TOKENS // self._columns
        rows = SEQUENCES * self._lines
        self.figure = plot(
            "Press a word: which ones influence it?",
            "",
            "",
            height=AROUND + rows * high,
            x_range=(0, self._columns),
            y_range=(rows, 0),
        )
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.grid.visible = self.figure.xaxis.visible = False
        named_ticks(self.figure.yaxis, {(at + 0.5) * self._lines: str(at + 1) for at in range(SEQUENCES)})
        self.figure.yaxis.update(axis_line_color=None, major_tick_line_color=None)
        self.figure.update(frame_align=False)
        only_on(screen, self.figure)
        edges = [at * self._lines for at in range(SEQUENCES)]
        bands = self.figure.quad(
            left=[0] * SEQUENCES,
            right=[self._columns] * SEQUENCES,
            top=[edge + 0.05 for edge in edges],
            bottom=[edge + self._lines - 0.05 for edge in edges],
            line_color=None,
        )
        paint(bands, fill_color="wash")
        self.words: dict[str, Any] = {}
        for kind, (color, style) in LOOKS.items():
            source = self.words[kind] = empty("x", "word_y", "word", "end", "bar_y", "number_y", "number")
            look: dict[str, Any] = {"source": source, "text_baseline": "middle"}
            word = self.figure.text("x", "word_y", "word", text_font_size=f"{size}px", text_font_style=style, **look)
            small = self.figure.text("x", "number_y", "number", text_font_size="13px", **look)
            bar = self.figure.segment("x", "bar_y", "end", "bar_y", source=source, line_width=6)
            for glyph, part in ((word, "text_color"), (small, "text_color"), (bar, "line_color")):
                paint(glyph, **{part: color})
        self.frame = empty("left", "right", "top", "bottom")
        frame = self.figure.quad("left", "right", "top", "bottom", source=self.frame, fill_color=None, line_width=2.6)
        paint(frame, line_color="ink")
        known(self.figure, bands, self.frame)
        self.figure.on_event(Tap, lambda event: self._on_tap(event.x, event.y))

    def _place(self, sequence: int, token: int) -> tuple[int, int]:
        """Column and line of a word."""
        return token % self._columns, sequence * self._lines + token // self._columns

    def show(self, norms: np.ndarray, sequence: int, token: int) -> None:
        """Gradients (SEQUENCES, TOKENS) of the output of a token; all count from 0."""
        rows: dict[str, list[tuple[Any, ...]]] = {kind: [] for kind in LOOKS}
        largest = norms.max()
        for (row, column), norm in np.ndenumerate(norms):
            x, y = self._place(row, column)
            kind = "zero" if norm == 0 else "own" if row == sequence else "foreign"
            length = WHOLE * max(norm / largest, LEAST) if norm else 0.0
            word = SENTENCES[row].split()[column]
            rows[kind].append((x + PAD, y + WORD, word, x + PAD + length, y + BAR, y + NUMBER, number(float(norm), 2)))
        for kind, source in self.words.items():
            source.data = {key: [values[at] for values in rows[kind]] for at, key in enumerate(source.data)}
        x, y = self._place(sequence, token)
        self.frame.data = {"left": [x + 0.02], "right": [x + 0.98], "top": [y + 0.07], "bottom": [y + 0.93]}

    def _on_tap(self, x: float | None, y: float | None) -> None:
        if not (isinstance(x, float | int) and isinstance(y, float | int) and math.isfinite(x) and math.isfinite(y)):
            return
        column, line = math.floor(x), math.floor(y)
        if 0 <= column < self._columns and 0 <= line < SEQUENCES * self._lines:
            self._asked(line // self._lines, column + self._columns * (line % self._lines))


class AttentionLeaksView(View[AttentionLeaks]):
    """Sentences to press; a frame marks the word whose output is differentiated."""

    def draw(self) -> list[LayoutDOM]:
        self._sentences = {screen: Sentences(screen, self._ask) for screen in COLUMNS}
        return [sentences.figure for sentences in self._sentences.values()]

    def update(self, frame: Frame) -> None:
        for sentences in self._sentences.values():
            sentences.show(frame["gradient"], self.simulation.sequence - 1, self.simulation.token - 1)

    def _ask(self, sequence: int, token: int) -> None:
        """Choose the output of a word."""
        self.change_all({"token": token + 1, "sequence": sequence + 1})
