"""A decision chart: a row of boxes for every question, a path through the chosen answers, and the result they lead
to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bokeh.events import Tap
from bokeh.models import ColumnDataSource

from app.pictures.base.figures import empty, paint, plot, words

ROW, FRAME = 31, 40
"""Height of a row, and of everything around the rows, in pixels."""

PER_ROW = 3
"""Maximum number of boxes side by side."""

HALF, GAP = 0.4, 1.2
"""Half the height of a box in rows, and the gap between boxes; the chart is 100 wide."""

EDGE, SPINE, RAIL, BELOW = 4.0, 1.6, 0.2, 0.2
"""Left edge of boxes and words; left of them the vertical path; how far below its box the path leaves the row; and the
room for it below every row. So the path passes beside all words and boxes, and along none of their edges."""

CHOSEN, OPEN, MOOT = "chosen", "open", "moot"
LOOKS = {CHOSEN: ("wash", "accent", "solid"), OPEN: ("panel", "edge", "solid"), MOOT: ("panel", "rule", "dashed")}
"""State of a box → fill, outline and dash."""


@dataclass(frozen=True)
class Question:
    """A row of the chart: its name, its words, and its answers as name → words."""

    name: str
    words: str
    answers: Mapping[str, str]


@dataclass(frozen=True)
class Box:
    """The place of an answer in the chart."""

    question: str
    answer: str
    words: str
    left: float
    right: float
    middle: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside the box."""
        return self.left <= x <= self.right and abs(y - self.middle) <= HALF


def places(questions: Sequence[Question]) -> tuple[list[Box], dict[str, float], float]:
    """All boxes, the height of every question's words, and that of the result box. Heights decrease from 0, a row
    each and the room below it."""
    boxes, heads, y = [], {}, 0.0
    for question in questions:
        heads[question.name] = y
        answers = list(question.answers.items())
        while answers:
            row, answers = answers[:PER_ROW], answers[PER_ROW:]
            y -= 1
            wide = (100 - EDGE) / len(row)
            for number, (answer, label) in enumerate(row):
                left, right = EDGE + number * wide, EDGE + (number + 1) * wide
                boxes.append(Box(question.name, answer, label, left + GAP * (number > 0), right - GAP, y))
            y -= BELOW
        y -= 1
    return boxes, heads, y - 0.3


class ChoiceChart:
    """The figure, created once; `show` moves its data. `tapped(question, answer)` is called on a click."""

    def __init__(self, title: str, questions: Sequence[Question], tapped: Callable[[str, str], None]) -> None:
        self._boxes, heads, self._end = places(questions)
        rows = 1.4 - self._end
        self.figure = plot(
            title,
            "",
            "",
            height=FRAME + round(ROW * rows),
            x_range=(0, 100),
            y_range=(self._end - 0.8, 0.6),
        )
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._path, self._sources = empty("xs", "ys"), {}
        way = self.figure.multi_line("xs", "ys", source=self._path, line_width=3, line_join="round", line_cap="round")
        paint(way, line_color="accent")
        for state, (fill, line, dash) in LOOKS.items():
            source = self._sources[state] = empty("left", "right", "top", "bottom")
            box = self.figure.quad(
                "left",
                "right",
                "top",
                "bottom",
                source=source,
                line_dash=dash,
                line_width=1.2 + (state == CHOSEN),
            )
            paint(box, fill_color=fill, line_color=line)
        self._words = {state: self._text(state == CHOSEN, "soft" if state == MOOT else "ink") for state in LOOKS}
        texts = {question.name: question.words for question in questions}
        head = self.figure.text(
            [EDGE] * len(heads),
            list(heads.values()),
            [texts[name] for name in heads],
            text_baseline="middle",
            text_font_size="13px",
            text_font_style="bold",
        )
        paint(head, text_color="ink")
        self._leaf = empty("left", "right", "top", "bottom")
        leaf = self.figure.quad("left", "right", "top", "bottom", source=self._leaf, line_width=2.4)
        paint(leaf, fill_color="wash", line_color="residual")
        self._title, self._formula = self._text(True, "ink"), self._text(False, "ink")

        def clicked(event: Any) -> None:
            for box in self._boxes:
                if event.x is not None and box.holds(event.x, event.y):
                    tapped(box.question, box.answer)

        self.figure.on_event(Tap, clicked)

    def _text(self, bold: bool, color: str) -> ColumnDataSource:
        source = empty("x", "y", "text")
        words(self.figure, source, color, text_font_style="bold" if bold else "normal")
        return source

    def show(self, chosen: Mapping[str, str], title: str, formula: str) -> None:
        """Show the answers to the questions asked so far, and the result they lead to."""
        of_state: dict[str, list[Box]] = {state: [] for state in LOOKS}
        for box in self._boxes:
            state = MOOT if box.question not in chosen else CHOSEN if chosen[box.question] == box.answer else OPEN
            of_state[state].append(box)
        for state, boxes in of_state.items():
            self._sources[state].data = {
                "left": [box.left for box in boxes],
                "right": [box.right for box in boxes],
                "top": [box.middle + HALF for box in boxes],
                "bottom": [box.middle - HALF for box in boxes],
            }
            self._words[state].data = {
                "x": [(box.left + box.right) / 2 for box in boxes],
                "y": [box.middle for box in boxes],
                "text": [box.words for box in boxes],
            }
        ways = [
            ([middle, middle, SPINE], [box.middle - HALF, rail, rail])
            for box in of_state[CHOSEN]
            for middle, rail in [((box.left + box.right) / 2, box.middle - HALF - RAIL)]
        ]
        ways += [([SPINE, SPINE, EDGE], [ways[0][1][-1], self._end, self._end])] if ways else []
        self._path.data = {"xs": [xs for xs, _ in ways], "ys": [ys for _, ys in ways]}
        self._leaf.data = {"left": [EDGE], "right": [100 - GAP], "top": [self._end + 0.6], "bottom": [self._end - 0.6]}
        for source, y, text in ((self._title, 0.25, title), (self._formula, -0.27, formula)):
            source.data = {"x": [50 + EDGE / 2], "y": [self._end + y], "text": [text]}
