"""Draws blocks in one notation: the stream from left to right, a branch above it, and a sign where they meet."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.pictures.base.figures import empty, paint, plot

HEIGHT = 166
WIDE, HIGH = 1.06, 0.7
"""Size of a box"""

ABOVE, GATE = 1.15, 2.05
"""Heights of the branch and of a gate's line above the stream at 0"""

Point = tuple[float, float]


@dataclass(frozen=True)
class Plan:
    """A block from x = 0 to x = 10. Boxes and signs are (text, x, y); lines are their corners, and whether they are
    stream.

    A `touched` line is a stream that is multiplied, normalized or transformed; it is drawn dashed.
    """

    boxes: tuple[tuple[str, float, float], ...]
    signs: tuple[tuple[str, float, float], ...]
    branches: tuple[tuple[Point, ...], ...]
    stream: tuple[tuple[Point, ...], ...] = ()
    touched: tuple[tuple[Point, ...], ...] = ()
    notes: tuple[tuple[str, float, float], ...] = ()


def _row(texts: str, first: float, last: float, y: float) -> tuple[tuple[str, float, float], ...]:
    """Boxes at equal distances."""
    words = texts.split()
    step = (last - first) / max(len(words) - 1, 1)
    return tuple((word, first + at * step, y) for at, word in enumerate(words))


def _loop(left: float, right: float, y: float = ABOVE) -> tuple[Point, ...]:
    """A line that leaves the stream and returns to it."""
    return ((left, 0), (left, y), (right, y), (right, 0))


PLANS: Mapping[str, Plan] = {
    "plain": Plan(_row("W ReLU W ReLU", 1.6, 8.4, 0), (), (((0, 0), (10, 0)),)),
    "direct": Plan(
        (*_row("W ReLU W ReLU", 1.6, 7.0, 0), ("D", 4.3, GATE)),
        (("+", 9.0, 0),),
        (((0, 0), (10, 0)), ((0, GATE), (9.0, GATE), (9.0, 0))),
        notes=(("x₀", 0.3, GATE + 0.42), ("once, at the end", 6.9, GATE + 0.42)),
    ),
    "cascade": Plan(
        _row("W tanh", 3.4, 6.0, ABOVE),
        (("[ ]", 8.0, 0),),
        (_loop(1.2, 8.0),),
        (((0, 0), (10, 0)),),
        notes=(("all so far", 1.0, -0.55), ("and two more", 8.4, -0.55)),
    ),
    "lstm": Plan(
        (("tanh", 2.6, ABOVE), ("σ in", 2.6, GATE), ("tanh", 7.2, ABOVE), ("σ out", 7.2, GATE)),
        (("×", 4.2, ABOVE), ("+", 4.2, 0), ("×", 8.8, ABOVE)),
        (
            ((0, ABOVE), (4.2, ABOVE), (4.2, 0)),
            ((1.2, ABOVE), (1.2, GATE), (4.2, GATE), (4.2, ABOVE)),
            ((5.6, 0), (5.6, ABOVE), (10, ABOVE)),
            ((1.2, GATE), (1.2, GATE + 0.5), (5.6, GATE + 0.5), (5.6, GATE), (8.8, GATE), (8.8, ABOVE)),
        ),
        (((0, 0), (10, 0)),),
        notes=(("h", 0.25, ABOVE + 0.36), ("c", 0.25, 0.36), ("h′", 9.7, ABOVE + 0.36), ("c′", 9.7, 0.36)),
    ),
    "highway": Plan(
        (*_row("W ReLU W ReLU", 2.1, 6.0, ABOVE), ("σ", 4.05, GATE)),
        (("×", 7.4, ABOVE), ("×", 7.4, 0), ("+", 8.8, 0)),
        (
            ((0.9, 0), (0.9, ABOVE), (8.8, ABOVE), (8.8, 0)),
            ((0.9, ABOVE), (0.9, GATE), (7.4, GATE), (7.4, 0)),
        ),
        touched=(((0, 0), (10, 0)),),
        notes=(("T", 7.75, 1.6), ("1 − T", 8.05, 0.5)),
    ),
    "resnet": Plan(
        (*_row("W N ReLU W N", 1.7, 6.3, ABOVE), ("ReLU", 8.8, 0)),
        (("+", 7.4, 0),),
        (_loop(0.7, 7.4),),
        (((0, 0), (7.4, 0)),),
        (((7.4, 0), (10, 0)),),
    ),
    "identity": Plan(
        _row("N ReLU W N ReLU W", 1.6, 7.6, ABOVE), (("+", 8.8, 0),), (_loop(0.6, 8.8),), (((0, 0), (10, 0)),)
    ),
    "dense": Plan(
        _row("N ReLU W", 2.6, 6.2, ABOVE),
        (("[ ]", 8.0, 0),),
        (_loop(1.2, 8.0),),
        (((0, 0), (10, 0)),),
        notes=(("all so far", 1.0, -0.55), ("and eight more", 8.4, -0.55)),
    ),
    "pre": Plan(_row("LN W ReLU W", 2.2, 6.8, ABOVE), (("+", 8.4, 0),), (_loop(0.9, 8.4),), (((0, 0), (10, 0)),)),
    "rezero": Plan(
        _row("W ReLU W", 2.2, 5.2, ABOVE),
        (("×", 6.9, ABOVE), ("+", 8.4, 0)),
        (_loop(0.9, 8.4),),
        (((0, 0), (10, 0)),),
        notes=(("α", 6.9, ABOVE + 0.5),),
    ),
    "deep": Plan(
        (*_row("W ReLU W", 2.2, 5.4, ABOVE), ("LN", 8.6, 0)),
        (("×", 4.0, 0), ("+", 7.0, 0)),
        (_loop(0.9, 7.0),),
        touched=(((0, 0), (10, 0)),),
        notes=(("a", 4.0, -0.5),),
    ),
}
"""Ancestor → its block"""

TOP, FOOT = 3.4, -0.8


class BlockDrawing:
    """The figure, created once; `show` replaces the block it draws."""

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "", "", height=HEIGHT, x_range=(-0.15, 10.15), y_range=(FOOT, TOP), min_border=2)
        self.figure.update(frame_align=False)
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        draw = self.figure
        self._ways = {name: empty("xs", "ys") for name in ("branches", "stream", "touched")}
        for name, (color, width, dash) in {
            "branches": ("edge", 1.6, "solid"),
            "stream": ("residual", 4, "solid"),
            "touched": ("residual", 4, "dashed"),
        }.items():
            line = draw.multi_line("xs", "ys", source=self._ways[name], line_width=width, line_dash=dash)
            paint(line, line_color=color)
        self._boxes, self._signs = empty("x", "y", "text"), empty("x", "y", "text")
        boxes = draw.rect("x", "y", WIDE, HIGH, source=self._boxes, line_width=1.6)
        paint(boxes, fill_color="panel", line_color="ink")
        signs = draw.scatter("x", "y", source=self._signs, size=21, line_width=2)
        paint(signs, fill_color="panel", line_color="residual")
        self._notes, self._rule = empty("x", "y", "text"), empty("x", "y", "text")
        for source, color, size, align in (
            (self._boxes, "ink", "13px", "center"),
            (self._signs, "ink", "14px", "center"),
            (self._notes, "soft", "13px", "center"),
            (self._rule, "ink", "14px", "left"),
        ):
            text = draw.text(
                *("x", "y", "text"), source=source, text_font_size=size, text_align=align, text_baseline="middle"
            )
            paint(text, text_color=color)

    def show(self, name: str, rule: str) -> None:
        """Draw the block of an ancestor, with its formula above it."""
        plan = PLANS[name]
        for kind, source in self._ways.items():
            ways: tuple[tuple[Point, ...], ...] = getattr(plan, kind)
            source.data = {"xs": [[x for x, _ in way] for way in ways], "ys": [[y for _, y in way] for way in ways]}
        for source, rows in ((self._boxes, plan.boxes), (self._signs, plan.signs), (self._notes, plan.notes)):
            source.data = {
                "x": [x for _, x, _ in rows],
                "y": [y for _, _, y in rows],
                "text": [text for text, _, _ in rows],
            }
        self._rule.data = {"x": [-0.1], "y": [TOP - 0.3], "text": [rule]}
