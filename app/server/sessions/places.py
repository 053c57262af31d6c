"""Places for live simulations: a server has so many, and everybody a fair share of them."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count

from app import settings
from app.runs.jobs import Busy

PER_READER = 16
"""Places of one page that is open in one tab; no page of the site has as many figures."""

HIDDEN, STANDING, PLAYING = range(3)
"""How much a place is missed: nobody sees its figure, the figure only stands there, or its run goes on"""

_numbers = count()


@dataclass(eq=False)
class SessionSlot:
    """What one simulation of one reader has while it lives. `leave` ends it; `rank` says how much it is missed."""

    address: str
    reader: str
    leave: Callable[[], None] = lambda: None
    rank: Callable[[], int] = lambda: STANDING

    def __post_init__(self) -> None:
        self._number = next(_numbers)

    @property
    def order(self) -> tuple[int, int]:
        """Places are given up in this order: the least missed first, and of these the oldest."""
        return self.rank(), self._number


class SessionSlots:
    """All places. While some are free everybody gets one. When all are taken, whoever has fewer than others gets one
    from whoever has most: by address first, so that no flood of invented readers takes them all, and behind one
    address by reader. A figure that nobody sees gives its place to anybody.
    """

    def __init__(self, limit: int, per_reader: int = PER_READER) -> None:
        self._limit, self._per_reader = limit, per_reader
        self._taken: dict[SessionSlot, None] = {}

    def acquire(self, address: str, reader: str) -> SessionSlot:
        """A place for one more simulation. Raises Busy where there is none; the text is for the page."""
        own = [place for place in self._taken if (place.address, place.reader) == (address, reader)]
        if len(own) >= self._per_reader:
            self._free(_first(_hidden(own)), f"This page already has {self._per_reader} live simulations.")
        elif len(self._taken) >= self._limit:
            self._free(
                self._yielding(address, reader),
                "Many simulations are running on this server just now. Reading works; try again in a minute.",
            )
        place = SessionSlot(address, reader)
        self._taken[place] = None
        return place

    def release(self, place: SessionSlot) -> None:
        """Free a place; one that was given to somebody else meanwhile is free already."""
        self._taken.pop(place, None)

    def _free(self, place: SessionSlot | None, otherwise: str) -> None:
        if place is None:
            raise Busy(otherwise)
        del self._taken[place]
        place.leave()

    def _yielding(self, address: str, reader: str) -> SessionSlot | None:
        """The place that a newcomer gets when all are taken, if any."""
        addresses = Counter(place.address for place in self._taken)
        richest = max(addresses.values(), default=0)
        if richest > addresses[address] + 1:
            candidates = [place for place in self._taken if addresses[place.address] == richest]
            least = 0
        else:
            candidates = [place for place in self._taken if place.address == address]
            least = sum(place.reader == reader for place in candidates) + 1
        readers = Counter((place.address, place.reader) for place in candidates)
        most = max(readers.values(), default=0)
        if most > least:
            return _first(place for place in candidates if readers[place.address, place.reader] == most)
        return _first(_hidden(self._taken))


def _hidden(places: Iterable[SessionSlot]) -> list[SessionSlot]:
    return [place for place in places if place.rank() == HIDDEN]


def _first(places: Iterable[SessionSlot]) -> SessionSlot | None:
    return min(places, key=lambda place: place.order, default=None)


SLOTS = SessionSlots(settings.sessions())
"""Those of this server; over their number the page says that the server is busy, and reading still works."""
