"""A card in words: a head, a line below it, a sentence in several lines, and below it how well that is known."""

import textwrap
from typing import Any

from app.pictures.base.figures import empty, paint, plot

LINE, AROUND = 17, 30
"""Pixels of a line, and of what stands around all of them"""

WIDEST = 50
"""Letters of a line that a telephone has room for"""

SENTENCE = 3
"""Lines of a sentence, at most"""


class EntryCard:
    """One figure, drawn once; `show` writes it. It is as high as its longest sentence needs."""

    def __init__(self, title: str, key: str) -> None:
        """`key`: the line at the foot that explains the signs."""
        lines = SENTENCE + 4
        self.figure = plot(
            title, "", "", height=AROUND + LINE * lines, x_range=(0, 1), y_range=(-lines, 0), min_border=2
        )
        self.figure.update(frame_align=False)
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._lines = {}
        for name, color in (("head", "ink"), ("people", "soft"), ("sentence", "ink"), ("evidence", "accent")):
            source = self._lines[name] = empty("x", "y", "text")
            looks: dict[str, Any] = {"text_font_style": "bold"} if name == "head" else {}
            text = self.figure.text(
                "x", "y", "text", source=source, text_font_size="13px", text_baseline="middle", **looks
            )
            paint(text, text_color=color)

        foot = self.figure.text([0], [0.5 - lines], [key], text_font_size="13px", text_baseline="middle", name="key")
        paint(foot, text_color="soft")

    def show(self, head: str, people: str, sentence: str, evidence: str) -> None:
        """Write the card."""
        body = textwrap.wrap(sentence, WIDEST)
        lines = {"head": [head], "people": [people], "sentence": body, "evidence": [evidence]}
        row = 0
        for name, texts in lines.items():
            places = [-(row + at) - 0.5 for at in range(len(texts))]
            self._lines[name].data = {"x": [0.0] * len(texts), "y": places, "text": texts}
            row += len(texts)
