"""A decision tree: a row of answers for every question, edges through those chosen, and the block they lead to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bokeh.events import Tap

from app.pictures.base.block_wire import Block, BlockWire
from app.pictures.base.figures import empty, paint, plot, words
from app.pictures.base.screens import NARROW, WIDE, only_on
from app.pictures.base.timed import WAY

CHOSEN, OPEN = "chosen", "open"
LOOKS = {CHOSEN: ("accent", "accent", "panel"), OPEN: ("panel", "edge", "ink")}
"""State of an answer → fill, outline and words"""

FRAME = 40
"""Pixels of a figure's height around what is drawn. Heights are in pixels from the top, widths in hundredths."""

TREE, PILL, GUTTER = 330, 34, 26
"""On a wide screen: pixels of all rows together and of a box; and the width left of them for the questions"""

SPINE, EDGE, ROW, HEAD = 2.2, 7.0, 40, 28
"""On a phone: where the line runs, where words and boxes begin, and the heights of a row of boxes and of a question"""

FITS, GAP = {1: 99, 2: 20, 3: 14}, 1.6
"""Boxes side by side on a phone → letters that fit into each; and the gap between boxes"""

TYPE = {WIDE: "15px", NARROW: "13px"}
"""Size of the words on a screen"""

LEAF, ABOVE = 150, 34
"""Pixels of the result, and the room above it"""


@dataclass(frozen=True)
class Question:
    """A row of the tree: its name, its words, and its answers as name → words."""

    name: str
    words: str
    answers: Mapping[str, str]


@dataclass(frozen=True)
class Box:
    """The place of an answer."""

    question: str
    answer: str
    words: str
    left: float
    right: float
    top: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside the box."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass(frozen=True)
class Plan:
    """Where everything is: the boxes, the words of every question, and the end of the rows."""

    boxes: Sequence[Box]
    heads: Mapping[str, tuple[float, float]]
    end: float


def wide_plan(questions: Sequence[Question]) -> Plan:
    """One row per question, with its words left of it."""
    boxes, heads = [], {}
    apart = (TREE - PILL) / max(len(questions) - 1, 1)
    for row, question in enumerate(questions):
        middle = PILL / 2 + row * apart
        heads[question.name] = (0.0, middle)
        wide = (100 - GUTTER) / len(question.answers)
        for number, (answer, label) in enumerate(question.answers.items()):
            left = GUTTER + number * wide
            sides = (left + GAP / 2, left + wide - GAP / 2, middle - PILL / 2, middle + PILL / 2)
            boxes.append(Box(question.name, answer, label, *sides))
    return Plan(boxes, heads, float(TREE))


def narrow_plan(questions: Sequence[Question]) -> Plan:
    """The words of a question above its boxes, two or three of them side by side."""
    boxes, heads, y = [], {}, 0.0
    for question in questions:
        heads[question.name] = (EDGE, y + HEAD / 2)
        y += HEAD
        answers = list(question.answers.items())
        longest = max(len(label) for label in question.answers.values())
        most = max(count for count, letters in FITS.items() if longest <= letters)
        while answers:
            row, answers = answers[:most], answers[most:]
            wide = (100 - EDGE) / most
            for number, (answer, label) in enumerate(row):
                left = EDGE + number * wide
                sides = (left, left + wide - GAP, y + 3, y + 3 + PILL)
                boxes.append(Box(question.name, answer, label, *sides))
            y += ROW
    return Plan(boxes, heads, y)


PLANS = {WIDE: wide_plan, NARROW: narrow_plan}


class ChoiceChart:
    """The figure for one kind of screen, created once; `show` moves its data."""

    def __init__(
        self, screen: str, title: str, questions: Sequence[Question], tapped: Callable[[str, str], None]
    ) -> None:
        """`tapped(question, answer)` is called on a click on a box."""
        self._screen, self._questions = screen, questions
        self._whole = PLANS[screen](questions).end + ABOVE + LEAF
        self._boxes: Sequence[Box] = []
        self.figure = plot(
            title, "", "", height=FRAME + round(self._whole), x_range=(0, 100), y_range=(self._whole + 2, -4)
        )
        self.figure.update(frame_align=False, min_border=2)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self.figure.styles = {"grid-column": "1 / -1"}
        only_on(screen, self.figure)
        self.open_edges, self.edges = empty(*WAY), empty(*WAY)
        for source, color, wide in ((self.open_edges, "edge", 1.2), (self.edges, "accent", 4)):
            curve = self.figure.bezier(*WAY, source=source, line_width=wide, line_cap="round")
            paint(curve, line_color=color)
        self.stations = empty("x", "y")
        paint(self.figure.scatter("x", "y", source=self.stations, size=11), fill_color="accent", line_color="accent")
        self.boxes, self.words = {}, {}
        for state, (fill, line, text) in LOOKS.items():
            source = self.boxes[state] = empty("left", "right", "top", "bottom")
            box = self.figure.quad("left", "right", "top", "bottom", source=source, line_width=1.4)
            paint(box, fill_color=fill, line_color=line)
            self.words[state] = empty("x", "y", "text")
            style = "bold" if state == CHOSEN else "normal"
            words(self.figure, self.words[state], text, text_font_style=style, text_font_size=TYPE[screen])
        self.heads = empty("x", "y", "text")
        words(self.figure, self.heads, "ink", text_align="left", text_font_style="bold", text_font_size=TYPE[screen])
        self._draw_leaf()

        def clicked(event: Any) -> None:
            for box in self._boxes:
                if event.x is not None and box.holds(event.x, event.y):
                    tapped(box.question, box.answer)

        self.figure.on_event(Tap, clicked)

    def _draw_leaf(self) -> None:
        self.leaf = empty("left", "right", "top", "bottom")
        leaf = self.figure.quad("left", "right", "top", "bottom", source=self.leaf, line_width=2.4)
        paint(leaf, fill_color="wash", line_color="residual")
        self.title, self.formula = empty("x", "y", "text"), empty("x", "y", "text")
        words(self.figure, self.title, "ink", text_font_style="bold", text_font_size=TYPE[self._screen])
        words(self.figure, self.formula, "ink", text_font_size=TYPE[self._screen])
        self._block = BlockWire(self.figure, TYPE[self._screen])
        self.parts, self.names = self._block.parts, self._block.names

    def show(self, chosen: Mapping[str, str], title: str, formula: str, block: Block) -> None:
        """Show the questions that were asked, with their answers, and the block to which they lead."""
        questions = [question for question in self._questions if question.name in chosen]
        plan = PLANS[self._screen](questions)
        self._boxes = plan.boxes
        of_state = {state: [box for box in plan.boxes if _state(box, chosen) == state] for state in LOOKS}
        for state, boxes in of_state.items():
            self.boxes[state].data = {
                side: [getattr(box, side) for box in boxes] for side in ("left", "right", "top", "bottom")
            }
            self.words[state].data = {
                "x": [box.middle[0] for box in boxes],
                "y": [box.middle[1] for box in boxes],
                "text": [box.words for box in boxes],
            }
        self.heads.data = {
            "x": [x for x, _y in plan.heads.values()],
            "y": [y for _x, y in plan.heads.values()],
            "text": [question.words for question in questions],
        }
        top = self._whole - LEAF
        ways = _tree if self._screen == WIDE else _line
        lit, open_, stations = ways(of_state[CHOSEN], plan, top)
        for source, curves in ((self.edges, lit), (self.open_edges, open_)):
            source.data = {name: [curve[at] for curve in curves] for at, name in enumerate(WAY)}
        self.stations.data = {"x": [x for x, _y in stations], "y": [y for _x, y in stations]}
        self.leaf.data = {"left": [1.0], "right": [99.0], "top": [top], "bottom": [self._whole]}
        for source, y, text in ((self.title, top + 18, title), (self.formula, top + 38, formula)):
            source.data = {"x": [50.0], "y": [y], "text": [text]}
        self._block.show(block, top + 66, top + 112)


def _state(box: Box, chosen: Mapping[str, str]) -> str:
    return CHOSEN if chosen[box.question] == box.answer else OPEN


Curves = list[tuple[float, ...]]


def _down(x0: float, y0: float, x1: float, y1: float) -> tuple[float, ...]:
    """A curve that leaves and arrives vertically."""
    middle = (y0 + y1) / 2
    return x0, y0, x1, y1, x0, middle, x1, middle


def _tree(chosen: Sequence[Box], plan: Plan, top: float) -> tuple[Curves, Curves, list[tuple[float, float]]]:
    """Edges from every chosen box to the answers of the next question, the lit ones first; then to the result."""
    lit: Curves = []
    dim: Curves = []
    for at, box in enumerate(chosen):
        follower = chosen[at + 1] if at + 1 < len(chosen) else None
        if follower is None:
            lit.append(_down(box.middle[0], box.bottom, 50.0, top))
            continue
        for other in plan.boxes:
            if other.question == follower.question:
                edges = lit if other is follower else dim
                edges.append(_down(box.middle[0], box.bottom, other.middle[0], other.top))
    return lit, dim, []


def _line(_chosen: Sequence[Box], plan: Plan, top: float) -> tuple[Curves, Curves, list[tuple[float, float]]]:
    """A straight line left of everything, with a station at every question."""
    stations = [(SPINE, y) for _x, y in plan.heads.values()]
    return [_down(SPINE, stations[0][1], SPINE, top)], [], stations
