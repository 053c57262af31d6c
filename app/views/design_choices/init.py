"""The distance between two networks that start as the same function; as measures, stream, error and gradients of
all."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.end_labels import PATCH
from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, empty, paint, plot
from app.views.base import View
from sims.comparisons.branch_starts import STARTS
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import percent
from sims.simulations.design_choices.init import Init

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


class InitView(View[Init]):
    """One line that leaves zero; then five lines for five initializations."""

    def draw(self) -> list[LayoutDOM]:
        apart = plot(
            "One function at first: how far apart?",
            "training step",
            "difference of their answers",
            height=340,
            y_range=(-FOOT, 1),
            **STEPS,
        )
        apart.update(min_border_right=20)
        apart.styles = {"grid-column": "1 / -1"}
        apart.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._apart = Curves(apart, {"apart": ("distance", "residual", "solid")})
        apart.legend[0].visible = False
        self._points = empty("x", "y")
        points = apart.scatter("x", "y", source=self._points, size=8)
        paint(points, fill_color="residual", line_color="paper")
        self._words = {}
        for align, offset in (("left", 10), ("right", -10)):
            source = self._words[align] = empty("x", "y", "text")
            words = apart.text(
                "x",
                "y",
                "text",
                source=source,
                text_align=align,
                text_baseline="bottom" if align == "right" else "middle",
                text_font_size="14px",
                x_offset=offset,
                **PATCH,
            )
            paint(words, text_color="ink", background_fill_color="panel")
        self._axes: tuple[Any, Any] = apart.x_range, apart.y_range
        return [apart]

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
        self._tell(frame["compared"].tolist(), distances[0].tolist(), frame.steps)
        self._gradients.show({which: frame[f"{self.simulation.look}_{which}"] for which in ("first", "last")})

    def _tell(self, steps: list[int], distances: list[float], last: int) -> None:
        """Label the first steps and the present one."""
        captions = {steps[-1]: f"after {steps[-1]} steps: ", 0: "0%: the same function", 1: "after 1 step: "}
        rows: dict[str, list[tuple[int, float, str]]] = {align: [] for align in self._words}
        for step, distance in zip(steps, distances, strict=True):
            if step in captions and np.isfinite(distance):
                words = captions[step] + (percent(distance) if step else "")
                rows["right" if step > NARROW * last else "left"].append((step, distance, words))
        for align, source in self._words.items():
            source.data = {key: [row[at] for row in rows[align]] for at, key in enumerate(("x", "y", "text"))}
        everything = [row for group in rows.values() for row in group]
        self._points.data = {"x": [row[0] for row in everything], "y": [row[1] for row in everything]}
