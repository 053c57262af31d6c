"""How often somebody may do a thing."""

import time
from collections.abc import Callable


class Rate:
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
