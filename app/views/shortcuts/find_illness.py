"""Four pictures over the depth of a network whose name is not told: sizes, shares, gradient, and lesions."""

from typing import Any, ClassVar

import numpy as np
from bokeh.models import ColumnDataSource, LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import PLACES, POWERS, empty, fit, paint, plot, surround
from app.pictures.base.questions import known
from app.views.base import View
from sims.contract.frame import Frame
from sims.instruments.networks.ill_run import BLOCKS, LOOKS
from sims.simulations.shortcuts.find_illness import FindIllness

LOW, HEIGHT = 165, 290
"""Pixels of a chart on a phone, whose screen has room for four of them and their buttons, and on a wide page"""

ROOM = 84
"""Pixels for the words at the ends of lines"""

TIMES = {0: ("··· start", "dotted"), 1: (f"- - step {LOOKS[1]}", "dashed"), 2: ("— end", "solid")}
"""Number of a look → its words and its line"""

PICTURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "sizes": ("Stream and branch at each sum", "rms", POWERS),
    "share": ("Identity share: by the skip", "share of the sum", {"y_range": (0, 1)}),
    "gradient": ("Gradient", "rms", POWERS),
    "lesion": ("Loss without the branch", "rise (nats)", {"y_range": (0, 1)}),
}

LINES = {
    "sizes": {"stream": "residual", "branch": "fourth"},
    "share": {"share": "residual"},
    "gradient": {"gradient": "third"},
}
"""Picture → measures in it, each with its color"""


class FindIllnessView(View[FindIllness]):
    """Lines for each look; bars for the lesions. Nothing of it is the answer, which is the name."""

    forgets: ClassVar[tuple[str, ...]] = ("guess",)

    def draw(self) -> list[LayoutDOM]:
        self._charts = {
            name: plot(title, "block, from input to output", unit, height=LOW, **PLACES, **options)
            for name, (title, unit, options) in PICTURES.items()
        }
        self._sources: dict[str, dict[int, ColumnDataSource]] = {}
        self._zeros: dict[str, ColumnDataSource] = {}
        self._ends: dict[str, EndLabels] = {}
        for name, lines in LINES.items():
            self._sources[name] = {look: empty("x", *lines) for look in TIMES}
            for measure, color in lines.items():
                self._lines(self._charts[name], name, measure, color)
            self._zeros[name] = empty("x", "y")
            zeros = self._charts[name].scatter("x", "y", source=self._zeros[name], size=7, fill_alpha=0)
            paint(zeros, line_color="zero")
            # Where two measures are in one picture, words name them; in the others they name the looks.
            (color, *_others) = lines.values()
            colors = lines if len(lines) > 1 else {words: color for words, _dash in TIMES.values()}
            self._ends[name] = EndLabels(self._charts[name], colors, ROOM)
        self._bars = empty("x", "top")
        bars = self._charts["lesion"].vbar("x", 0.8, "top", source=self._bars, line_color=None)
        paint(bars, fill_color="plain")
        for chart in self._charts.values():
            chart.min_border_right = ROOM
            chart.styles = {"height": f"clamp({LOW}px, 24vw, {HEIGHT}px)"}
            chart.x_range.update(start=0.3, end=BLOCKS + 0.7)
            known(chart)
        return list(self._charts.values())

    def _lines(self, chart: figure, name: str, measure: str, color: str) -> None:
        for look, (_words, dash) in TIMES.items():
            last = look == max(TIMES)
            source = self._sources[name][look]
            line = chart.line("x", measure, source=source, line_width=2.6 if last else 1.7, line_dash=dash)
            paint(line, line_color=color)
            if last:
                dots = chart.scatter("x", measure, source=source, size=4)
                paint(dots, fill_color=color, line_color=color)

    def update(self, frame: Frame) -> None:
        places, looks = np.arange(1, BLOCKS + 1), len(frame["looks"])
        for name, lines in LINES.items():
            shown = {measure: frame[measure][:looks] for measure in lines}
            chart, foot = self._charts[name], 0.0
            if name == "share":
                surround(chart, [*shown.values(), np.array([0.0, 1.0])])
            else:
                foot = fit(chart, [values.ravel() for values in shown.values()])
            for look, source in self._sources[name].items():
                blank = np.full(BLOCKS, np.nan)
                rows = {measure: values[look] if look < looks else blank for measure, values in shown.items()}
                source.data = {
                    "x": places,
                    **{measure: _drawable(row, name != "share") for measure, row in rows.items()},
                }
            zeros = [place for values in shown.values() for place in places[values[-1] == 0]] if foot else []
            self._zeros[name].data = {"x": zeros, "y": [foot * 1.3 for _ in zeros]}
            if len(lines) > 1:
                ends = {measure: (float(values[-1, -1]), measure) for measure, values in shown.items()}
            else:
                (values,) = (values for values in shown.values())
                ends = {TIMES[look][0]: (float(row[-1]), TIMES[look][0]) for look, row in enumerate(values)}
            self._ends[name].show(BLOCKS + 0.7, ends)
        lesion = frame["lesion"][-1]
        surround(self._charts["lesion"], [lesion, np.zeros(1)])
        self._bars.data = {"x": places, "top": np.where(np.isfinite(lesion), lesion, np.nan)}


def _drawable(values: np.ndarray, logarithmic: bool) -> np.ndarray:
    possible = np.isfinite(values) & ((values > 0) | (not logarithmic))
    drawn: np.ndarray = np.where(possible, values, np.nan)
    return drawn
