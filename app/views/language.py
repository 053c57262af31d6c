"""What two language models write, and the loss of both."""

from textwrap import wrap

from bokeh.models import ColumnDataSource, LayoutDOM
from bokeh.plotting import figure

from app.pictures.direct import Bands
from app.pictures.end_labels import EndLabels
from app.pictures.figures import empty, paint, plot
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.language import KINDS, Language, frequencies, guessing

ROOM = 132
COLORS = {"with": "residual", "without": "plain"}
LOOKS = {"with": ("residual", "solid"), "without": ("plain", "dashed")}
TITLES = {"with": "With skip connections it writes", "without": "Without, it writes"}

COLUMNS, LINES = 38, 5
"""Letters to a line of text, so that it fits on a phone, and lines that have room"""


class LanguageView(View[Language]):
    """Two pages of text side by side, and two curves beneath."""

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
        self._ends = EndLabels(self._loss, COLORS | {"letters": "soft", "nothing": "soft"}, ROOM)
        return [*pages, self._loss]

    def _page(self, kind: str) -> figure:
        """A panel of lines of type, the prompt in front in a quieter color."""
        page = plot(TITLES[kind], "", "", height=150, x_range=(0, COLUMNS), y_range=(LINES, -0.2))
        page.axis.visible = page.ygrid.visible = False
        for sources, color in ((self._prompts, "soft"), (self._texts, COLORS[kind])):
            source = sources[kind] = empty("x", "y", "text")
            words = page.text(
                "x", "y", "text", source=source, text_font="monospace", text_font_size="13px", text_baseline="top"
            )
            paint(words, text_color=color)
        return page

    def update(self, frame: Frame) -> None:
        steps, read = frame["steps"], float(frame.results["read_at"])
        self._loss.x_range.update(end=frame.steps)
        curves = {kind: frame[f"{kind}_loss"] for kind in KINDS}
        self._losses.show(steps, {kind: [values] * 3 for kind, values in curves.items()})
        at = {kind: float(frame.results[f"{kind}_loss"]) for kind in KINDS}
        self._read.data = {"x": [read] * 2, "y": list(at.values())}
        ends: dict[str, tuple[float, str]] = {kind: (float(values[-1]), KINDS[kind]) for kind, values in curves.items()}
        self._ends.show(float(frame.steps), ends | self._marks)
        for kind in KINDS:
            self._write(kind, str(frame.results[f"{kind}_text"]))

    def _write(self, kind: str, text: str) -> None:
        """The prompt and what comes behind it, line by line; in the first line stand both."""
        prompt = self.simulation.prompt
        shown = " ".join((prompt + text).split())
        lines = wrap(shown, COLUMNS)[:LINES]
        first = len(prompt.rstrip())
        self._prompts[kind].data = {"x": [0], "y": [0], "text": [lines[0][:first]]}
        written = [" " * first + lines[0][first:], *lines[1:]]
        self._texts[kind].data = {"x": [0] * len(lines), "y": list(range(len(lines))), "text": written}
