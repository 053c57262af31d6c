"""Named marks along the years in four lanes, for wide and for narrow screens; as measures, depths over the years."""

from collections.abc import Callable
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.evidence import SIGNS
from app.pictures.base.figures import empty, hover, ink, named_ticks, paint, plot, ticks_at
from app.pictures.base.questions import known
from app.pictures.base.screens import only_on
from app.pictures.charts.entry_card import EntryCard
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import cited, number
from sims.data.history import DISPUTED, KINDS, MEMORY, SECOND_HAND, VERIFIED, depths
from sims.simulations.wiring.timeline import ALL, BENDS, NARROW, WIDE, Timeline, along

MARKS = {
    VERIFIED: ("circle", "residual", "residual"),
    SECOND_HAND: ("circle", "panel", "residual"),
    MEMORY: ("square", "panel", "soft"),
    DISPUTED: ("diamond", "failing", "failing"),
}
"""Evidence → marker, its fill color and its line color"""

LANES = ("Theory", "Archi-\ntecture", "Init.\nor norm", "Use")
"""The kinds, with line breaks that fit next to their lanes"""

HEIGHTS = {WIDE: 552, NARROW: 337}
GAPS = {WIDE: 0.25, NARROW: 0.5}
"""Height of a figure in pixels, and the gap between two lanes in rows"""

KEY = " ".join(f"{SIGNS[meaning]} {meaning}" for meaning in MARKS)

BETWEEN = {WIDE: "  ·  ", NARROW: "\n"}
"""What separates the legend from what follows it"""

BENT = "years before 2015 are compressed"
"""What is below the axis of all years"""

SQUEEZED = BENDS[-2][1]
"""Share of the axis up to which the years are pressed together"""

YEARS = {
    "all": (1960, 2000, 2015, 2020, 2025),
    "backward": range(1960, 2010, 10),
    "deeper": range(2010, 2018, 2),
    "skips": range(2015, 2019),
    "norms": range(2018, 2022),
    "larger": range(2021, 2025),
    "later": range(2024, 2027),
}
"""Period → years on the axis, with room for them on a phone"""

ASIDE, RING = {WIDE: 8, NARROW: 6.5}, 13
"""Pixels from the center of a mark to its label, by screen; and, of the chosen one, past its ring"""

REACH = 40
"""A click may miss a mark by at most 1 over this of the axis' length"""

BESIDE = {
    ("vgg", 19): ("right", -10, 5),
    ("highway", 100): ("right", -10, 0),
    ("resnet", 1202): ("right", -10, 0),
    ("identity", 1001): ("right", 6, 17),
    ("deepnet", 1000): ("center", 0, -16),
    ("rl", 1024): ("right", 8, 17),
}
"""Entry and depth → alignment and pixel offset of its label, if it is not simply on the right"""


class Chart:
    """The lanes on one kind of screen."""

    def __init__(self, screen: str, tapped: Callable[[str], None]) -> None:
        """`tapped(entry)` is called when a mark is pressed."""
        self._screen, self._tapped = screen, tapped
        chart = self.figure = plot(
            "The history, entry by entry", "", "", height=HEIGHTS[screen], x_range=(0, 1), y_range=(-30, 1)
        )
        chart.styles = {"grid-column": "1 / -1"}
        only_on(screen, chart)
        chart.ygrid.visible = False
        named_ticks(chart.xaxis, {})
        named_ticks(chart.yaxis, {})
        chart.yaxis.update(axis_line_color=None, major_tick_line_color=None)
        chart.update(frame_align=False)
        self.bands, self.squeezed = empty("left", "right", "bottom", "top"), empty("left", "right", "bottom", "top")
        for source, color, strength in ((self.bands, "wash", 1.0), (self.squeezed, "rule", 0.5)):
            area = chart.quad("left", "right", "bottom", "top", source=source, line_color=None, fill_alpha=strength)
            paint(area, fill_color=color)
        self.rest, self.ring = empty("x", "y"), empty("x", "y")
        paint(chart.scatter("x", "y", source=self.rest, size=4), fill_color="rule", line_color="rule")
        self.marks, marks = {}, []
        for confidence, (marker, fill, line) in MARKS.items():
            source = self.marks[confidence] = empty("x", "y", "name", "title", "people", "date")
            size = 12 if marker == "diamond" else 9
            mark = chart.scatter("x", "y", source=source, marker=marker, size=size, line_width=1.8)
            paint(mark, fill_color=fill, line_color=line)
            marks.append(mark)
        hover(chart, [("", "@title"), ("", "@people"), ("", "@date")], renderers=marks)
        ring = chart.scatter("x", "y", source=self.ring, size=19, line_width=2.4, fill_alpha=0)
        paint(ring, line_color="accent")
        self.words = {side: empty("x", "y", "text") for side in ("left", "right")}
        for side, source in self.words.items():
            self._text(source, "ink", side, ASIDE[screen])
        self.name = {side: empty("x", "y", "text") for side in ("left", "right")}
        self._patched = [self._text(source, "accent", side, RING) for side, source in self.name.items()]
        for glyph in self._patched:
            ink(glyph, background_fill_color="panel")
        # Where the marks are gives nothing away: their names do.
        known(chart, self.bands, self.squeezed, self.rest, *self.marks.values())
        chart.on_event(Tap, self.on_tap)

    def _text(self, source: Any, color: str, side: str, aside: float) -> Any:
        text = self.figure.text(
            *("x", "y", "text"),
            source=source,
            text_font_size="13px",
            text_font_style="bold" if color == "accent" else "normal",
            text_baseline="middle",
            text_align="right" if side == "left" else "left",
            x_offset=-aside if side == "left" else aside,
        )
        paint(text, text_color=color)
        return text.glyph

    def show(self, simulation: Timeline, frame: Frame) -> None:
        """Place the lanes and all marks."""
        period, gap = simulation.period, GAPS[self._screen]
        row, lane, tops = (frame[f"{self._screen}_{name}"] for name in ("row", "lane", "tops"))
        heights = -(row + gap * np.maximum(lane, 0))
        feet = [*(tops[1:] - 1), max(row.max(), tops[-1])]
        shifts = gap * np.arange(len(tops))
        lanes = list(zip(0.62 - tops - shifts, -0.62 - np.array(feet) - shifts, strict=True))
        notes = [KEY] + [BENT] * (period == ALL)
        self.figure.xaxis.axis_label = BETWEEN[self._screen].join(notes)
        self.figure.y_range.update(start=lanes[-1][1] - 0.3, end=lanes[0][0] + 0.3)
        named_ticks(self.figure.xaxis, {along(period, year): str(year) for year in YEARS[period]})
        named_ticks(self.figure.yaxis, {(up + low) / 2: name for name, (up, low) in zip(LANES, lanes, strict=True)})
        for source, right in ((self.bands, 1.0), (self.squeezed, SQUEEZED if period == ALL else 0.0)):
            source.data = {
                "left": [0.0] * len(KINDS),
                "right": [right] * len(KINDS),
                "bottom": [low for _up, low in lanes],
                "top": [up for up, _low in lanes],
            }
        self._show_marks(simulation, frame, heights)

    def _show_marks(self, simulation: Timeline, frame: Frame, heights: np.ndarray) -> None:
        inside, marked, across = frame["inside"], frame["shown"], frame["along"]
        rest = inside & ~marked
        self.rest.data = {"x": across[rest], "y": heights[rest]}
        for confidence, source in self.marks.items():
            rows = marked & (frame["confidence"] == confidence)
            source.data = {
                "x": across[rows],
                "y": heights[rows],
                "name": frame["name"][rows],
                "title": frame["title"][rows],
                "people": frame["people"][rows],
                "date": [str(int(year)) for year in frame["time"][rows]],
            }
        chosen = int(frame.results["chosen"])
        is_chosen = np.arange(len(inside)) == chosen
        sides, labels = frame[f"{self._screen}_side"], frame[f"{self._screen}_label"]
        for side, source in self.words.items():
            rows = marked & (sides == side) & ~is_chosen
            source.data = {"x": across[rows], "y": heights[rows], "text": labels[rows]}
        ring = is_chosen & inside
        self.ring.data = {"x": across[ring], "y": heights[ring]}
        own = str(sides[chosen]) or ("left" if across[chosen] > 0.5 else "right")
        for glyph in self._patched:
            # Only where most entries have no words may the name of the chosen one cover other marks.
            glyph.update(background_fill_alpha=0.0 if sides[chosen] else 0.85)
        for side, source in self.name.items():
            rows = ring & (side == own)
            source.data = {"x": across[rows], "y": heights[rows], "text": [simulation.chosen.short] * rows.sum()}

    def on_tap(self, event: Any) -> None:
        """Report the mark that is nearest to a press, if one is near."""
        if not (isinstance(event.x, float | int) and isinstance(event.y, float | int)):
            return
        up: Any = self.figure.y_range
        best, nearest = None, 2.0
        for entry, x, y in self.places():
            far = (abs(x - event.x) + abs(y - event.y) / (up.end - up.start) / 2) * REACH
            if far < nearest:
                best, nearest = entry, far
        if best:
            self._tapped(best)

    def places(self) -> list[tuple[str, float, float]]:
        """Name and position of every visible mark."""
        return [
            (str(name), float(x), float(y))
            for source in self.marks.values()
            for name, x, y in zip(*(source.data[key] for key in ("name", "x", "y")), strict=True)
        ]


class TimelineView(View[Timeline]):
    """A press on a mark chooses an entry; a narrow screen has a card for it."""

    def draw(self) -> list[LayoutDOM]:
        self._charts = {screen: Chart(screen, lambda entry: self.change("entry", entry)) for screen in (WIDE, NARROW)}
        self._card = EntryCard("The chosen entry")
        only_on(NARROW, self._card.figure)
        return [*(chart.figure for chart in self._charts.values()), self._card.figure]

    def measures(self) -> list[LayoutDOM]:
        chart = plot(
            "Depths that were trained, each as its source counts",
            "year",
            "layers or blocks",
            height=330,
            x_range=(2007, 2027.5),
            y_range=(4, 30000),
            y_axis_type="log",
        )
        chart.styles = {"grid-column": "1 / -1"}
        ticks_at(chart.xaxis, range(2010, 2028, 5))
        named_ticks(chart.yaxis, {10: "10", 100: "100", 1000: "1,000", 10000: "10,000"})
        self._depths = {}
        for name, marker in (("plain", "square"), ("residual", "circle"), ("least", "triangle")):
            source = self._depths[name] = empty("x", "y", "task", "counted")
            mark = chart.scatter("x", "y", source=source, marker=marker, size=10, line_width=2)
            color = "plain" if name == "plain" else "residual"
            paint(mark, fill_color=color, line_color=color)
            hover(chart, [("depth", "@y @counted"), ("task", "@task")], renderers=[mark])
        self._depth_words = empty("x", "y", "text", "align", "right", "down")
        text = chart.text(
            *("x", "y", "text"),
            source=self._depth_words,
            text_font_size="13px",
            text_baseline="middle",
            text_align="align",
            x_offset="right",
            y_offset="down",
        )
        paint(text, text_color="ink")
        return [chart]

    def update(self, frame: Frame) -> None:
        for chart in self._charts.values():
            chart.show(self.simulation, frame)
        self._show_card()
        self._show_depths(frame)

    def _show_card(self) -> None:
        entry = self.simulation.chosen
        self._card.show(
            f"{entry.date} · {entry.title}",
            entry.people,
            entry.sentence,
            f"{SIGNS[entry.confidence]} {entry.confidence}: {', '.join(map(cited, entry.sources))}",
        )

    def _show_depths(self, frame: Frame) -> None:
        skips, least = frame["depth_skips"], frame["depth_least"]
        for name, rows in (("plain", ~skips), ("residual", skips & ~least), ("least", least)):
            self._depths[name].data = {
                "x": frame["depth_time"][rows],
                "y": frame["depth"][rows],
                "task": frame["depth_task"][rows],
                "counted": frame["depth_counted"][rows],
            }
        texts = [
            f"{title} {'>' if more else ''}{number(float(count), 5)}"
            for title, count, more in zip(frame["depth_title"], frame["depth"], least, strict=True)
        ]
        sides = [BESIDE.get((depth.name, depth.count), ("left", 10, 0)) for depth in depths()]
        self._depth_words.data = {
            "x": frame["depth_time"],
            "y": frame["depth"],
            "text": texts,
            "align": [align for align, _right, _down in sides],
            "right": [right for _align, right, _down in sides],
            "down": [down for _align, _right, down in sides],
        }
