"""A playable transformer block as one stream with two branches: the tensors on their wires, then their gradients."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import Image, LayoutDOM

from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import columns_of, empty, paint, plot, words
from app.pictures.base.questions import known, until_answered
from app.pictures.base.screens import NARROW, PHONE, WIDE, only_on
from app.pictures.base.timed import Journey, Timed, Travelers, straight
from app.pictures.diagrams.plan_layout import LAST, LAYOUTS, LINES, PAGES, WEIGHTS, Layout, Wire, moment_back
from app.pictures.maps.matrix_picture import key, mapper

AROUND = 36
"""Pixels of a figure's height above and below its plot area"""

NAME = 8.0
"""Pixels from a tensor to the middle of its name, above its left end"""

PALE = 0.35
"""Opacity of tensors during the backward pass, until their gradients arrive"""

EDGES = {WIDE: (-46.0, 232.0), NARROW: (-4.0, 32.0)}
"""Kind of screen → lower and upper end of the drawing beyond the stream's end and its start, in pixels"""

KEYS = {WIDE: ((3.5, 7.5), -36.0), NARROW: ((87.5, 99.5), 20.0)}
"""Kind of screen → where the samples of both colors end, and their height"""

NUMBERS = {WIDE: (-3.1, 12.0), NARROW: (4.0, 28.0)}
"""Kind of screen → how far the line number of a plus sign is to its right and above it"""

BELOW = {WIDE: (0.0, 34.0), NARROW: (7.0, 25.0)}
"""Kind of screen → how far a text is to the right of a plus sign or fork and below it"""

SIGNS = {True: ("copied", "sum"), False: ("halved", "one lost")}
"""Whether a line is right → what a plus sign and a fork do in the backward pass"""


class PlanDiagram:
    """The block for both kinds of screens, created once; `show` moves its data. `touched(line)` is called with the line
    that a reader clicks. The figures say nothing of how they are played: see `timed`, `arriving` and `travelers`."""

    def __init__(self, title: str, touched: Callable[[int], None]) -> None:
        self.screens = {screen: Drawing(screen, title, touched) for screen in PAGES}
        drawings = self.screens.values()
        self.figures: list[LayoutDOM] = [drawing.figure for drawing in drawings]
        self.timed = [rows for drawing in drawings for rows in drawing.timed]
        self.arriving = [rows for drawing in drawings for rows in drawing.arriving]
        self.travelers = [drawing.dots for drawing in drawings]

    def show(
        self,
        arrangement: str,
        names: Sequence[str],
        moment: int,
        tensors: Mapping[str, np.ndarray],
        gradients: Mapping[str, np.ndarray],
        faults: Mapping[str, float],
        agrees: float,
        bugs: Collection[int],
    ) -> None:
        """Show a moment, 1 to 20. `names` of the lines; `tensors` and `gradients` as colors from −1 to 1, the latter by
        tensor or route; `faults`: their relative errors, right up to `agrees`; weights are named "w.q". `bugs`: lines
        whose backward pass is wrong."""
        right = {name: fault <= agrees for name, fault in faults.items()}
        for drawing in self.screens.values():
            drawing.show(arrangement, names, moment, tensors, gradients, right, bugs)


class Drawing:
    """The figure on one kind of screen."""

    def __init__(self, screen: str, title: str, touched: Callable[[int], None]) -> None:
        self._screen, self._page, self._touched = screen, PAGES[screen], touched
        self.figure = plot(title, "", "", x_range=(0, 100), y_range=(0, 1), min_border=3)
        self.figure.update(frame_align=False)
        self.figure.styles = {"grid-column": "1 / -1"}
        only_on(screen, self.figure, PHONE)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._layout = LAYOUTS["pre"][screen]
        self._fit(self._layout)  # a page makes pictures taller once, and a height that comes later undoes it
        self._wires, self._sockets = empty("xs", "ys"), empty("x", "y")
        self._boxes, self._pluses, self._names = empty("x", "y"), empty("x", "y"), empty("x", "y", "text")
        lines, places, texts, image = ("xs", "ys"), ("x", "y"), ("x", "y", "text"), ("image", "x", "y", "dw", "dh")
        self._there, self._moving = Timed(*lines), Timed(*lines)
        self._right, self._wrong = Timed(*lines), Timed(*lines)
        self._tensors, self._gradients = Timed(*image, "bright"), Timed(*image)
        self._right_frames, self._wrong_frames = Timed(*places), Timed(*places)
        self._right_marks, self._wrong_marks = Timed(*places), Timed(*places)
        self._here, self._bugs = Timed(*places, "width", "height"), Timed(*places, "width", "height")
        self._labels, self._asked = Timed(*texts), Timed(*texts)
        self._signs = {right: Timed(*texts) for right in SIGNS}
        self.dots = Travelers()
        self._draw()
        self.figure.on_event(Tap, lambda event: self._tap(event.x, event.y))
        judged = [self._right, self._wrong, self._right_frames, self._wrong_frames]
        self.arriving = [self._there, *judged, self._right_marks, self._wrong_marks, self._tensors, self._gradients]
        self.timed = [self._moving, self._here, self._bugs, self._labels, self._asked, *self._signs.values()]

    def _draw(self) -> None:
        draw = self.figure
        fading: dict[str, Any] = {"line_alpha": "alpha"}
        paint(draw.multi_line("xs", "ys", source=self._wires, line_width=1.6), line_color="edge")
        for rows, color, thick, dash in (
            (self._there, "ink", 2.2, "solid"),
            (self._moving, "accent", 5, "solid"),
            (self._right, "healthy", 3.5, "solid"),
            (self._wrong, "failing", 3.5, [6, 3]),
        ):
            line = draw.multi_line("xs", "ys", source=rows.source, line_width=thick, **fading)
            line.glyph.update(line_dash=dash)
            paint(line, line_color=color)
        label = words(draw, self._labels.source, "ink", text_align="left", text_alpha="alpha", **PATCH | {"padding": 0})
        paint(label, background_fill_color="panel")
        label.glyph.update(background_fill_alpha="alpha")
        dots = draw.scatter("x", "y", source=self.dots.source, size="size", line_width=1.5, alpha="alpha")
        paint(dots, fill_color="accent", line_color="panel")
        width, height = self._page.tile
        paint(
            draw.rect("x", "y", width, height, source=self._sockets, line_width=1),
            fill_color="panel",
            line_color="edge",
        )
        for images in (self._tensors, self._gradients):
            picture = Image(
                image="image", x="x", y="y", dw="dw", dh="dh", color_mapper=mapper(1.0), global_alpha="alpha"
            )
            draw.add_glyph(images.source, picture)
        paint(
            draw.rect("x", "y", *self._page.box, source=self._boxes, line_width=1.4),
            fill_color="panel",
            line_color="edge",
        )
        pluses = draw.scatter("x", "y", source=self._pluses, size=self._page.plus[1], line_width=1.8)
        paint(pluses, fill_color="panel", line_color="residual")
        for rows, color, dash in ((self._right_frames, "healthy", "solid"), (self._wrong_frames, "failing", "dashed")):
            frame = draw.rect("x", "y", width, height, source=rows.source, line_width=2.5, fill_alpha=0, **fading)
            frame.glyph.update(line_dash=dash)
            paint(frame, line_color=color)
        for rows, color, dash in ((self._bugs, "failing", "dashed"), (self._here, "accent", "solid")):
            ring = draw.rect("x", "y", "width", "height", source=rows.source, line_width=3.2, fill_alpha=0, **fading)
            ring.glyph.update(line_dash=dash)
            paint(ring, line_color=color)
        words(draw, self._names, "ink", text_line_height=0.9)
        for rows, color, marker, size in (
            (self._right_marks, "healthy", "circle", 10),
            (self._wrong_marks, "failing", "triangle", 13),
        ):
            mark = draw.scatter("x", "y", source=rows.source, marker=marker, size=size, line_width=1.5, alpha="alpha")
            paint(mark, fill_color=color, line_color="panel")
        side = "left" if self._page.down else "center"
        for right, rows in self._signs.items():
            looks: dict[str, Any] = {"text_align": side, "text_alpha": "alpha", "text_font_style": "bold"}
            words(draw, rows.source, "accent" if right else "failing", **looks)
        asked: dict[str, Any] = {"text_font_size": "20px", "text_font_style": "bold", "text_alpha": "alpha"}
        words(draw, self._asked.source, "ink", **asked)
        given = (self._wires, self._sockets, self._boxes, self._pluses, self._names)
        known(draw, *given, *key(draw, *KEYS[self._screen], "middle"), self._tensors.source, self._labels.source)
        until_answered(draw, self._asked.source)

    def show(
        self,
        arrangement: str,
        names: Sequence[str],
        moment: int,
        tensors: Mapping[str, np.ndarray],
        gradients: Mapping[str, np.ndarray],
        right: Mapping[str, bool],
        bugs: Collection[int],
    ) -> None:
        """As in `PlanDiagram`; `right`: whether a gradient is right."""
        layout = self._layout = LAYOUTS[arrangement][self._screen]
        self._fit(layout)
        self._wires.data = columns_of([_xs_ys(wire) for wire in layout.wires], "xs", "ys")
        self._sockets.data = columns_of([wire.tile for wire in layout.wires], "x", "y")
        self._boxes.data = columns_of(layout.boxes.values(), "x", "y")
        self._pluses.data = columns_of(layout.pluses.values(), "x", "y")
        gap = "\n" if self._page.down else " "
        written = [(x, y, f"{line}{gap}{names[line - 1]}") for line, (x, y) in layout.boxes.items()]
        written += [(x, y, "+") for x, y in layout.pluses.values()]
        along, above = NUMBERS[self._screen]
        written += [(x + along, y + above, str(line)) for line, (x, y) in layout.pluses.items()]
        self._names.data = columns_of(written, "x", "y", "text")
        self._there.show([(_xs_ys(wire), wire.forward, LAST) for wire in layout.wires], moment)
        self._moving.show([(_xs_ys(wire), wire.forward, wire.forward) for wire in layout.wires], moment)
        self._show_tiles(layout, moment, tensors, gradients)
        self._show_verdicts(layout, arrangement, moment, right)
        width, height = self._page.box
        rings = {line: (*place, width, height) for line, place in layout.boxes.items()}
        plus_width, plus_height = self._page.plus
        rings |= {line: (*place, 1.8 * plus_width, 1.8 * plus_height) for line, place in layout.pluses.items()}
        at = [(rings[line], time, time) for line in rings for time in (line, moment_back(line))]
        self._here.show(at, moment)
        self._bugs.show([(rings[line], moment_back(line), LAST) for line in bugs], moment)
        for good, rows in self._signs.items():
            signs = [
                (self._beside(place, SIGNS[good][kind]), moment_back(line), moment_back(line))
                for kind, places in enumerate((layout.pluses, layout.forks))
                for line, place in places.items()
                if (line in bugs) != good
            ]
            rows.show(signs, moment)
        self.dots.show([journey for wire in layout.wires for journey in _journeys(wire)])

    def _fit(self, layout: Layout) -> None:
        """Fit the figure to a layout: an arrangement has its own length."""
        x, y = layout.end
        low, high = EDGES[self._screen]
        low += y
        self.figure.update(height=round(high - low) + AROUND)
        self.figure.x_range.update(start=0, end=100 if self._page.down else x)
        self.figure.y_range.update(start=low, end=high)

    def _beside(self, place: tuple[float, float], text: str) -> tuple[float, float, str]:
        """A text below a plus sign or fork: on a phone right of the stream, which runs down."""
        (x, y), (right, below) = place, BELOW[self._screen]
        return x + right, y - below, text

    def _show_tiles(
        self,
        layout: Layout,
        moment: int,
        tensors: Mapping[str, np.ndarray],
        gradients: Mapping[str, np.ndarray],
    ) -> None:
        """Show the tensors, and from their moments on their gradients. The gradient that arrives at the output is no
        result."""
        early, late, labels, asked = [], [], [], []
        width, height = self._page.tile
        asking = {moment_back(line) for line in layout.pluses}
        for wire in layout.wires:
            x, y = wire.tile
            corner = (x - width / 2, y - height / 2, width, height)
            tensor, gradient = (_pixels(values) for values in (tensors[wire.tensor], gradients[wire.name]))
            early += [
                ((tensor, *corner, 1.0), wire.forward, min(LINES, wire.back - 1)),
                ((tensor, *corner, PALE), LINES + 1, wire.back - 1),
            ]
            if wire.tensor == "y":
                early.append(((gradient, *corner, 1.0), wire.back, LAST))
            else:
                late.append(((gradient, *corner), wire.back, LAST))
                if wire.back in asking:
                    asked.append(((x, y, "?"), wire.back, wire.back))
            name = (x - width / 2, y + height / 2 + NAME)
            labels.append(((*name, wire.tensor), 0, wire.back - 1))
            labels.append(((*name, f"by {wire.route}" if wire.route else f"d.{wire.tensor}"), wire.back, LAST))
        self._tensors.show(early, moment)
        self._gradients.show(late, moment)
        self._labels.show(labels, moment)
        self._asked.show(asked, moment)

    def _show_verdicts(self, layout: Layout, arrangement: str, moment: int, right: Mapping[str, bool]) -> None:
        """Mark wires and weights whose gradients have been computed as right or wrong."""
        lines: dict[bool, list[Any]] = {True: [], False: []}
        frames: dict[bool, list[Any]] = {True: [], False: []}
        marks: dict[bool, list[Any]] = {True: [], False: []}
        width, height = self._page.tile
        for wire in layout.wires:
            good, (x, y) = right[wire.name], wire.tile
            lines[good].append((_xs_ys(wire), wire.back, LAST))
            frames[good].append((wire.tile, wire.back, LAST))
            marks[good].append(((x + width / 2, y + height / 2), wire.back, LAST))
        width, height = self._page.box
        for line, weights in WEIGHTS[arrangement].items():
            x, y = layout.boxes[line]
            good = all(right[f"w.{name}"] for name in weights.split())
            marks[good].append(((x + width / 2, y + height / 2), moment_back(line), LAST))
        for rows, shown in (
            ((self._right, self._wrong), lines),
            ((self._right_frames, self._wrong_frames), frames),
            ((self._right_marks, self._wrong_marks), marks),
        ):
            rows[0].show(shown[True], moment)
            rows[1].show(shown[False], moment)

    def _tap(self, x: float | None, y: float | None) -> None:
        if not (isinstance(x, float | int) and isinstance(y, float | int)):
            return
        width, height = self._page.box
        for line, (left, middle) in (*self._layout.boxes.items(), *self._layout.pluses.items()):
            if abs(x - left) < width / 2 and abs(y - middle) < height / 2:
                self._touched(line)


def _pixels(values: np.ndarray) -> np.ndarray:
    """A matrix as an image, whose first row is at the bottom."""
    return values[::-1].astype(np.float32)


def _xs_ys(wire: Wire) -> tuple[list[float], list[float]]:
    return [x for x, _y in wire.points], [y for _x, y in wire.points]


def _journeys(wire: Wire) -> list[Journey]:
    """A dot along all segments of a wire, forward at its moment and backward at that of its gradient."""
    count = len(wire.points) - 1
    journeys = []
    for at, ((x0, y0), (x1, y1)) in enumerate(zip(wire.points, wire.points[1:], strict=False)):
        curve = straight(x0, y0, x1, y1)
        journeys.append(Journey(curve, wire.forward, -at, count - at, 11))
        journeys.append(Journey(curve, wire.back, count - at, -at, 11))
    return journeys
