"""The texts of two language models, word by word, and the loss of both."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from textwrap import wrap
from typing import Any

import numpy as np
from bokeh.core.properties import value
from bokeh.events import Tap
from bokeh.models import ColumnDataSource, LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.direct import Bands
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import Curves, empty, fit, paint, plot, ticks_at
from app.pictures.base.questions import known
from app.pictures.base.screens import EDGE, NARROW, PHONE, TABLET, WIDE, only_on
from app.pictures.base.timed import Timed, playable
from app.views.base import View
from sims.contract.frame import Frame
from sims.data.own_words import is_learned
from sims.instruments.networks.inside_language import SENTENCE
from sims.simulations.language_models.language import KINDS, Language, draft_of, frequencies, guessing

ROOM = 108
SHORT = {"with": "with skips", "without": "without"}
COLORS = {"with": "residual", "without": "plain"}
LOOKS = {"with": ("residual", "solid"), "without": ("plain", "dashed")}
TITLES = {"with": "With skip connections it writes", "without": "Without, it writes"}


@dataclass(frozen=True)
class Paper:
    """What a page of text is on a screen: letters per line, lines, pixels of a letter's height and of a line."""

    columns: int
    lines: int
    size: int
    line: int

    @property
    def middle(self) -> float:
        """How far below the top of a line the middle of its letters is, in lines."""
        return 0.5 * self.size / self.line

    @property
    def width(self) -> float:
        """Pixels of a line. On a wider one, there would be gaps between the letters."""
        return WIDEST * self.columns * self.size


WIDEST = 0.75
"""How far apart letters may be, as a share of their size"""

PAPERS = {WIDE: Paper(62, 3, 24, 36), TABLET: Paper(44, 4, 18, 25), NARROW: Paper(28, 6, 18, 25)}
"""On a wide window both models write across the whole figure. Type of one size would not fit all screens."""

KEY_LINES = (0.3, 0.7)
"""Where the lines of the key are, as shares of the room below the second page"""

ABOVE, BELOW = 30, 46
"""Pixels of a page's title, and below the second page those of the button that plays both"""

BEAT = 170
"""Milliseconds between two words"""

PLAY = "Watch both write"

KEY = ("underlined: words of the training text", "shaded: letters that surprised the model itself")

STRONGEST = 0.5
"""The opacity behind a letter that is as surprising as a guess among all symbols, or more"""

LINES_OF = {kind: (KINDS[kind], *look) for kind, look in LOOKS.items()}
TYPE: dict[str, Any] = {"text_font": value("monospace"), "text_font_size": "13px", "text_baseline": "top"}

LONG = 999
"""A moment after the last word"""

TIGHT = 0.3
"""Letters by which a line ends before the next column"""

NO_NUMBER = "\N{ZERO WIDTH SPACE}"
"""Ends every word: Bokeh would take a lone "e" or period for a number, and draw it higher than the words around it"""

PASSED = "branches passed"

DRAFT = 36
"""Letters of a draft that fit on a phone"""


@dataclass(frozen=True)
class Word:
    """A piece of a line without spaces: its place, whether it belongs to the prompt, whether it is a word of the text
    that the models learn from, and how surprising its letters are."""

    column: int
    row: int
    text: str
    is_prompt: bool
    learned: bool
    surprises: tuple[float, ...] = ()


def words_of(prompt: str, text: str, surprises: Sequence[float], columns: int, lines: int) -> Iterator[Word]:
    """The pieces of a prompt and its continuation in lines of so many letters; a piece that is cut off is no word.
    `surprises` has the loss of each symbol of `text`."""
    whole, end = " ".join((prompt + text).split()), len(" ".join(prompt.split()))
    of_letters = (loss for symbol, loss in zip(text, surprises, strict=True) if not symbol.isspace())
    place = 0
    for row, line in enumerate(wrap(whole, columns)[:lines]):
        place = whole.index(line, place)
        for match in re.finditer(r"\S+", line):
            first, last = place + match.start(), place + match.end()
            cut = max(first, min(end, last))
            is_whole = cut == first and last < len(whole) and whole[last] == " "
            is_whole = is_whole and (first == 0 or whole[first - 1] == " ")
            for start, stop, is_prompt in ((first, cut, True), (cut, last, False)):
                if start < stop:
                    piece = whole[start:stop]
                    learned = is_whole and not is_prompt and is_learned(piece)
                    own = () if is_prompt else tuple(islice(of_letters, len(piece)))
                    yield Word(start - place, row, piece, is_prompt, learned, own)
        place += len(line)


class Page:
    """A panel of text: the prompt in a quieter color, then word by word what a model has written."""

    def __init__(self, title: str, color: str, paper: Paper, below: int = 0) -> None:
        """`below`: pixels under the last line."""
        self._paper = paper
        lines = paper.lines + below / paper.line
        self.figure = plot(
            title,
            "",
            "",
            height=ABOVE + round(lines * paper.line),
            x_range=(0, paper.columns),
            y_range=(lines, 0),
        )
        self.figure.axis.visible = self.figure.ygrid.visible = False
        self.figure.update(frame_align=False, min_border=0)
        self.figure.styles = {"grid-column": "1 / -1", "max-width": f"calc({paper.width:.0f}px * var(--text, 1))"}
        self.prompt, self.lines = empty("x", "y", "text"), Timed("x0", "x1", "y")
        self.written, self.shades = Timed("x", "y", "text"), Timed("x", "y", "bright")
        ground = self.figure.rect(
            "x", "y", 1, 2.3 * paper.middle, source=self.shades.source, fill_alpha="alpha", line_color=None
        )
        look = TYPE | {"text_font_size": f"{paper.size}px"}
        prompt_glyph = self.figure.text("x", "y", "text", source=self.prompt, **look)
        answer = self.figure.text("x", "y", "text", source=self.written.source, text_alpha="alpha", **look)
        under = self.figure.segment(
            "x0", "y", "x1", "y", source=self.lines.source, line_width=3, line_alpha="alpha", line_cap="round"
        )
        paint(prompt_glyph, text_color="soft")
        known(self.figure, prompt_glyph)
        paint(answer, text_color="ink")
        for glyph, part in ((ground, "fill_color"), (under, "line_color")):
            paint(glyph, **{part: color})

    def show(self, prompt: str, text: str, surprises: Sequence[float]) -> int:
        """Write it all, and return the number of pieces, which is the last moment."""
        pieces = list(words_of(prompt, text, surprises, self._paper.columns, self._paper.lines))
        prompt_pieces = [piece for piece in pieces if piece.is_prompt]
        written = [piece for piece in pieces if not piece.is_prompt]
        prompt_letters = [place for piece in prompt_pieces for place in _letters(piece)]
        self.prompt.data = {name: [place[at] for place in prompt_letters] for at, name in enumerate(("x", "y", "text"))}
        last, foot = len(written), (self._paper.size + 4) / self._paper.line
        moments = list(enumerate(written, 1))
        self.written.show(
            ((place, moment, LONG) for moment, piece in moments for place in _letters(piece)),
            last,
        )
        self.shades.show(
            (
                ((x + 0.5, y + self._paper.middle, _shade(surprise)), moment, LONG)
                for moment, piece in moments
                for (x, y, _), surprise in zip(_letters(piece), piece.surprises, strict=True)
            ),
            last,
        )
        self.lines.show(
            (
                ((piece.column, piece.column + len(piece.text) - TIGHT, piece.row + foot), moment, LONG)
                for moment, piece in moments
                if piece.learned
            ),
            last,
        )
        return last


def _letters(piece: Word) -> Iterator[tuple[int, int, str]]:
    """Column, row and text of each letter."""
    return ((piece.column + at, piece.row, letter + NO_NUMBER) for at, letter in enumerate(piece.text))


def _shade(surprise: float) -> float:
    """Opacity behind a letter with this loss, in nats."""
    return STRONGEST * min(surprise / float(guessing()), 1)


class LanguageView(View[Language]):
    """Two typewriters, one above the other, and two curves below."""

    def draw(self) -> list[LayoutDOM]:
        self._pages: dict[str, dict[str, Page]] = {}
        self._now = {}
        for name, paper in PAPERS.items():
            pages = self._pages[name] = {
                kind: Page(TITLES[kind], COLORS[kind], paper, BELOW if kind == "without" else 0) for kind in KINDS
            }
            for page in pages.values():
                only_on(name, page.figure, PHONE if name == NARROW else EDGE)
            last = pages["without"].figure
            key = last.text(
                [0, 0], [paper.lines + share * BELOW / paper.line for share in KEY_LINES], list(KEY),
                text_font_size="13px", text_baseline="middle", x_offset=54,
            )  # fmt: skip
            paint(key, text_color="soft")
            timed = [rows for page in pages.values() for rows in (page.shades, page.written, page.lines)]
            self._now[name] = playable(last, "", 0, timed, [], [], PLAY, BEAT)
        self._loss = plot(
            "Loss on unseen lines",
            "training step",
            "nats per symbol",
            height=170,
            x_range=(0, 1),
            y_range=(1.5, 4.5),
        )
        self._loss.styles = {"grid-column": "1 / -1"}
        ticks_at(self._loss.yaxis, [2, 3, 4])
        ticks_at(self._loss.xaxis, [])
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
        return [*(page.figure for pages in self._pages.values() for page in pages.values()), self._loss]

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
        ticks_at(self._loss.xaxis, range(0, frame.steps + 1, frame.steps // 3))
        curves = {kind: frame[f"{kind}_loss"] for kind in KINDS}
        self._losses.show(steps, {kind: [values] * 3 for kind, values in curves.items()})
        at = {kind: float(frame.results[f"{kind}_loss"]) for kind in KINDS}
        self._read.data = {"x": [read] * 2, "y": list(at.values())}
        ends: dict[str, tuple[float, str]] = {kind: (float(values[-1]), SHORT[kind]) for kind, values in curves.items()}
        self._ends.show(float(frame.steps), ends | self._marks)
        record = int(np.flatnonzero(steps == read)[0])
        for name, pages in self._pages.items():
            counts = [
                page.show(
                    self.simulation.prompt,
                    str(frame.results[f"{kind}_text"]),
                    frame[f"{kind}_surprise"][record].tolist(),
                )
                for kind, page in pages.items()
            ]
            self._now[name].data = {"moment": [max(counts)], "last": [max(counts)]}
        self._look_inside(frame)

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
