"""Maps of the answers of two networks that start as the same function, and their distance; as measures, stream, error
and gradients of all."""

from typing import Any

import numpy as np
from bokeh.models import Image, InlineStyleSheet, LayoutDOM, LinearColorMapper, NumeralTickFormatter
from bokeh.plotting import figure

from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, empty, paint, plot, tint, words
from app.pictures.base.theme import LIGHT
from app.pictures.maps.network_maps import HUES
from app.views.base import View
from sims.comparisons.branch_starts import STARTS
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import percent
from sims.simulations.design_choices.init import SEEN, Init

LOOKS = {
    "usual": ("idle", "dotted"),
    "zero": ("third", "solid"),
    "small": ("residual", "solid"),
    "multiplied": ("residual", "dashed"),
    "gpt2": ("fourth", "dotdash"),
}
"""Color and dash: the two networks that start as the same function share a color."""

FOOT, LEFT = 0.06, 0.02
"""Margins below zero and left of it, for the first point: shares of the height and of the run"""

NARROW = 0.5
"""Share of the run after which the label of a point is on its left"""

HEIGHT = 420
"""Pixels of both figures"""

TALL, LINE, GAP = 100, 25, 0.06
"""Heights of a map and of the words above it, about pixels; distance of two moments, in widths of a map"""

FRAME = 4
"""Room below the lowest map for its frame, about pixels"""

COLUMNS, ROWS = len(SEEN) + 1, 3

STRONG = "c8"
"""Opacity of a class on a map"""

CLEAR = "#00000000"

CORNERS = ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75))
"""Where the three test points are that a map goes through, in shares of its sides"""

PLACES_IN_ROW = {"maps": "width: 62%", "line": "width: 36%; margin-left: 64%"}
"""Where the room is wide, the maps and the line share a row."""

LOW = 260
"""Pixels of the line where it is below the maps"""


def place(chart: figure, name: str) -> None:
    """Give a figure all columns of the grid, or a part of their width."""
    css = f"@container (min-width: 740px) {{ :host {{ grid-row: 1; {PLACES_IN_ROW[name]} }} }}"
    if name == "line":
        css += f"@container (max-width: 739.9px) {{ :host {{ height: {LOW}px !important }} }}"
    chart.update(styles={"grid-column": "1 / -1"}, stylesheets=[InlineStyleSheet(css=css)])


class AnswerMaps:
    """A column for each moment: the classes that both networks answer on a plane, and where they differ."""

    def __init__(self) -> None:
        high = ROWS * (TALL + LINE) + LINE
        self.figure = plot(
            "One plane of inputs, two networks",
            "",
            "",
            height=HEIGHT,
            min_border=0,
            x_range=(-0.01, COLUMNS + (COLUMNS - 1) * GAP + 0.01),
            y_range=(-FRAME, high),
        )
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._lefts = [at * (1 + GAP) for at in range(COLUMNS)]
        self._feet = [(ROWS - 1 - row) * (TALL + LINE) for row in range(ROWS)]
        boxes = [(left, foot) for foot in self._feet for left in self._lefts]
        lefts, feet = ([box[at] for box in boxes] for at in range(2))
        rights, tops = [left + 1 for left in lefts], [foot + TALL for foot in feet]
        paint(self.figure.quad(lefts, rights, tops, feet, line_color=None), fill_color="wash")
        self._answers, self._different = empty("image", "x", "y"), empty("image", "x", "y")
        classes, ink = [f"{hue}{STRONG}" for hue in HUES], [CLEAR, LIGHT["ink"]]
        for source, colors in ((self._answers, classes), (self._different, ink)):
            mapper = LinearColorMapper(palette=colors, low=-0.5, high=len(colors) - 0.5, high_color=CLEAR)
            tint(mapper, *(["ink"] if colors is ink else []))
            self.figure.add_glyph(source, Image(image="image", x="x", y="y", dw=1, dh=TALL, color_mapper=mapper))
        paint(self.figure.quad(lefts, rights, tops, feet, fill_color=None), line_color="rule")
        self._points = empty("x", "y")
        points = self.figure.scatter("x", "y", source=self._points, size=7, line_width=1.5)
        paint(points, fill_color="ink", line_color="panel")
        looks: dict[str, Any] = {"text_align": "left", "text_baseline": "bottom", "y_offset": -2}
        self._names, self._moments = empty("x", "y", "text"), empty("x", "y", "text")
        words(self.figure, self._names, "ink", text_font_size="14px", **looks)
        words(self.figure, self._moments, "soft", **looks)

    def show(self, steps: list[int], maps: np.ndarray, last: int, blocks: int) -> None:
        """Show maps (moments, 2, side, side) of classes at these steps; `last` is the step that the run ends with."""
        lefts = self._lefts[: len(steps)]
        rows = [(left, foot, row) for row, foot in enumerate(self._feet[:2]) for left in lefts]
        self._answers.data = {
            "image": [answers for row in range(2) for answers in maps[:, row].astype(np.uint8)],
            "x": [left for left, _foot, _row in rows],
            "y": [foot for _left, foot, _row in rows],
        }
        self._different.data = {
            "image": list((maps[:, 0] != maps[:, 1]).astype(np.uint8)),
            "x": lefts,
            "y": [self._feet[2]] * len(lefts),
        }
        self._points.data = {
            "x": [left + x for left, _foot, _row in rows for x, _y in CORNERS],
            "y": [foot + TALL * y for _left, foot, _row in rows for _x, y in CORNERS],
        }
        self._names.data = {
            "x": [0] * ROWS,
            "y": [foot + TALL for foot in self._feet],
            "text": [
                f"“{STARTS['small']}”: initial weights × 1/√{blocks}",
                f"“{STARTS['multiplied']}”: branches × 1/√{blocks}",
                "Where they answer differently",
            ],
        }
        moments = [*steps, *[*SEEN, last][len(steps) :]]
        self._moments.data = {
            "x": self._lefts,
            "y": [self._feet[0] + TALL + LINE] * COLUMNS,
            "text": [f"step {step}" for step in moments],
        }


class InitView(View[Init]):
    """Maps that are alike at first, and a line that leaves zero; then five lines for five initializations."""

    def draw(self) -> list[LayoutDOM]:
        self._maps = AnswerMaps()
        apart = plot(
            "One function at first: how far apart?",
            "training step",
            "difference of their answers",
            height=HEIGHT,
            y_range=(-FOOT, 1),
            **STEPS,
        )
        apart.update(min_border_right=20)
        place(self._maps.figure, "maps")
        place(apart, "line")
        apart.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._apart = Curves(apart, {"apart": ("distance", "residual", "solid")})
        apart.legend[0].visible = False
        self._points = empty("x", "y")
        points = apart.scatter("x", "y", source=self._points, size=8)
        paint(points, fill_color="residual", line_color="paper")
        self._words = {}
        for align, offset in (("left", 10), ("right", -10)):
            source = self._words[align] = empty("x", "y", "text")
            labels = apart.text(
                "x",
                "y",
                "text",
                source=source,
                text_align=align,
                text_baseline="bottom" if align == "right" else "middle",
                text_font_size="14px",
                x_offset=offset,
                y_offset=-8 if align == "right" else 0,  # above the line, which ends there
                **PATCH,
            )
            paint(labels, text_color="ink", background_fill_color="panel")
        self._axes: tuple[Any, Any] = apart.x_range, apart.y_range
        return [self._maps.figure, apart]

    def measures(self) -> list[LayoutDOM]:
        names = {name: (STARTS[name], *LOOKS[name]) for name in STARTS}
        stream = plot(
            "Size of the stream", "after block (0: the stem)", "root mean square", height=300, **STEPS, **POWERS
        )
        error = plot("Training error", "training step", "error", height=300, y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        gradients = plot("Gradients within the branch (cross: 0)", "block", "size of the gradient", **PLACES, **POWERS)
        self._stream, self._error = Curves(stream, names), Curves(error, names)
        self._gradients = LogBars(
            gradients, {"first": ("its first layer", "fifth"), "last": ("its last layer", "residual")}
        )
        return [error, stream, gradients]

    def update(self, frame: Frame) -> None:
        places = np.arange(len(frame["usual_stream"]))
        self._stream.show(places, int(places[-1]), {name: read(frame, f"{name}_stream") for name in STARTS})
        self._error.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_error") for name in STARTS})
        distances = read(frame, "apart")
        highest = float(np.nanmax(distances[2], initial=0))
        self._axes[0].update(start=-LEFT * frame.steps)
        self._axes[1].update(end=max(1.0, np.ceil(2 * highest) / 2) if np.isfinite(highest) else 1.0)
        self._apart.show(frame["compared"], frame.steps, {"apart": distances})
        self._maps.show(frame["seen"].tolist(), frame["maps"], frame.steps, self.simulation.blocks)
        self._tell(frame["compared"].tolist(), distances[0].tolist(), frame.steps)
        self._gradients.show({which: frame[f"{self.simulation.look}_{which}"] for which in ("first", "last")})

    def _tell(self, steps: list[int], distances: list[float], last: int) -> None:
        """Label the first steps and the present one."""
        captions = {steps[-1]: f"after {steps[-1]} steps: ", 0: "0%: the same function", 1: "after 1 step: "}
        rows: dict[str, list[tuple[int, float, str]]] = {align: [] for align in self._words}
        for step, distance in zip(steps, distances, strict=True):
            if step in captions and np.isfinite(distance):
                text = captions[step] + (percent(distance) if step else "")
                rows["right" if step > NARROW * last else "left"].append((step, distance, text))
        for align, source in self._words.items():
            source.data = {key: [row[at] for row in rows[align]] for at, key in enumerate(("x", "y", "text"))}
        everything = [row for group in rows.values() for row in group]
        self._points.data = {"x": [row[0] for row in everything], "y": [row[1] for row in everything]}
