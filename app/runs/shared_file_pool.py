"""Anonymous files shared between server and workers: states are written and read there, and never piped."""

import os
import tempfile
import weakref

SPARE = 8
"""Files kept for the next states: writing into memory that is already allocated is several times faster."""


def _anonymous_file() -> int:
    """The descriptor of a new file in memory or, if the system does not support that, on disk.

    The file is gone when its last descriptor is closed.
    """
    if hasattr(os, "memfd_create"):
        return os.memfd_create("state")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class SharedFile:
    """A file that returns to its pool when this object is no longer referenced. `number` is its descriptor."""

    def __init__(self, shelf: "SharedFilePool", descriptor: int) -> None:
        self.number = descriptor
        weakref.finalize(self, shelf.put_back, descriptor).atexit = False


class SharedFilePool:
    """Creates and reuses files. May be used in any thread."""

    def __init__(self) -> None:
        self._spare: list[int] = []
        self._closed = False

    def take(self) -> SharedFile:
        """A file to write into; its old content is of no use to anybody."""
        try:
            descriptor = self._spare.pop()
        except IndexError:
            descriptor = _anonymous_file()
        return SharedFile(self, descriptor)

    def put_back(self, descriptor: int) -> None:
        """Keep a file for later, or close it if there are enough."""
        if self._closed or len(self._spare) >= SPARE:
            os.close(descriptor)
        else:
            self._spare.append(descriptor)

    def close(self) -> None:
        """Close the files that are not in use, and each of the others when it is put back."""
        self._closed = True
        while self._spare:
            os.close(self._spare.pop())
