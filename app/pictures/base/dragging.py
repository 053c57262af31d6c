"""What a pointer that is dragged over a figure may set, and how often."""

import time

PER_UNIT = 20
"""Values per unit that a drag can reach, so that what it sets can be read and set again."""


def snap(value: float, low: float, high: float) -> float:
    """The value that a drag to `value` sets: a multiple of a twentieth between two bounds."""
    return min(max(round(value * PER_UNIT) / PER_UNIT, low), high)


class Throttle:
    """At most one value in a while, so that a fast pointer cannot flood the server."""

    def __init__(self, seconds: float = 0.016) -> None:
        self._seconds = seconds
        self._last = -seconds

    def allows(self) -> bool:
        """Whether enough time has passed since it last said yes."""
        now = time.monotonic()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True
