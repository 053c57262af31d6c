"""A card of text: a heading, a line below it, a sentence in several lines, and how well it is documented."""

import textwrap
from typing import Any

from app.pictures.base.figures import empty, paint, plot
from app.pictures.base.questions import until_answered

LINE, AROUND = 17, 30
"""Height of a line, and of everything around the lines, in pixels"""

WIDEST = 50
"""Letters in a line that fit on a phone"""

WAITS = "Answer first. Then press a mark to read about it."
"""What the card says before the prediction"""

SENTENCE = 3
"""Maximum number of lines of a sentence"""


class EntryCard:
    """One figure, created once; `show` sets its text. It is as high as its longest sentence needs."""

    def __init__(self, title: str) -> None:
        lines = SENTENCE + 3
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
        waits = self.figure.text([0], [-0.5], [WAITS], text_font_size="13px", text_baseline="middle")
        paint(waits, text_color="soft")
        until_answered(self.figure, waits)

    def show(self, head: str, people: str, sentence: str, evidence: str) -> None:
        """Set the text of the card."""
        body = textwrap.wrap(sentence, WIDEST)
        lines = {"head": [head], "people": [people], "sentence": body, "evidence": [evidence]}
        row = 0
        for name, texts in lines.items():
            places = [-(row + at) - 0.5 for at in range(len(texts))]
            self._lines[name].data = {"x": [0.0] * len(texts), "y": places, "text": texts}
            row += len(texts)
