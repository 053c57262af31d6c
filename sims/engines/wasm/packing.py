"""Recorded calls as JSON and bytes, for those who repeat them in JavaScript."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from sims.engines.wasm.recording import Call, Values, is_scratch

SMALL = np.iinfo(np.uint16).max


class Packer:
    """Collects arrays in one file: `entry` puts an array there and says where, `data` returns the file."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self._size = 0

    def entry(self, name: str, array: np.ndarray) -> dict[str, Any]:
        """Return `type`, `shape` and, unless all bits are 0, `at`: the place of the first byte in the file.

        Whole numbers below 65,536 take two bytes each (`small`). Of scratch space only the shape is needed (`scratch`).
        """
        described = {"type": str(array.dtype), "shape": list(array.shape)}
        if is_scratch(name, array):
            return described | {"scratch": True}
        data = array.tobytes()
        if not any(data):
            return described
        if array.dtype == np.int64 and array.min() >= 0 and array.max() <= SMALL:
            return described | {"small": True, "at": self._put(array.astype(np.uint16).tobytes())}
        return described | {"at": self._put(data)}

    def data(self) -> bytes:
        """Return all arrays, each at a multiple of 8 bytes, and each only once."""
        return b"".join(_padded(data) for data in self._places)

    def _put(self, data: bytes) -> int:
        if data not in self._places:
            self._places[data] = self._size
            self._size += len(_padded(data))
        return self._places[data]


def digest(array: np.ndarray) -> str:
    """Return the SHA-256 of an array's bytes."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def packed(call: Call, packer: Packer) -> dict[str, Any]:
    """Return a call: its `arguments` by name, and the digests of what native code wrote (`wrote`) and its `result`."""
    return {
        "engine": call.engine,
        "kernel": call.kernel,
        "arguments": _arguments(call.before, call.shared, packer),
        "wrote": {name: digest(array) for name, array in call.after.items()},
        "result": call.result,
    }


def _arguments(values: Values, shared: Mapping[str, str], packer: Packer) -> dict[str, Any]:
    packed: dict[str, Any] = {}
    for name, value in values.items():
        if name in shared:
            packed[name] = {"same": shared[name], "shape": list(value.shape)}
        elif isinstance(value, np.ndarray):
            packed[name] = packer.entry(name, value)
        else:
            # JSON has no infinity, which `clip` is where nothing is clipped.
            packed[name] = "Infinity" if isinstance(value, float) and np.isinf(value) else value
    return packed


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)
