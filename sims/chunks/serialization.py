"""How a state gets from one process to the next: as one string of bytes, or with its large arrays in shared files."""

import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

LARGE = 16 * 1024
"""Bytes from which an array is written to a file; smaller ones travel with everything else."""


class Keeper(Protocol):
    """Turns a state, or a part of one, into what outlives the process, and back."""

    def keep(self, state: Any) -> Any:
        """What others can load. It is picklable."""

    def load(self, kept: Any) -> Any:
        """The state that was kept, as an object of its own."""


class Pickled:
    """Everything in one string of bytes, which any machine can load."""

    def keep(self, state: Any) -> bytes:
        return pickle.dumps(state, pickle.HIGHEST_PROTOCOL)

    def load(self, kept: bytes) -> Any:
        return pickle.loads(kept)


@dataclass(frozen=True)
class InFile:
    """A state without its large arrays, which lie in a file one after the other."""

    pickled: bytes
    sizes: tuple[int, ...]
    """Bytes of each large array; none where the file is not needed."""
    file: int
    """Index of the file among those that come with a task."""
    offset: int
    """Byte of the file at which the first array begins."""


class Files:
    """Large arrays in `files`, open files that several processes hold; what is kept goes into the last of them."""

    def __init__(self, files: Sequence[int]) -> None:
        self._files = files
        self._end = 0

    def keep(self, state: Any) -> InFile:
        buffers: list[memoryview] = []

        def in_band(buffer: pickle.PickleBuffer) -> bool:
            raw = buffer.raw()
            if raw.nbytes < LARGE:
                return True
            buffers.append(raw)
            return False

        pickled = pickle.dumps(state, pickle.HIGHEST_PROTOCOL, buffer_callback=in_band)
        began = self._end
        for raw in buffers:
            self._write(raw)
        return InFile(pickled, tuple(raw.nbytes for raw in buffers), len(self._files) - 1, began)

    def _write(self, rest: memoryview) -> None:
        while rest:
            written = os.pwrite(self._files[-1], rest, self._end)
            self._end += written
            rest = rest[written:]

    def load(self, kept: InFile) -> Any:
        arrays, offset = [], kept.offset
        for size in kept.sizes:
            arrays.append(self._read(kept.file, offset, size))
            offset += size
        return pickle.loads(kept.pickled, buffers=arrays)

    def _read(self, file: int, offset: int, size: int) -> np.ndarray:
        array = np.empty(size, np.uint8)
        rest = array.data
        while rest:
            count = os.preadv(self._files[file], [rest], offset)
            if not count:
                raise EOFError("a shared file is shorter than what was kept in it")
            offset += count
            rest = rest[count:]
        return array
