"""A fair queue: readers take turns, however many runs each of them has waiting."""

from collections import deque
from collections.abc import Hashable
from itertools import count
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)


class FairQueue(Generic[Item]):
    """Items of several readers: the reader served longest ago comes first, with that reader's oldest item.

    The time of the last service counts, not the time of queueing: a reader whose only item was out while others were
    served is next when it is back.
    """

    def __init__(self) -> None:
        self._lines: dict[Hashable, deque[Item]] = {}
        self._served: dict[Hashable, int] = {}
        self._turn = count(1)

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, reader: Hashable, item: Item) -> None:
        """Queue an item after those of the same reader."""
        self._lines.setdefault(reader, deque()).append(item)

    def pop(self) -> Item:
        """Remove and return the next item. Raises IndexError if the queue is empty."""
        if not self._lines:
            raise IndexError("nothing waits")
        reader = min(self._lines, key=self._last_served)
        item = self._lines[reader].popleft()
        self._served[reader] = next(self._turn)
        self._tidy(reader)
        return item

    def discard(self, reader: Hashable, item: Item) -> None:
        """Remove an item, if it is there."""
        if item in self._lines.get(reader, ()):
            self._lines[reader].remove(item)
            self._tidy(reader)

    def remove(self, reader: Hashable) -> None:
        """Forget a reader who has left."""
        self._lines.pop(reader, None)
        self._served.pop(reader, None)

    def order(self) -> list[Item]:
        """All waiting items, in the order in which they will be served if no others are added."""
        readers = sorted(self._lines, key=self._last_served)
        turns = [(turn, rank) for rank, reader in enumerate(readers) for turn in range(len(self._lines[reader]))]
        return [self._lines[readers[rank]][turn] for turn, rank in sorted(turns)]

    def _last_served(self, reader: Hashable) -> int:
        return self._served.get(reader, 0)

    def _tidy(self, reader: Hashable) -> None:
        if not self._lines[reader]:
            del self._lines[reader]
