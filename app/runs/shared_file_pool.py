"""Anonymous files that the server shares with its workers: a state is written and read there, and never piped."""

import os
import tempfile
import weakref

SPARE = 8
"""Files that are kept for the next states: to write into memory that is there already is several times faster."""


def _anonymous_file() -> int:
    """The descriptor of a new file in memory or, where the system has none such, on disk.

    The file is gone when all who hold it are.
    """
    if hasattr(os, "memfd_create"):
        return os.memfd_create("state")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class SharedFile:
    """A file for as long as this object is held; then it goes back to its shelf. `number` is its descriptor."""

    def __init__(self, shelf: "SharedFilePool", descriptor: int) -> None:
        self.number = descriptor
        weakref.finalize(self, shelf.put_back, descriptor).atexit = False


class SharedFilePool:
    """Where files come from. May be used in any thread."""

    def __init__(self) -> None:
        self._spare: list[int] = []
        self._closed = False

    def take(self) -> SharedFile:
        """A file whose content is of no more use to anybody."""
        try:
            descriptor = self._spare.pop()
        except IndexError:
            descriptor = _anonymous_file()
        return SharedFile(self, descriptor)

    def put_back(self, descriptor: int) -> None:
        """Keep a file for later, or close it where there are enough."""
        if self._closed or len(self._spare) >= SPARE:
            os.close(descriptor)
        else:
            self._spare.append(descriptor)

    def close(self) -> None:
        """Close the files that nobody holds, and each of the others when it is put back."""
        self._closed = True
        while self._spare:
            os.close(self._spare.pop())
