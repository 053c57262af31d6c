"""A race on parallel tracks: a marker for each entrant, its rank at the end of its track, and a podium below, which
fills as entrants finish."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.models import Image, InlineStyleSheet, LinearAxis, LinearColorMapper
from bokeh.plotting import figure

from app.pictures.base.figures import LINES, empty, ink, named_ticks, paint, plot, with_button, words
from app.pictures.base.questions import is_result, known, ranked_here
from app.pictures.maps.network_maps import palette
from sims.comparisons.standings import TOLD_APART
from sims.contract.wording import percent

TRACK, AROUND = 50, 66
"""Height of a track, and of everything around the tracks, in pixels"""

MARKER, THUMBNAIL = 34, 30
"""Side of a marker in pixels, and of the map in it"""

BEHIND, BEYOND = 0.15, 0.19
"""What is shown before the start, and after the end, as shares of the way from guessing to all points right"""

PLACES = 108
"""Pixels right of the tracks for the ranks, reserved so that the tracks do not move when these appear"""

PILLARS = (140, 100, 60, 30)
"""Height of a pillar in pixels for the first place, the second and so on; the last is that of all places from there"""

ORDINALS = ("1st", "2nd", "3rd")
"""Names of the first heights, for an axis: they are there before anybody finishes"""

MANY = 6
"""More names than these are upright, so that they have room on a phone"""

TITLE, SHORT, LONG, CLEAR, RULE_ROOM = 28, 30, 130, 6, 43
"""Pixels for the title, for a name of up to two lines, for an upright one, between two things, and for the rule"""

GAP, CAP = 0.05, 0.12
"""Space beside a pillar and beside the mark on it, as shares of the width for one name"""

PROJECTED = "@container (min-width: 1100px) { :host { display: none !important; } }"
"""On a projector the tracks need the whole height, and have the places at their ends."""

ARRIVAL = ("when", "alpha")
"""Step at which a row of the podium arrives, and its opacity now"""

SHARING = f"All pairs of seeds are compared. A place is shared\nunless its leader wins {percent(TOLD_APART)} of them."


@dataclass(frozen=True)
class Runner:
    """One entrant: its label, color and dash, and its data at every record so far."""

    label: str
    color: str
    dash: str
    middle: np.ndarray
    """(records,) share of right answers, median over seeds; 1 after the finish"""
    low: np.ndarray
    high: np.ndarray
    maps: np.ndarray | None
    """(records, side, side) bytes of a decision map; None without one"""
    place: int
    finish: float
    """Step at which it finished; infinity if it did not"""
    outcome: str
    """The text at the end of its track after it finishes, or after the race"""


class RaceTrack:
    """Two figures, created once; `show` moves their data.

    After a race, `course` holds all of it, and `static/players/race.js`, which finds it by the tag `race`, replays it
    in the browser.
    """

    def __init__(self, title: str, colors: Sequence[str], finish: float) -> None:
        """`colors`: all colors that runners may have. `finish`: share of right answers at the finish line."""
        self._finish = finish
        self.figure = plot(title, "training points right", "", x_range=(0, 1), y_range=(0, 1), height=AROUND + TRACK)
        self.figure.update(min_border_right=PLACES)
        self._places = LinearAxis()
        ink(self._places, major_label_text_color="ink")
        self.figure.add_layout(self._places, "right")
        self.figure.grid.visible = False
        for axis in self.figure.yaxis:
            axis.update(axis_line_alpha=0, major_tick_in=0, major_tick_out=0, major_label_standoff=6)
        sides: list[Any] = [self.figure.xaxis, self.figure.left, [self._places]]
        for side in sides:
            named_ticks(side, {})
        self._lanes, self._line = empty("x0", "x1", "y"), empty("x", "y0", "y1", "text")
        lanes = self.figure.segment("x0", "y", "x1", "y", source=self._lanes, line_width=1)
        paint(lanes, line_color="rule")
        line = self.figure.segment("x", "y0", "x", "y1", source=self._line, line_width=5, line_dash=[5, 5])
        paint(line, line_color="ink")
        self._markers = {color: self._group(color) for color in dict.fromkeys(colors)}
        self._maps = empty("x", "y", "image")
        mapper = LinearColorMapper(
            palette=palette(), low=-0.5, high=len(palette()) - 0.5, high_color="#00000000", nan_color="#00000000"
        )
        looks: dict[str, Any] = {side: {"value": THUMBNAIL, "units": "screen"} for side in ("dw", "dh")}
        looks["anchor"] = "center"
        self.figure.add_glyph(self._maps, Image(image="image", x="x", y="y", color_mapper=mapper, **looks))
        self._shares = empty("x", "y", "text")
        shares = self.figure.text(
            "x", "y", "text", source=self._shares, text_align="center", text_baseline="middle", text_font_size="13px"
        )
        paint(shares, text_color="ink")
        self.course = empty("color", "y", "middle", "low", "high", "maps", "steps", "when", "said")
        self.podium = _Podium(list(self._markers))
        drawing = {
            "course": self.course,
            "markers": dict(self._markers),
            "maps": self._maps,
            "shares": self._shares,
            "places": self._places,
            "podium": self.podium.arriving,
        }
        self.figure.tags = [*self.figure.tags, {"race": drawing}]
        with_button(self.figure)
        is_result(self._places)
        ranked_here(self.figure)
        known(self.figure, self._lanes, self._line)

    def _group(self, color: str) -> Any:
        """Glyphs for the runners of one color: the trail behind each, the range of its seeds, and the frame of its
        marker."""
        source = empty("start", "x", "low", "high", "y", "dash")
        way = self.figure.segment("start", "y", "x", "y", source=source, line_width=3, line_dash={"field": "dash"})
        seeds = self.figure.segment("low", "y", "high", "y", source=source, line_width=9, line_alpha=0.25)
        frame = self.figure.scatter("x", "y", source=source, marker="square", size=MARKER, line_width=3)
        paint(way, line_color=color)
        paint(seeds, line_color=color)
        paint(frame, line_color=color, fill_color="panel")
        return source

    @property
    def figures(self) -> list[figure]:
        """The tracks and the podium."""
        return [self.figure, self.podium.figure]

    def show(self, runners: Sequence[Runner], steps: np.ndarray, last: int, guessing: float) -> None:
        """Move the data: all runners at the latest record, and all records of a race of `last` steps that is over.

        `guessing` is the share of right answers by guessing, where the axis starts.
        """
        count, over = len(runners), bool(steps[-1] >= last)
        start = guessing - BEHIND * (1 - guessing)
        self.figure.x_range.update(start=start, end=1 + BEYOND * (1 - guessing))
        self.figure.y_range.update(start=0, end=count)
        if self.figure.height != AROUND + TRACK * count:
            self.figure.height = AROUND + TRACK * count
        named_ticks(self.figure.left, {count - row - 0.5: runner.label for row, runner in enumerate(runners)})
        named_ticks(self.figure.xaxis, {**_tenths(guessing), self._finish: f"{percent(self._finish)}: finish"})
        rows = [count - row - 0.5 for row in range(count)]
        self._lanes.data = {"x0": [start] * count, "x1": [self._finish] * count, "y": rows}
        self._line.data = {"x": [self._finish], "y0": [0], "y1": [count], "text": [""]}
        ways = [[np.maximum(curve, start) for curve in (one.middle, one.low, one.high)] for one in runners]
        # Send the course first, so that the page knows which race the markers that follow belong to.
        self.course.data = self._whole(runners, ways, rows, steps, last) if over else _nothing(self.course)
        inside: dict[str, list[int]] = {color: [] for color in self._markers}
        for row, runner in enumerate(runners):
            inside[runner.color].append(row)
        for color, source in self._markers.items():
            mine = inside[color]
            source.data = {
                "start": [start] * len(mine),
                **{key: [float(ways[row][at][-1]) for row in mine] for at, key in enumerate(("x", "low", "high"))},
                "y": [rows[row] for row in mine],
                "dash": [runners[row].dash for row in mine],
            }
        mapped = [row for row, runner in enumerate(runners) if runner.maps is not None]
        positions = [float(ways[row][0][-1]) for row in range(count)]
        self._maps.data = {
            "x": [positions[row] for row in mapped],
            "y": [rows[row] for row in mapped],
            "image": [runner.maps[-1] for runner in runners if runner.maps is not None],
        }
        bare = [row for row in range(count) if row not in mapped]
        self._shares.data = {
            "x": [positions[row] for row in bare],
            "y": [rows[row] for row in bare],
            "text": [f"{100 * runners[row].middle[-1]:.0f}" for row in bare],
        }
        labels = [runner.outcome if over or runner.finish <= steps[-1] else "" for runner in runners]
        named_ticks([self._places], dict(zip(rows, labels, strict=True)))
        self.podium.show(runners, float(steps[-1]))

    @staticmethod
    def _whole(
        runners: Sequence[Runner],
        ways: Sequence[Sequence[np.ndarray]],
        rows: Sequence[float],
        steps: np.ndarray,
        last: int,
    ) -> dict[str, list[Any]]:
        """The whole race of all runners, in the order of the tracks, which is also the order in the sources of one
        color."""
        return {
            "color": [runner.color for runner in runners],
            "y": list(rows),
            **{key: [way[at] for way in ways] for at, key in enumerate(("middle", "low", "high"))},
            "maps": [[] if runner.maps is None else list(runner.maps) for runner in runners],
            "steps": [steps] * len(runners),
            "when": [runner.finish if np.isfinite(runner.finish) else float(last) for runner in runners],
            "said": [runner.outcome for runner in runners],
        }


def _nothing(source: Any) -> dict[str, list[Any]]:
    return {column: [] for column in source.data}


def _tenths(guessing: float) -> dict[float, str]:
    """Ticks at multiples of a tenth, from guessing on, leaving room for the finish label."""
    return {tenth / 10: percent(tenth / 10) for tenth in range(round(10 * guessing), 9, 2)}


class _Podium:
    """A pillar for everyone who has finished, as high as its place is good; those who share a place share a pillar.
    The others wait on the ground. Heights are in pixels."""

    def __init__(self, colors: Collection[str]) -> None:
        self.figure = plot("Podium", "", "", height=_podium_height(MANY), x_range=(0, 1), y_range=(0, 1))
        self.figure.update(frame_align=False, min_border=0, stylesheets=[InlineStyleSheet(css=PROJECTED)])
        self.figure.xaxis.visible = False
        named_ticks(self.figure.yaxis, {0: "", **dict(zip(PILLARS, ORDINALS, strict=False))})
        self.figure.yaxis.update(axis_line_alpha=0, major_tick_in=0, major_tick_out=0, major_label_standoff=6)
        self.figure.grid.visible = False
        self.figure.ygrid.visible = True
        pillars, caps = ("left", "right", "top", *ARRIVAL), ("left", "right", "y", "dash", *ARRIVAL)
        self.pillars, self._caps = empty(*pillars), {color: empty(*caps) for color in colors}
        blocks = self.figure.quad("left", "right", "top", 0, source=self.pillars, line_width=1, alpha="alpha")
        paint(blocks, fill_color="wash", line_color="edge")
        for color, source in self._caps.items():
            dash: Any = {"field": "dash"}
            cap = self.figure.segment(
                "left", "y", "right", "y", source=source, line_width=5, line_alpha="alpha", line_dash=dash
            )
            paint(cap, line_color=color)
        self.numbers, self.names = empty("x", "y", "text", *ARRIVAL), empty("x", "y", "text", "angle", *ARRIVAL)
        self.waiting, self._rule = empty("x", "y", "text", "angle"), empty("x", "y", "text")
        bold: dict[str, Any] = {"text_font_size": "16px", "text_font_style": "bold", "text_alpha": "alpha"}
        words(self.figure, self.numbers, "ink", **bold)
        looks: dict[str, Any] = {"angle": "angle", "text_line_height": LINES}
        words(self.figure, self.names, "ink", text_alpha="alpha", **looks)
        words(self.figure, self.waiting, "soft", **looks)
        words(self.figure, self._rule, "soft", text_align="left", text_baseline="top", text_line_height=LINES)
        known(self.figure, self._rule)

    @property
    def arriving(self) -> list[Any]:
        """Sources with a row for everyone who has finished, which the page hides until then when it runs the race."""
        return [self.pillars, *self._caps.values(), self.numbers, self.names]

    def show(self, runners: Sequence[Runner], step: float) -> None:
        """Show who has finished by that step, in the order of places, and then those who have not."""
        home = sorted((one for one in runners if one.finish <= step), key=lambda one: (one.place, one.finish))
        count = len(runners)
        out = [one for one in runners if one not in home]
        height = _podium_height(count)
        if self.figure.height != height:
            self.figure.height = height
        self.figure.x_range.update(start=0, end=count)
        self.figure.y_range.update(start=-RULE_ROOM, end=height - TITLE - RULE_ROOM)
        names, angle, room = _brief_names(runners), math.pi / 2 if count > MANY else 0.0, _name_room(count)
        tops = [float(PILLARS[min(one.place, len(PILLARS)) - 1]) for one in home]
        places, columns = [one.place for one in home], range(len(home))
        arrival = {"when": [one.finish for one in home], "alpha": [1.0] * len(home)}
        first = [at for at in columns if at == places.index(places[at])]
        ends = [at + places.count(places[at]) for at in first]
        leaders = {key: [values[at] for at in first] for key, values in arrival.items()}
        heights = [tops[at] for at in first]
        self.pillars.data = {
            "left": [at + GAP for at in first],
            "right": [end - GAP for end in ends],
            "top": heights,
            **leaders,
        }
        for color, source in self._caps.items():
            mine = [at for at in columns if home[at].color == color]
            source.data = {
                "left": [at + CAP for at in mine],
                "right": [at + 1 - CAP for at in mine],
                "y": [tops[at] for at in mine],
                "dash": [home[at].dash for at in mine],
                **{key: [values[at] for at in mine] for key, values in arrival.items()},
            }
        self.numbers.data = {
            "x": [(at + end) / 2 for at, end in zip(first, ends, strict=True)],
            "y": [top / 2 for top in heights],
            "text": [f"{places[at]}" for at in first],
            **leaders,
        }
        self.names.data = {
            "x": [at + 0.5 for at in columns],
            "y": [top + CLEAR + room / 2 for top in tops],
            "text": [names[one.label] for one in home],
            "angle": [angle] * len(home),
            **arrival,
        }
        self.waiting.data = {
            "x": [len(home) + at + 0.5 for at in range(len(out))],
            "y": [CLEAR + room / 2] * len(out),
            "text": [names[one.label] for one in out],
            "angle": [angle] * len(out),
        }
        self._rule.data = {"x": [0], "y": [-CLEAR], "text": [SHARING]}


def _name_room(count: int) -> int:
    """Pixels for the names, which are upright if there are many."""
    return LONG if count > MANY else SHORT


def _podium_height(count: int) -> int:
    return TITLE + _name_room(count) + CLEAR + PILLARS[0] + RULE_ROOM


def _brief_names(runners: Sequence[Runner]) -> dict[str, str]:
    """Label → only its last line, if that is enough to tell the runner from the others."""
    last = [runner.label.split("\n")[-1] for runner in runners]
    whole = (lambda label: label.replace("\n", " ")) if len(runners) > MANY else str
    return {
        runner.label: brief if last.count(brief) == 1 else whole(runner.label)
        for runner, brief in zip(runners, last, strict=True)
    }
