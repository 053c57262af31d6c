"""Marks along the years in four lanes, and the card of the chosen one; as measures, depths over the years."""

from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, hover, ink, named_ticks, paint, plot, ticks_at
from app.pictures.charts.entry_card import EntryCard
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.data.history import DISPUTED, KINDS, MEMORY, SECOND_HAND, VERIFIED, depths
from sims.simulations.wiring.timeline import PERIODS, Timeline

MARKS = {
    VERIFIED: ("circle", "residual", "residual"),
    SECOND_HAND: ("circle", "panel", "residual"),
    MEMORY: ("square", "panel", "soft"),
    DISPUTED: ("diamond", "failing", "failing"),
}
"""Evidence → marker, its fill color and its line color"""

SIGNS = {VERIFIED: "●", SECOND_HAND: "○", MEMORY: "□", DISPUTED: "◆"}
"""The markers as text: the legend is on the card"""

LANES = ("Theory", "Archi-\ntecture", "Start\nor norm", "Use")
"""The kinds, with line breaks that fit next to their lanes"""

HEIGHT = 296
GAP = 0.5
"""Gap between two lanes, in rows"""

YEARS = {
    "all": range(1960, 2030, 10),
    "backward": range(1960, 2010, 10),
    "deeper": range(2010, 2018, 2),
    "skips": range(2015, 2019),
    "norms": range(2018, 2022),
    "larger": range(2021, 2025),
    "later": range(2024, 2027),
}
"""Period → years on the axis"""

ASIDE = 8
"""Pixels from the center of a mark to its label"""

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


class TimelineView(View[Timeline]):
    """A click on a mark chooses an entry."""

    def draw(self) -> list[LayoutDOM]:
        chart = plot("The history, entry by entry", "", "", height=HEIGHT, x_range=(1959, 2027), y_range=(-30, 1))
        chart.styles = {"grid-column": "1 / -1"}
        chart.ygrid.visible = False
        ticks_at(chart.xaxis, [])
        named_ticks(chart.yaxis, {})
        chart.yaxis.update(axis_line_color=None, major_tick_line_color=None)
        self._figure = chart
        self._bands = empty("left", "right", "bottom", "top")
        bands = chart.quad("left", "right", "bottom", "top", source=self._bands, line_color=None)
        paint(bands, fill_color="wash")
        self._rest, self._ring = empty("x", "y"), empty("x", "y")
        paint(chart.scatter("x", "y", source=self._rest, size=4), fill_color="rule", line_color="rule")
        self._marks, marks = {}, []
        for confidence, (marker, fill, line) in MARKS.items():
            source = self._marks[confidence] = empty("x", "y", "name", "title", "people", "date")
            size = 12 if marker == "diamond" else 9
            mark = chart.scatter("x", "y", source=source, marker=marker, size=size, line_width=1.8)
            paint(mark, fill_color=fill, line_color=line)
            marks.append(mark)
        hover(chart, [("", "@title"), ("", "@people"), ("", "@date")], renderers=marks)
        ring = chart.scatter("x", "y", source=self._ring, size=19, line_width=2.4, fill_alpha=0)
        paint(ring, line_color="accent")
        self._words = {side: empty("x", "y", "text") for side in ("left", "right")}
        for side, source in self._words.items():
            self._text(source, "ink", side)
        self._name = {side: empty("x", "y", "text") for side in ("left", "right")}
        self._patched = [self._text(source, "accent", side) for side, source in self._name.items()]
        for glyph in self._patched:
            ink(glyph, background_fill_color="panel")
        chart.on_event(Tap, self._on_tap)
        self._card = EntryCard("The chosen entry", " ".join(f"{sign} {meaning}" for meaning, sign in SIGNS.items()))
        return [chart, self._card.figure]

    def _text(self, source: Any, color: str, side: str) -> Any:
        text = self._figure.text(
            *("x", "y", "text"),
            source=source,
            text_font_size="13px",
            text_font_style="bold" if color == "accent" else "normal",
            text_baseline="middle",
            text_align="right" if side == "left" else "left",
            x_offset=-ASIDE if side == "left" else ASIDE,
        )
        paint(text, text_color=color)
        return text.glyph

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
        _words, start, end = PERIODS[self.simulation.period]
        tops = frame["lane_tops"]
        heights = -(frame["row"] + GAP * np.maximum(frame["lane"], 0))
        feet = [*(tops[1:] - 1), max(frame["row"].max(), tops[-1])]
        shifts = GAP * np.arange(len(tops))
        lanes = list(zip(0.62 - tops - shifts, -0.62 - np.array(feet) - shifts, strict=True))
        self._figure.x_range.update(start=start, end=end)
        self._figure.y_range.update(start=lanes[-1][1] - 0.3, end=lanes[0][0] + 0.3)
        ticks_at(self._figure.xaxis, YEARS[self.simulation.period])
        named_ticks(self._figure.yaxis, {(up + low) / 2: name for name, (up, low) in zip(LANES, lanes, strict=True)})
        self._bands.data = {
            "left": [start] * len(KINDS),
            "right": [end] * len(KINDS),
            "bottom": [low for _up, low in lanes],
            "top": [up for up, _low in lanes],
        }
        self._show_marks(frame, heights)
        self._show_card()
        self._show_depths(frame)

    def _show_marks(self, frame: Frame, heights: np.ndarray) -> None:
        inside, marked = frame["row"] >= 0, frame["shown"]
        rest = inside & ~marked
        self._rest.data = {"x": frame["time"][rest], "y": heights[rest]}
        for confidence, source in self._marks.items():
            rows = marked & (frame["confidence"] == confidence)
            source.data = {
                "x": frame["time"][rows],
                "y": heights[rows],
                "name": frame["name"][rows],
                "title": frame["title"][rows],
                "people": frame["people"][rows],
                "date": [str(int(year)) for year in frame["time"][rows]],
            }
        chosen = int(frame.results["chosen"])
        is_chosen = np.arange(len(inside)) == chosen
        for side, source in self._words.items():
            rows = marked & (frame["side"] == side) & ~is_chosen
            source.data = {"x": frame["time"][rows], "y": heights[rows], "text": frame["label"][rows]}
        ring = is_chosen & inside
        self._ring.data = {"x": frame["time"][ring], "y": heights[ring]}
        middle = sum(PERIODS[self.simulation.period][1:]) / 2
        own = str(frame["side"][chosen]) or ("left" if frame["time"][chosen] > middle else "right")
        for glyph in self._patched:
            # Only if all years are shown may the name of the chosen entry cover other marks.
            glyph.update(background_fill_alpha=0.85 if self.simulation.period == "all" else 0.0)
        for side, source in self._name.items():
            rows = ring & (side == own)
            source.data = {
                "x": frame["time"][rows],
                "y": heights[rows],
                "text": [self.simulation.chosen.short] * rows.sum(),
            }

    def _show_card(self) -> None:
        entry = self.simulation.chosen
        self._card.show(
            f"{entry.date} · {entry.title}",
            entry.people,
            entry.sentence,
            f"{SIGNS[entry.confidence]} {entry.confidence} [{', '.join(entry.sources)}]",
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

    def _on_tap(self, event: Any) -> None:
        if not (isinstance(event.x, float | int) and isinstance(event.y, float | int)):
            return
        across: Any = self._figure.x_range
        up: Any = self._figure.y_range
        best, nearest = None, 2.0
        for entry, x, y in self._places():
            far = (abs(x - event.x) / (across.end - across.start) + abs(y - event.y) / (up.end - up.start) / 2) * REACH
            if far < nearest:
                best, nearest = entry, far
        if best:
            self.change("entry", best)

    def _places(self) -> list[tuple[str, float, float]]:
        """Name and position of every visible mark."""
        return [
            (str(name), float(x), float(y))
            for source in self._marks.values()
            for name, x, y in zip(*(source.data[key] for key in ("name", "x", "y")), strict=True)
        ]
