"""Serializes states for other processes: as one byte string, or with the large arrays in shared files."""

import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

LARGE = 16 * 1024
"""Bytes from which an array is written to a file; smaller ones stay in the pickle."""


class Keeper(Protocol):
    """Serializes a state, or a part of one, so that it outlives its process, and loads it again."""

    def keep(self, state: Any) -> Any:
        """Return a picklable object that other processes can load."""

    def load(self, stored: Any) -> Any:
        """Return a new copy of the state that was stored."""


class Pickled:
    """Keeps everything in one byte string, which any machine can load."""

    def keep(self, state: Any) -> bytes:
        return pickle.dumps(state, pickle.HIGHEST_PROTOCOL)

    def load(self, stored: bytes) -> Any:
        return pickle.loads(stored)


@dataclass(frozen=True)
class InFile:
    """A pickled state without its large arrays, which are in a file, one after the other."""

    pickled: bytes
    sizes: tuple[int, ...]
    """Bytes of each large array; empty if there are none."""
    file: int
    """Index of the file among those that are sent with a task."""
    offset: int
    """Byte of the file at which the first array begins."""


class Files:
    """Keeps large arrays in `files`, which several processes have open; `keep` writes to the last of them."""

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

    def load(self, stored: InFile) -> Any:
        arrays, offset = [], stored.offset
        for size in stored.sizes:
            arrays.append(self._read(stored.file, offset, size))
            offset += size
        return pickle.loads(stored.pickled, buffers=arrays)

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
