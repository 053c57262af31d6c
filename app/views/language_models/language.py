"""The texts of two language models, and the loss of both."""

from textwrap import wrap
from typing import Any

import numpy as np
from bokeh.core.properties import value
from bokeh.events import Tap
from bokeh.models import ColumnDataSource, LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.direct import Bands
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import Curves, empty, fit, paint, plot
from app.views.base import View
from sims.contract.frame import Frame
from sims.instruments.networks.inside_language import SENTENCE
from sims.simulations.language_models.language import KINDS, Language, draft_of, frequencies, guessing

ROOM = 126
SHORT = {"with": "with skips", "without": "without"}
COLORS = {"with": "residual", "without": "plain"}
LOOKS = {"with": ("residual", "solid"), "without": ("plain", "dashed")}
TITLES = {"with": "With skip connections it writes", "without": "Without, it writes"}

COLUMNS, LINES = 28, 6
"""Letters per line, so that large type fits on a phone, and the number of lines that have room"""

LINES_OF = {kind: (KINDS[kind], *look) for kind, look in LOOKS.items()}
TYPE: dict[str, Any] = {"text_font": value("monospace"), "text_font_size": "13px", "text_baseline": "top"}

WRITTEN = TYPE | {"text_font_size": "18px"}

PASSED = "branches passed"

DRAFT = 36
"""Letters of a draft that fit on a phone"""


class LanguageView(View[Language]):
    """Two pages of text side by side, and two curves below."""

    def draw(self) -> list[LayoutDOM]:
        self._prompts: dict[str, ColumnDataSource] = {}
        self._texts: dict[str, ColumnDataSource] = {}
        pages = [self._page(kind) for kind in KINDS]
        self._loss = plot(
            "Loss on unseen lines",
            "training step",
            "nats per symbol",
            height=210,
            x_range=(0, 1),
            y_range=(1.5, 4.5),
        )
        self._loss.styles = {"grid-column": "1 / -1"}
        self._losses = Bands(self._loss, LOOKS, dots=True)
        marks = {"letters": float(frequencies()), "nothing": float(guessing())}
        for level in marks.values():
            paint(self._loss.line([0, 10_000], [level] * 2, line_width=1.4, line_dash="dotted"), line_color="soft")
        self._marks: dict[str, tuple[float, str]] = {
            "letters": (marks["letters"], "letter frequencies"),
            "nothing": (marks["nothing"], "guessing"),
        }
        self._read = empty("x", "y")
        paint(
            self._loss.scatter("x", "y", source=self._read, size=11, line_width=2),
            line_color="ink",
            fill_color="panel",
        )
        self._steps = np.zeros(1)
        self._loss.on_event(Tap, lambda event: self._point(event.x))
        self._ends = EndLabels(self._loss, COLORS | {"letters": "soft", "nothing": "soft"}, ROOM)
        return [*pages, self._loss]

    def _page(self, kind: str) -> figure:
        """A panel of text lines, with the prompt first, in a quieter color."""
        page = plot(TITLES[kind], "", "", height=186, x_range=(0, COLUMNS), y_range=(LINES, -0.2))
        page.axis.visible = page.ygrid.visible = False
        page.update(frame_align=False, min_border=4)
        for sources, color in ((self._prompts, "soft"), (self._texts, COLORS[kind])):
            source = sources[kind] = empty("x", "y", "text")
            paint(page.text("x", "y", "text", source=source, **WRITTEN), text_color=color)
        return page

    def measures(self) -> list[LayoutDOM]:
        loss = "nats per symbol"
        self._inside = {
            "early": plot("Loss, if the head reads the stream early", PASSED, loss, y_range=(1.5, 4.5), x_range=(0, 1)),
            "without": plot("Rise of the loss without one branch", "branch", loss, y_range=(0, 1), x_range=(0, 1)),
            "gradients": plot("Gradient of the stream", PASSED, "norm", powers=True, x_range=(0, 1)),
            "likeness": plot(
                "Are the tokens of a text alike?", PASSED, "mean cosine", y_range=(-0.1, 1.05), x_range=(0, 1)
            ),
        }
        self._curves = {name: Curves(chart, LINES_OF) for name, chart in self._inside.items()}
        self._drafts: dict[str, ColumnDataSource] = {}
        return [*self._inside.values(), self._drafted()]

    def _drafted(self) -> figure:
        """The text decoded from the stream after each block, one row each, below the text itself."""
        title = "Drafts: the likeliest next letters, read after each block"
        chart = plot(title, "", "", height=300, x_range=(0, 44), y_range=(13, -1.8))
        chart.axis.visible = chart.ygrid.visible = False
        chart.update(frame_align=False, min_border=4)
        chart.styles = {"grid-column": "1 / -1"}
        for name, color in (("names", "soft"), ("sentence", "ink"), ("drafts", "residual")):
            source = self._drafts[name] = empty("x", "y", "text")
            paint(chart.text("x", "y", "text", source=source, **TYPE), text_color=color)
        return chart

    def update(self, frame: Frame) -> None:
        steps, read = frame["steps"], float(frame.results["read_at"])
        self._steps = steps
        self._loss.x_range.update(end=frame.steps)
        curves = {kind: frame[f"{kind}_loss"] for kind in KINDS}
        self._losses.show(steps, {kind: [values] * 3 for kind, values in curves.items()})
        at = {kind: float(frame.results[f"{kind}_loss"]) for kind in KINDS}
        self._read.data = {"x": [read] * 2, "y": list(at.values())}
        ends: dict[str, tuple[float, str]] = {kind: (float(values[-1]), SHORT[kind]) for kind, values in curves.items()}
        self._ends.show(float(frame.steps), ends | self._marks)
        for kind in KINDS:
            self._write(kind, str(frame.results[f"{kind}_text"]))
        self._look_inside(frame)

    def _write(self, kind: str, text: str) -> None:
        """Set the prompt and its continuation, line by line; a line may contain some of both."""
        whole, end = " ".join((self.simulation.prompt + text).split()), len(" ".join(self.simulation.prompt.split()))
        prompts, written, place = [], [], 0
        for line in wrap(whole, COLUMNS)[:LINES]:
            place = whole.index(line, place)
            own = min(max(end - place, 0), len(line))
            prompts.append(line[:own])
            written.append(" " * own + line[own:])
            place += len(line)
        for sources, lines in ((self._prompts, prompts), (self._texts, written)):
            sources[kind].data = {"x": [0] * len(lines), "y": list(range(len(lines))), "text": lines}

    def _point(self, step: float) -> None:
        """Show the text written at the moment nearest to a step."""
        self.change("moment", int(np.abs(self._steps - step).argmin()))

    def _look_inside(self, frame: Frame) -> None:
        for name, curves in self._curves.items():
            values = {kind: frame[f"{kind}_{name}"] for kind in KINDS}
            first = 1 if name == "without" else 0
            places = first + np.arange(len(values["with"]))
            self._inside[name].x_range.update(start=first, end=int(max(places[-1], first + 1)))
            if name == "gradients":
                fit(self._inside[name], list(values.values()))
            if name == "without":
                top = max(float(curve.max()) for curve in values.values())
                self._inside[name].y_range.update(start=-0.05 * max(top, 0.1), end=max(1.1 * top, 0.1))
            curves.show(places, int(places[-1]), {kind: [curve] * 3 for kind, curve in values.items()})
        drafts = [draft_of(frame, place)[:DRAFT] for place in range(0, len(frame["with_drafts"]), 2)]
        rows = list(range(len(drafts)))
        self._drafts["sentence"].data = {"x": [5], "y": [-1.4], "text": [SENTENCE[1 : DRAFT + 1]]}
        self._drafts["drafts"].data = {"x": [5] * len(rows), "y": rows, "text": drafts}
        self._drafts["names"].data = {"x": [0] * (len(rows) + 1), "y": [-1.4, *rows], "text": ["text", *map(str, rows)]}
