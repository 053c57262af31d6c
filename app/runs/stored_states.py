"""States between chunks: large arrays in files that processes share, and everything in one string of bytes that
another server can go on from. Nothing is unpickled here; that is for workers.
"""

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from app.runs.shared_file_pool import SharedFile, Shelf
from sims.chunks.serialization import InFile

Parts = dict[str, tuple[bytes, tuple[int, ...], bytes]]
"""Part of a state → what was pickled of it, the bytes of each of its large arrays, and these one after another"""


@dataclass(frozen=True)
class Stored:
    """A part of a state, and the file that holds its large arrays."""

    part: InFile
    file: SharedFile | None


def pack(parts: Parts) -> bytes:
    """A state as one string of bytes: a line of JSON that says what follows, and what follows."""
    body = b"".join(pickled + arrays for pickled, _sizes, arrays in parts.values())
    told = [[name, len(pickled), list(sizes)] for name, (pickled, sizes, _arrays) in parts.items()]
    return json.dumps({"parts": told, "check": zlib.crc32(body)}).encode() + b"\n" + body


def unpack(data: bytes) -> Parts:
    """What `pack` made bytes of. Raises ValueError where they are damaged."""
    line, _, body = data.partition(b"\n")
    parts: Parts = {}
    offset = 0
    try:
        told = json.loads(line)
        if told["check"] != zlib.crc32(body):
            raise ValueError("its bytes have changed")
        for name, length, sizes in told["parts"]:
            middle = offset + length
            end = middle + sum(sizes)
            parts[name] = body[offset:middle], tuple(sizes), body[middle:end]
            offset = end
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a kept state: {error}") from error
    return parts


def pack_files(state: Mapping[str, Stored]) -> bytes:
    """A state whose large arrays are in files, as bytes."""
    return pack({name: (each.part.pickled, each.part.sizes, _arrays(each)) for name, each in state.items()})


def unpack_files(data: bytes, shelf: Shelf) -> dict[str, Stored]:
    """The state of these bytes, with its large arrays in one new file of the shelf. Raises ValueError."""
    file, offset = shelf.take(), 0
    state: dict[str, Stored] = {}
    for name, (pickled, sizes, arrays) in unpack(data).items():
        _write(file.number, arrays, offset)
        state[name] = Stored(InFile(pickled, sizes, 0, offset), file if sizes else None)
        offset += len(arrays)
    return state


def _arrays(stored: Stored) -> bytes:
    part, found = stored.part, b""
    while stored.file and len(found) < sum(part.sizes):
        more = os.pread(stored.file.number, sum(part.sizes) - len(found), part.offset + len(found))
        if not more:
            raise EOFError("a shared file is shorter than what was kept in it")
        found += more
    return found


def _write(number: int, data: bytes, offset: int) -> None:
    rest = memoryview(data)
    while rest:
        written = os.pwrite(number, rest, offset)
        rest, offset = rest[written:], offset + written
