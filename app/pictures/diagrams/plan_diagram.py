"""A playable transformer block as one stream with two branches: what has been computed, and what is right."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from bokeh.events import Tap

from app.pictures.base.figures import columns_of, empty, paint, plot
from app.pictures.base.questions import known
from app.pictures.base.timed import Journey, Timed, Travelers, playable, straight
from app.pictures.diagrams.plan_layout import (
    BOX,
    LAST,
    LAYOUTS,
    LINES,
    PLUS,
    TALL,
    WEIGHTS,
    Layout,
    Wire,
    moment_back,
    words,
)

HEIGHT = 235
SAID, UNDER, ASIDE = -0.98, -0.45, 0.3
"""Heights of the words below the drawing, and of those below and above the stream"""

PLAY = "Play: forward line by line, and back"


class PlanDiagram:
    """The figure, created once; `show` moves its data. `touched(line)` is called with the line that a reader clicks."""

    def __init__(self, title: str, touched: Callable[[int], None]) -> None:
        self._touched = touched
        self.figure = plot(title, "", "", height=HEIGHT, x_range=(0, 7.65), y_range=(-1.2, 2.75), min_border=3)
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._layout = LAYOUTS["pre"]
        self._wires, self._boxes, self._pluses = empty("xs", "ys"), empty("x", "y", "width"), empty("x", "y")
        self._names = empty("x", "y", "text")
        lines, places = ("xs", "ys"), ("x", "y")
        self._there, self._moving = Timed(*lines), Timed(*lines)
        self._right, self._wrong = Timed(*lines), Timed(*lines)
        self._right_marks, self._wrong_marks = Timed(*places), Timed(*places)
        self._here, self._bugs = Timed(*places, "width"), Timed(*places, "width")
        self._signs, self._said = Timed(*places, "text"), Timed(*places, "text")
        self._dots = Travelers()
        self._draw()
        arriving = [self._there, self._right, self._wrong, self._right_marks, self._wrong_marks]
        others = [self._moving, self._here, self._bugs, self._signs, self._said]
        self.timed, self.arriving = others, arriving

    def play(self, parameter: str, more: Sequence[Timed]) -> None:
        """Let the page play the figure, together with the other `Timed` rows in `more`."""
        timed = [*self.timed, *more]
        self._now = playable(self.figure, parameter, LAST, timed, self.arriving, [self._dots], PLAY)
        self.figure.on_event(Tap, lambda event: self._tap(event.x, event.y))

    def _draw(self) -> None:
        draw = self.figure
        fading: dict[str, Any] = {"line_alpha": "alpha"}
        filled = fading | {"fill_alpha": "alpha"}
        middle: dict[str, Any] = {"text_align": "center", "text_baseline": "middle", "text_font_size": "13px"}
        paint(draw.multi_line("xs", "ys", source=self._wires, line_width=1.6), line_color="edge")
        for rows, color, width, dash in (
            (self._there, "ink", 2.2, "solid"),
            (self._moving, "accent", 5, "solid"),
            (self._right, "healthy", 4, "solid"),
            (self._wrong, "failing", 4, [6, 3]),
        ):
            line = draw.multi_line("xs", "ys", source=rows.source, line_width=width, **fading)
            line.glyph.update(line_dash=dash)
            paint(line, line_color=color)
        boxes = draw.rect("x", "y", "width", TALL, source=self._boxes, line_width=1.4)
        paint(boxes, fill_color="panel", line_color="edge")
        pluses = draw.scatter("x", "y", source=self._pluses, size=22, line_width=1.8)
        paint(pluses, fill_color="panel", line_color="residual")
        for rows, color, dash in ((self._bugs, "failing", "dashed"), (self._here, "accent", "solid")):
            ring = draw.rect("x", "y", "width", TALL, source=rows.source, line_width=3.2, fill_alpha=0, **fading)
            ring.glyph.update(line_dash=dash)
            paint(ring, line_color=color)
        paint(draw.text("x", "y", "text", source=self._names, **middle), text_color="ink")
        for rows, color, marker, size in (
            (self._right_marks, "healthy", "circle", 10),
            (self._wrong_marks, "failing", "triangle", 13),
        ):
            mark = draw.scatter("x", "y", source=rows.source, marker=marker, size=size, line_width=1.5, **filled)
            paint(mark, fill_color=color, line_color="panel")
        dots = draw.scatter("x", "y", source=self._dots.source, size="size", line_width=1.5, **filled)
        paint(dots, fill_color="accent", line_color="panel")
        for rows, color in ((self._signs, "accent"), (self._said, "ink")):
            text = draw.text("x", "y", "text", source=rows.source, text_alpha="alpha", **middle)
            paint(text, text_color=color)
        known(draw, self._wires, self._boxes, self._pluses, self._names)

    def show(
        self,
        arrangement: str,
        names: Sequence[str],
        moment: int,
        faults: Mapping[str, float],
        agrees: float,
        bugs: Collection[int],
    ) -> None:
        """Show a moment, 1 to 20. `names` of the lines; `faults`: relative error by gradient or route, right up to
        `agrees`; weights are named "w.q". `bugs`: lines whose backward pass is wrong."""
        layout = self._layout = LAYOUTS[arrangement]
        self._now.data = {"moment": [moment]}
        self.figure.x_range.update(end=layout.end)
        self._wires.data = columns_of([_xs_ys(wire) for wire in layout.wires], "xs", "ys")
        boxes = [(x, y, width) for x, y, width in layout.boxes.values()]
        self._boxes.data = columns_of(boxes, "x", "y", "width")
        self._pluses.data = columns_of([(x, 0.0) for x in layout.pluses.values()], "x", "y")
        written = [(x, y, f"{line} {names[line - 1]}") for line, (x, y, _width) in layout.boxes.items() if y]
        on_stream = {line: x for line, (x, y, _width) in layout.boxes.items() if not y}
        written += [(x, 0.0, names[line - 1]) for line, x in on_stream.items()]
        written += [(x, ASIDE + 0.22, str(line)) for line, x in on_stream.items()]
        written += [(x, 0.0, "+") for x in layout.pluses.values()]
        written += [(x - 0.62, ASIDE, str(line)) for line, x in layout.pluses.items()]
        written += [(0.14, ASIDE, "x"), (layout.end - 0.16, ASIDE, "y")]
        self._names.data = columns_of(written, "x", "y", "text")
        self._there.show([(_xs_ys(wire), wire.forward, LAST) for wire in layout.wires], moment)
        self._moving.show([(_xs_ys(wire), wire.forward, wire.forward) for wire in layout.wires], moment)
        self._show_verdicts(layout, arrangement, moment, faults, agrees)
        rings = dict(layout.boxes)
        rings |= {line: (x, 0.0, 3 * PLUS) for line, x in layout.pluses.items()}
        at = [(rings[line], time, time) for line in rings for time in (line, moment_back(line))]
        self._here.show(at, moment)
        self._bugs.show([(rings[line], moment_back(line), LAST) for line in bugs], moment)
        signs = [((x, UNDER, "copied"), moment_back(line), moment_back(line)) for line, x in layout.pluses.items()]
        signs += [((x, UNDER, "added up"), moment_back(line), moment_back(line)) for line, x in layout.forks.items()]
        self._signs.show(signs, moment)
        texts = [
            ((layout.end / 2, SAID, words(arrangement, names[line - 1], line, back)), time, time)
            for line in range(1, LINES + 1)
            for back, time in ((False, line), (True, moment_back(line)))
        ]
        self._said.show(texts, moment)
        self._dots.show([journey for wire in layout.wires for journey in _journeys(wire)])

    def _show_verdicts(
        self, layout: Layout, arrangement: str, moment: int, faults: Mapping[str, float], agrees: float
    ) -> None:
        """Mark wires and weights whose gradients have been computed as right or wrong."""
        lines: dict[bool, list[Any]] = {True: [], False: []}
        marks: dict[bool, list[Any]] = {True: [], False: []}
        for wire in layout.wires:
            right = all(faults[name] <= agrees for name in wire.names)
            lines[right].append((_xs_ys(wire), wire.back, LAST))
            marks[right].append((_middle(wire), wire.back, LAST))
        for line, weights in WEIGHTS[arrangement].items():
            right = all(faults[f"w.{name}"] <= agrees for name in weights.split())
            x, y, width = layout.boxes[line]
            marks[right].append(((x + width / 2 - 0.02, y + TALL / 2 - 0.02), moment_back(line), LAST))
        for right, rows, dots in (
            (True, self._right, self._right_marks),
            (False, self._wrong, self._wrong_marks),
        ):
            rows.show(lines[right], moment)
            dots.show(marks[right], moment)

    def _tap(self, x: float | None, y: float | None) -> None:
        if not (isinstance(x, float | int) and isinstance(y, float | int)):
            return
        for line, (left, height, width) in self._layout.boxes.items():
            if abs(x - left) < width / 2 and abs(y - height) < TALL / 2:
                self._touched(line)
        for line, plus in self._layout.pluses.items():
            if abs(x - plus) < BOX / 4 and abs(y) < TALL / 2:
                self._touched(line)


def _xs_ys(wire: Wire) -> tuple[list[float], list[float]]:
    return [x for x, _y in wire.points], [y for _x, y in wire.points]


def _middle(wire: Wire) -> tuple[float, float]:
    """The middle of a wire's first segment."""
    (x0, y0), (x1, y1) = wire.points[:2]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _journeys(wire: Wire) -> list[Journey]:
    """A dot along all segments of a wire, forward at its moment and backward at that of its gradient."""
    count = len(wire.points) - 1
    journeys = []
    for at, ((x0, y0), (x1, y1)) in enumerate(zip(wire.points, wire.points[1:], strict=False)):
        curve = straight(x0, y0, x1, y1)
        journeys.append(Journey(curve, wire.forward, -at, count - at, 11))
        journeys.append(Journey(curve, wire.back, count - at, -at, 11))
    return journeys
