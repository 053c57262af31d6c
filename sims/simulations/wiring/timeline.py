"""The timeline: sixty years of ideas behind the plus sign, each with how well it is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
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

MARK, LETTER = 8.0, 7.2
"""Approximate width in pixels of a mark and of a letter"""

NARROWEST = 262.0
"""Width in pixels of the time axis on a phone: what fits there fits everywhere"""


@dataclass(frozen=True)
class Place:
    """The place of an entry: its row, counted from the top of the picture, and the side of its words, if it has any."""

    row: int
    side: str


class Timeline(Simulation):
    """Sixty years to one plus sign

    Marks stand along the years in four lanes: theory, architecture, initialization or norm, and use. A filled circle is
    an entry whose source was opened, an open one is second-hand, a square is from memory, and a diamond is disputed.
    One entry is chosen, and its card below says who, what, and how that is known. Entries that the filters leave out
    are small gray dots. As a measure, the depths that were trained, over the years, on a logarithmic axis.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"entry": tuple(entry.name for entry in history.entries())}

    entry = param.Selector(
        default="resnet",
        objects={f"{item.year} · {item.title}": item.name for item in history.entries()},
        label="Entry",
        doc="the entry whose card is shown",
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
        places = arranged(start, end)
        rows = [places[entry.name].row if entry.name in places else -1 for entry in entries]
        lanes = [sum(1 for kind in KINDS if first_row(places, kind) <= row) - 1 if row >= 0 else -1 for row in rows]
        columns: dict[str, tuple[str, str, Sequence[Any]]] = {
            "time": ("date", "years", [entry.time for entry in entries]),
            "row": ("row from the top, −1 outside of these years", "rows", rows),
            "lane": ("lane from the top, −1 outside of these years", "lanes", lanes),
            "shown": ("shown", "yes or no", visible),
            "name": ("entry", "name", [entry.name for entry in entries]),
            "title": ("title", "words", [entry.title for entry in entries]),
            "people": ("people", "names", [entry.people for entry in entries]),
            "kind": ("kind", "words", [KINDS[entry.kind] for entry in entries]),
            "confidence": ("evidence", "words", [entry.confidence for entry in entries]),
            "sources": ("sources", "keys of the references", [", ".join(entry.sources) for entry in entries]),
            "sentence": ("what it is", "words", [entry.sentence for entry in entries]),
            "label": ("words beside the mark", "words", [_label(entry, places) for entry in entries]),
            "side": ("side of these words", "side", [places[e.name].side if e.name in places else "" for e in entries]),
        }
        quantities = {
            name: Quantity(np.array(values), label, unit, ("entry",)) for name, (label, unit, values) in columns.items()
        }
        heights = [first_row(places, kind) for kind in KINDS]
        quantities["lane_tops"] = Quantity(np.array(heights), "first row of the lane", "rows", ("lane",))
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
        page = f" More on the page “{entry.page}”." if entry.page else ""
        return (
            f"{entry.date}: {entry.title} ({entry.people}). {entry.sentence} Evidence of {', '.join(entry.sources)}: "
            f"{entry.confidence}, {EVIDENCE[entry.confidence]}.{page} Of {frame.results['shown']} entries "
            f"shown, {frame.results['verified']} are verified and {frame.results['disputed']} disputed."
        )

    def honesty(self) -> Disclosure:
        return Disclosure(
            network="None is trained here.",
            data=f"{len(history.entries())} entries that we chose, each with its sources in the references and with "
            "how well we know it; months are those of first preprints where there are any.",
            seeds="None; nothing here is random.",
            cannot_show="What was never written down or was forgotten, who told whom, and what we left out. Depths are "
            "counted as their sources count them, on different tasks.",
        )


def arranged(start: float, end: float) -> dict[str, Place]:
    """Name → place for the entries of these years. No mark covers another or its words, even on a phone.

    If there are few entries, all have words; else only the landmarks, whose words are as high as three narrow rows.
    """
    unit = (end - start) / NARROWEST
    inside = [entry for entry in history.entries() if start <= entry.time <= end]
    close = len(inside) < len(history.entries())
    places: dict[str, Place] = {}
    top = 0
    for kind in KINDS:
        occupied: list[Box] = []
        for entry in (entry for entry in inside if entry.kind == kind):
            wide = (len(entry.short) * LETTER + MARK) * unit if close or entry.landmark else 0.0
            side = "" if not wide else "left" if entry.time + wide > end else "right"
            low, high = entry.time - 0.5 * MARK * unit, entry.time + 0.5 * MARK * unit
            words = (low - wide, low) if side == "left" else (high, high + wide)
            row = 0
            while _meets(boxes := _boxes(row, (low, high), words if side else None, 0 if close else 1), occupied):
                row += 1
            occupied += boxes
            places[entry.name] = Place(top + row, side)
        top += 1 + max((places[entry.name].row - top for entry in inside if entry.kind == kind), default=0)
    return places


Box = tuple[float, float, int, int]
"""First and last time, first and last row"""


def _boxes(row: int, mark: tuple[float, float], words: tuple[float, float] | None, beyond: int) -> list[Box]:
    """The area of an entry in a row: its mark, and its words with `beyond` rows above and below."""
    own = [(*mark, row, row)]
    return [*own, (*words, row - beyond, row + beyond)] if words else own


def _meets(boxes: Sequence[Box], occupied: Sequence[Box]) -> bool:
    return any(
        one[0] < other[1] and other[0] < one[1] and one[2] <= other[3] and other[2] <= one[3]
        for one in boxes
        for other in occupied
    )


def first_row(places: Mapping[str, Place], kind: str) -> int:
    """The first row of the lane of a kind; an empty lane has one row."""
    top = 0
    for lane in KINDS:
        if lane == kind:
            return top
        rows = [places[entry.name].row for entry in history.entries() if entry.kind == lane and entry.name in places]
        top = 1 + max(rows, default=top)
    raise KeyError(kind)


def _label(entry: Entry, places: Mapping[str, Place]) -> str:
    return entry.short if entry.name in places and places[entry.name].side else ""
