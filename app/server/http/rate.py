"""Rate limits by token bucket: one, and one for each of many clients."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable


class RateLimit:
    """Allows `burst` actions at once, and `per_second` actions a second in the long run."""

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._left, self._then = float(burst), clock()

    def allows(self) -> bool:
        """Whether an action is allowed now; if so, it is counted."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


REMEMBERED = 10_000
"""Most clients kept. Beyond that, the one seen longest ago is dropped, and starts again with a full burst."""


class RateLimits:
    """The same rate limit for each of many clients."""

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = per_second, burst, clock
        self._of: OrderedDict[Hashable, RateLimit] = OrderedDict()

    def allows(self, client: Hashable) -> bool:
        """Whether the client's action is allowed now; if so, it is counted."""
        rate = self._of.pop(client, None) or RateLimit(*self.rate)
        self._of[client] = rate
        if len(self._of) > REMEMBERED:
            self._of.popitem(last=False)
        return rate.allows()
