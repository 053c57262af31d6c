"""Marks that are visible from one moment to another, and moving dots: a page can play them without its server.

`app/static/players/play.js` plays a figure that has the tag of `playable`; both sides use the same rule for what is
visible.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bokeh.model import Model
from bokeh.models import ColumnDataSource, Plot

from app.pictures.base.figures import empty, with_button

BEAT = 1300
"""Usual length of a moment in milliseconds"""

TIMES = ("first", "until", "faint", "alpha")

WAY = ("x0", "y0", "x1", "y1", "cx0", "cy0", "cx1", "cy1")
"""Ends of a Bézier curve, and its control points"""

Curve = tuple[float, ...]
"""The eight numbers of `WAY`"""


class Timed:
    """Rows with the first and the last moment at which each is visible; `alpha` is their opacity now.

    If there is a column `bright`, it holds the opacity that a row has while it is visible; otherwise that is 1.
    """

    def __init__(self, *columns: str) -> None:
        self._columns = columns
        self.source = empty(*columns, *TIMES)

    def show(self, rows: Iterable[tuple[tuple[Any, ...], int, int]], moment: int, faint: float = 0.0) -> None:
        """Show rows of (values, first moment, last moment); at other moments they have the share `faint` of their
        opacity."""
        entries = list(rows)
        bright = [
            values[self._columns.index("bright")] if "bright" in self._columns else 1.0 for values, _, _ in entries
        ]
        pale = [faint * opacity for opacity in bright]
        self.source.data = {
            **{name: [values[k] for values, _, _ in entries] for k, name in enumerate(self._columns)},
            "first": [first for _, first, _ in entries],
            "until": [until for _, _, until in entries],
            "faint": pale,
            "alpha": [
                opacity if first <= moment <= until else rest
                for (_, first, until), opacity, rest in zip(entries, bright, pale, strict=True)
            ],
        }

    def seen(self, name: str) -> list[Any]:
        """Values of a column in the rows that are visible now."""
        data: Any = self.source.data
        return [value for value, alpha in zip(data[name], data["alpha"], strict=True) if alpha == 1]


@dataclass(frozen=True)
class Journey:
    """A dot that travels along a curve during one moment, between the shares `begin` and `end` of that moment. It is
    hidden before and after, so that a dot can depart late and arrive early."""

    curve: Curve
    moment: int
    begin: float
    end: float
    size: float


class Travelers:
    """Traveling dots, which only a page that plays the figure shows."""

    def __init__(self) -> None:
        self.source = empty(*WAY, "moment", "begin", "end", "size", "x", "y", "alpha")

    def show(self, journeys: Sequence[Journey]) -> None:
        """Set the journeys of all moments."""
        self.source.data = {
            **{name: [journey.curve[k] for journey in journeys] for k, name in enumerate(WAY)},
            **{name: [getattr(journey, name) for journey in journeys] for name in ("moment", "begin", "end", "size")},
            "x": [journey.curve[0] for journey in journeys],
            "y": [journey.curve[1] for journey in journeys],
            "alpha": [0.0] * len(journeys),
        }


def straight(x0: float, y0: float, x1: float, y1: float) -> Curve:
    """A straight line as a curve on which equal shares have equal lengths."""
    thirds = ((2 * x0 + x1) / 3, (2 * y0 + y1) / 3, (x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3)
    return x0, y0, x1, y1, *thirds


def playable(
    figure: Plot,
    parameter: str,
    last: int,
    timed: Sequence[Timed],
    arriving: Sequence[Timed],
    travelers: Sequence[Travelers],
    words: str,
    beat: int = BEAT,
    again: bool = False,
) -> ColumnDataSource:
    """Let the page play a figure from moment 0 to `last`; return the source that holds the present moment.

    Rows of `arriving` appear when the travelers of their moment arrive, other rows when they depart. `parameter` is the
    page's control for the moment, where a reader can stop to stay; "" if there is none. `words` label the button that
    starts playing, `beat` is the length of a moment in milliseconds, and with `again` the figure plays again whenever
    its picture has changed. A column `last` of the returned source replaces `last`.
    """
    now = ColumnDataSource({"moment": [0]})
    about = {
        "parameter": parameter,
        "last": last,
        "now": now,
        "timed": [rows.source for rows in timed],
        "arriving": [rows.source for rows in arriving],
        "travelers": [traveler.source for traveler in travelers],
        "words": words,
        "beat": beat,
        "again": again,
    }
    figure.tags = [*figure.tags, {"play": about}]
    with_button(figure)
    return now


def played(models: Iterable[Model]) -> str:
    """The parameter whose moments a page plays in one of these models; "" if there is none."""
    tags = (tag["play"] for model in models for tag in model.tags if isinstance(tag, dict) and "play" in tag)
    return next((about["parameter"] for about in tags), "")
