"""How often somebody may do a thing."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable


class RateLimit:
    """`burst` times at once, and `per_second` times a second in the long run."""

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._left, self._then = float(burst), clock()

    def allows(self) -> bool:
        """Whether it may be done now; what is allowed counts as done."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


REMEMBERED = 10_000
"""Whoever has not come for longest is forgotten beyond so many, and may begin again."""


class RateLimits:
    """The same rate for each of many."""

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = per_second, burst, clock
        self._of: OrderedDict[Hashable, RateLimit] = OrderedDict()

    def allows(self, client: Hashable) -> bool:
        """Whether they may do it now; what is allowed counts as done."""
        rate = self._of.pop(client, None) or RateLimit(*self.rate)
        self._of[client] = rate
        if len(self._of) > REMEMBERED:
            self._of.popitem(last=False)
        return rate.allows()
