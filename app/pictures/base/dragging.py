"""The values that a drag over a figure may set, and how often."""

import time

PER_UNIT = 20
"""Values per unit that a drag can reach; they are coarse, so that a reader can set the same value again"""


def snap(value: float, low: float, high: float) -> float:
    """The value that a drag to `value` sets: a multiple of a twentieth between two bounds."""
    return min(max(round(value * PER_UNIT) / PER_UNIT, low), high)


class Throttle:
    """Allows at most one value per period, so that a fast pointer cannot flood the server."""

    def __init__(self, seconds: float = 0.016) -> None:
        self._seconds = seconds
        self._last = -seconds

    def allows(self) -> bool:
        """Whether enough time has passed since the last value that was allowed."""
        now = time.monotonic()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True
