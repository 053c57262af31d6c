"""Limits the live sessions of a server, and shares them out fairly between addresses and readers."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count

from app import settings
from app.runs.jobs import Busy

PER_READER = 16
"""Most slots of one open tab; no page of the site has as many figures."""

HIDDEN, STANDING, PLAYING = range(3)
"""Ranks of a slot, by how much its loss would be noticed: the figure is out of sight, visible and idle, or playing"""

_numbers = count()


@dataclass(eq=False)
class SessionSlot:
    """The slot of one live session. `leave` ends the session; `rank` says how much its loss would be noticed."""

    address: str
    reader: str
    leave: Callable[[], None] = lambda: None
    rank: Callable[[], int] = lambda: STANDING

    def __post_init__(self) -> None:
        self._number = next(_numbers)

    @property
    def order(self) -> tuple[int, int]:
        """Sort key for taking slots away: the lowest rank first, and of these the oldest."""
        return self.rank(), self._number


class SessionSlots:
    """All slots. While some are free, everybody gets one.

    When all are taken, a newcomer with fewer slots than others takes one from the client that has most: compared by
    address first, so that a flood of invented readers cannot take them all, and within one address by reader. The slot
    of a figure that is out of sight can be taken by anybody.
    """

    def __init__(self, limit: int, per_reader: int = PER_READER) -> None:
        self._limit, self._per_reader = limit, per_reader
        self._taken: dict[SessionSlot, None] = {}

    def acquire(self, address: str, reader: str) -> SessionSlot:
        """Take a slot for one more session. Raises Busy if there is none; the text is shown on the page."""
        own = [place for place in self._taken if (place.address, place.reader) == (address, reader)]
        if len(own) >= self._per_reader:
            self._free(_first(_hidden(own)), f"This page already has {self._per_reader} live simulations.")
        elif len(self._taken) >= self._limit:
            self._free(
                self._yielding(address, reader),
                "Many simulations are running on this server right now. Reading works; try again in a minute.",
            )
        place = SessionSlot(address, reader)
        self._taken[place] = None
        return place

    def release(self, place: SessionSlot) -> None:
        """Free a slot; does nothing if it was already given to another session."""
        self._taken.pop(place, None)

    def _free(self, place: SessionSlot | None, otherwise: str) -> None:
        if place is None:
            raise Busy(otherwise)
        del self._taken[place]
        place.leave()

    def _yielding(self, address: str, reader: str) -> SessionSlot | None:
        """The slot that a newcomer may take when all are taken; None if there is none."""
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
"""The slots of this server. When they are used up, the page says that the server is busy; reading still works."""
