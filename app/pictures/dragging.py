"""How often a pointer that is dragged over a figure may change something."""

import time


class DragPace:
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
