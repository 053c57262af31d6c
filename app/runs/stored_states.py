"""States between chunks, and their serialization for another server. Large arrays are in files that processes share.

Nothing is unpickled here; only workers do that.
"""

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from app.runs.shared_file_pool import SharedFile, SharedFilePool
from sims.chunks.serialization import InFile

Parts = dict[str, tuple[bytes, tuple[int, ...], bytes]]
"""Part of a state → its pickle, the size in bytes of each of its large arrays, and these arrays concatenated"""


@dataclass(frozen=True)
class Stored:
    """A part of a state, and the file that holds its large arrays."""

    part: InFile
    file: SharedFile | None


def pack(parts: Parts) -> bytes:
    """Serialize a state: a line of JSON that describes what follows, then the data."""
    body = b"".join(pickled + arrays for pickled, _sizes, arrays in parts.values())
    index = [[name, len(pickled), list(sizes)] for name, (pickled, sizes, _arrays) in parts.items()]
    return json.dumps({"parts": index, "check": zlib.crc32(body)}).encode() + b"\n" + body


def unpack(data: bytes) -> Parts:
    """Inverse of `pack`. Raises ValueError for damaged data."""
    line, _, body = data.partition(b"\n")
    parts: Parts = {}
    offset = 0
    try:
        header = json.loads(line)
        if header["check"] != zlib.crc32(body):
            raise ValueError("its bytes have changed")
        for name, length, sizes in header["parts"]:
            middle = offset + length
            end = middle + sum(sizes)
            parts[name] = body[offset:middle], tuple(sizes), body[middle:end]
            offset = end
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a kept state: {error}") from error
    return parts


def pack_files(state: Mapping[str, Stored]) -> bytes:
    """Serialize a state whose large arrays are in files."""
    return pack({name: (stored.part.pickled, stored.part.sizes, _arrays(stored)) for name, stored in state.items()})


def unpack_files(data: bytes, shelf: SharedFilePool) -> dict[str, Stored]:
    """Load a serialized state, with its large arrays in one new file of the pool. Raises ValueError."""
    file, offset = shelf.take(), 0
    state: dict[str, Stored] = {}
    for name, (pickled, sizes, arrays) in unpack(data).items():
        _write(file.number, arrays, offset)
        state[name] = Stored(InFile(pickled, sizes, 0, offset), file if sizes else None)
        offset += len(arrays)
    return state


def _arrays(stored: Stored) -> bytes:
    part, data = stored.part, b""
    while stored.file and len(data) < sum(part.sizes):
        more = os.pread(stored.file.number, sum(part.sizes) - len(data), part.offset + len(data))
        if not more:
            raise EOFError("a shared file is shorter than what was kept in it")
        data += more
    return data


def _write(number: int, data: bytes, offset: int) -> None:
    rest = memoryview(data)
    while rest:
        written = os.pwrite(number, rest, offset)
        rest, offset = rest[written:], offset + written
