"""The timeline: sixty years of ideas behind the plus sign, each with how well it is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import cited
from sims.data import history
from sims.data.history import DISPUTED, EVIDENCE, KINDS, VERIFIED, Entry

PERIODS = {
    "all": ("1960 to 2026", 1959.0, 2027.5),
    "backward": ("1960 to 2000", 1959.0, 2001.5),
    "deeper": ("2010 to 2015", 2009.8, 2016.1),
    "skips": ("2015 to 2017", 2014.9, 2018.0),
    "norms": ("2018 to 2020", 2017.9, 2021.0),
    "larger": ("2021 to 2023", 2020.9, 2024.0),
    "later": ("2024 to 2026", 2023.9, 2026.8),
}
"""Name → what it is called on the page, and where the axis begins and ends"""

ALL = "all"

BENDS = ((1957.0, 0.0), (2010.0, 0.22), (2014.6, 0.32), (2027.6, 1.0))
"""Years, and shares of the axis where they are if all years are shown: most entries are from the last twelve"""

MARK, LETTER = 11.0, 7.2
"""Approximate width in pixels of a mark with its margin, and of a letter"""

NARROW, WIDE = "narrow", "wide"

WIDTHS = {NARROW: 262.0, WIDE: 800.0}
"""Screen → width in pixels of the time axis on the narrowest of its kind: what fits there fits on all"""


@dataclass(frozen=True)
class Place:
    """The place of an entry: its row, counted from the top of the picture, and the side of its words, if it has any."""

    row: int
    side: str


class Timeline(Simulation):
    """Sixty years to one plus sign

    Marks with their names lie along the years in four lanes: theory, architecture, initialization or norm, and use. The
    last twelve years fill two thirds of the axis, the first fifty less than a quarter. A filled circle is an entry
    whose source was opened, an open one is second-hand, a square is from memory, and a diamond is disputed. One entry
    is chosen, and the words below say who, what, and how that is known. Entries that the filters leave out are small
    gray dots. The measures are the depths that were trained, over the years, on a logarithmic axis.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"entry": tuple(entry.name for entry in history.entries())}

    entry = param.Selector(
        default="resnet",
        objects={f"{item.year} · {item.title}": item.name for item in history.entries()},
        label="Entry",
        doc="the entry whose card is shown",
        precedence=1,
    )
    period = param.Selector(
        default="all",
        objects={words: name for name, (words, _start, _end) in PERIODS.items()},
        label="Years",
        doc="the years that fill the picture",
    )
    evidence = param.Selector(
        default=ALL,
        objects={"Any": ALL, "Verified": "verified", "Second-hand": "second-hand", "Memory": "memory"}
        | {"Disputed": "disputed"},
        label="Evidence",
        doc="which entries are shown, by how well they are known",
    )
    kind = param.Selector(
        default=ALL,
        objects={"All": ALL, **{words: name for name, words in KINDS.items()}},
        label="Kind",
        doc="which entries are shown, by what they are about",
        precedence=1,
    )

    @property
    def chosen(self) -> Entry:
        """The entry whose card is shown."""
        return history.find(self.entry)

    def compute(self) -> Frame:
        entries, depths = history.entries(), history.depths()
        _words, start, end = PERIODS[self.period]
        visible = [
            self.evidence in (ALL, entry.confidence) and self.kind in (ALL, entry.kind) and start <= entry.time <= end
            for entry in entries
        ]
        columns: dict[str, tuple[str, str, Sequence[Any]]] = {
            "time": ("date", "years", [entry.time for entry in entries]),
            "along": ("place on the axis", "share", [along(self.period, entry.time) for entry in entries]),
            "inside": ("in these years", "yes or no", [start <= entry.time <= end for entry in entries]),
            "shown": ("shown", "yes or no", visible),
            "name": ("entry", "name", [entry.name for entry in entries]),
            "title": ("title", "words", [entry.title for entry in entries]),
            "people": ("people", "names", [entry.people for entry in entries]),
            "kind": ("kind", "words", [KINDS[entry.kind] for entry in entries]),
            "confidence": ("evidence", "words", [entry.confidence for entry in entries]),
            "sources": ("sources", "keys of the references", [", ".join(entry.sources) for entry in entries]),
            "sentence": ("what it is", "words", [entry.sentence for entry in entries]),
        }
        quantities = {
            name: Quantity(np.array(values), label, unit, ("entry",)) for name, (label, unit, values) in columns.items()
        }
        for screen in WIDTHS:
            quantities |= _placed(screen, self.period)
        of = [history.find(depth.name) for depth in depths]
        records: dict[str, tuple[str, str, Sequence[Any]]] = {
            "depth_time": ("date", "years", [entry.time for entry in of]),
            "depth": ("depth", "what is counted", [depth.count for depth in depths]),
            "depth_title": ("network", "name", [depth.title for depth in depths]),
            "depth_counted": ("what is counted", "name", [depth.counted for depth in depths]),
            "depth_task": ("task", "name", [depth.task for depth in depths]),
            "depth_skips": ("with skips", "yes or no", [depth.skips for depth in depths]),
            "depth_least": ("more than that", "yes or no", [depth.least for depth in depths]),
        }
        quantities |= {
            name: Quantity(np.array(values), label, unit, ("network",))
            for name, (label, unit, values) in records.items()
        }
        confidences = [entry.confidence for entry, is_visible in zip(entries, visible, strict=True) if is_visible]
        answers = {
            "entries": len(entries),
            "shown": len(confidences),
            "verified": confidences.count(VERIFIED),
            "disputed": confidences.count(DISPUTED),
            "chosen": [entry.name for entry in entries].index(self.entry),
        }
        return Frame(quantities, answers)

    def describe(self, frame: Frame) -> str:
        entry = self.chosen
        return (
            f"{entry.date}: {entry.title} ({entry.people}). {entry.sentence} "
            f"Evidence from {', '.join(map(cited, entry.sources))}: {entry.confidence}, "
            f"{EVIDENCE[entry.confidence]}. Of {frame.results['shown']} entries "
            f"shown, {frame.results['verified']} are verified and {frame.results['disputed']} disputed."
        )

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="None is trained here.",
            data=f"{len(history.entries())} entries that we chose, each with its sources in the references and a "
            "mark of how well we know it; months are those of first preprints where there are any.",
            seeds="None; nothing here is random.",
            cannot_show="What was never written down or was forgotten, who told whom, and what we left out. Depths are "
            "counted as their sources count them, on different tasks.",
        )


def along(period: str, time: float) -> float:
    """The place of a time on the axis of a period, as a share of its length; outside of the period −1 or 2.

    The axis is straight, except that of all years, which gives the last twelve two thirds of its length.
    """
    _words, start, end = PERIODS[period]
    bends = BENDS if period == ALL else ((start, 0.0), (end, 1.0))
    years, shares = zip(*bends, strict=True)
    return float(np.interp(time, years, shares, left=-1.0, right=2.0))


def _placed(screen: str, period: str) -> dict[str, Quantity]:
    """Row, lane, side of its words and words of every entry on a screen, and the first row of every lane."""
    entries, places = history.entries(), arranged(screen, period)
    nowhere = Place(-1, "")
    positions = [places.get(entry.name, nowhere) for entry in entries]
    tops = [first_row(places, kind) for kind in KINDS]
    lanes = [sum(1 for top in tops if top <= place.row) - 1 for place in positions]
    words = [entry.short if place.side else "" for entry, place in zip(entries, positions, strict=True)]
    columns: dict[str, tuple[str, str, Sequence[Any]]] = {
        "row": ("row from the top, −1 outside of these years", "rows", [place.row for place in positions]),
        "lane": ("lane from the top, −1 outside of these years", "lanes", lanes),
        "label": ("words beside the mark", "words", words),
        "side": ("side of these words", "side", [place.side for place in positions]),
    }
    quantities = {
        f"{screen}_{name}": Quantity(np.array(values), f"{label}, {screen} screen", unit, ("entry",))
        for name, (label, unit, values) in columns.items()
    }
    label = f"first row of the lane, {screen} screen"
    return quantities | {f"{screen}_tops": Quantity(np.array(tops), label, "rows", ("lane",))}


def arranged(screen: str, period: str) -> dict[str, Place]:
    """Name → place for the entries of a period. No mark covers another or its words.

    All entries have words, except on a narrow screen that shows all years: there only the landmarks do, and their words
    are as high as three narrow rows.
    """
    _words, start, end = PERIODS[period]
    width = WIDTHS[screen]
    inside = [entry for entry in history.entries() if start <= entry.time <= end]
    crowded = screen == NARROW and period == ALL
    places: dict[str, Place] = {}
    top = 0
    for kind in KINDS:
        occupied: list[Box] = []
        for entry in (entry for entry in inside if entry.kind == kind):
            center = along(period, entry.time) * width
            wide = len(entry.short) * LETTER if entry.landmark or not crowded else 0.0
            row, side, boxes = _free(center, wide, width, 1 if crowded else 0, occupied)
            occupied += boxes
            places[entry.name] = Place(top + row, side)
        top += 1 + max((places[entry.name].row - top for entry in inside if entry.kind == kind), default=0)
    return places


Box = tuple[float, float, int, int]
"""First and last pixel, first and last row"""


def _free(center: float, wide: float, width: float, beyond: int, occupied: Sequence[Box]) -> tuple[int, str, list[Box]]:
    """The first row where a mark and `wide` pixels of words, which reach `beyond` rows up and down, meet nothing; the
    side of the words; and the area that both take."""
    low, high = center - 0.5 * MARK, center + 0.5 * MARK
    spans = {"right": (high, high + wide), "left": (low - wide, low)}
    sides = [side for side, (left, right) in spans.items() if left >= 0 and right <= width] if wide else []
    for row in count():
        mark = (low, high, row, row)
        choices = [(side, [mark, (*spans[side], row - beyond, row + beyond)]) for side in sides] or [("", [mark])]
        free = [(row, side, boxes) for side, boxes in choices if not _meets(boxes, occupied)]
        if free:
            break
    return free[0]


def _meets(boxes: Sequence[Box], occupied: Sequence[Box]) -> bool:
    return any(
        one[0] < other[1] and other[0] < one[1] and one[2] <= other[3] and other[2] <= one[3]
        for one in boxes
        for other in occupied
    )


def first_row(places: Mapping[str, Place], kind: str) -> int:
    """The first row of the lane of a kind; an empty lane has one row. Raises KeyError for an unknown kind."""
    top = 0
    for lane in KINDS:
        if lane == kind:
            return top
        rows = [places[entry.name].row for entry in history.entries() if entry.kind == lane and entry.name in places]
        top = 1 + max(rows, default=top)
    raise KeyError(kind)
