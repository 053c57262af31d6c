"""A state that leaves its server comes back as it was, and what is no state is refused."""

import os

import pytest

from app.runs.shared_file_pool import SharedFilePool
from app.runs.stored_states import Stored, pack, pack_files, unpack, unpack_files
from sims.chunks.serialization import InFile

PARTS = {"": (b"small\n", (), b""), "arm": (b"with arrays", (3, 2), b"abcde")}


def test_parts_come_back_as_they_were() -> None:
    assert unpack(pack(PARTS)) == PARTS


@pytest.mark.parametrize("at", [0, 5, -1, -3])
def test_a_changed_byte_is_noticed(at: int) -> None:
    data = bytearray(pack(PARTS))
    data[at] ^= 1
    with pytest.raises(ValueError, match=r"."):
        unpack(bytes(data))


def test_half_a_state_is_none() -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack(pack(PARTS)[:-1])


def test_large_arrays_leave_one_file_and_come_into_another() -> None:
    shelf = SharedFilePool()
    file = shelf.take()
    os.pwrite(file.number, b"..abcde", 0)
    state = {"": Stored(InFile(b"small\n", (), 0, 2), None), "arm": Stored(InFile(b"with arrays", (3, 2), 0, 2), file)}
    packed = pack_files(state)
    assert unpack(packed) == PARTS
    back = unpack_files(packed, shelf)
    assert back[""].file is None
    arm = back["arm"]
    assert arm.file is not None
    assert os.pread(arm.file.number, 5, arm.part.offset) == b"abcde"
    assert pack_files(back) == packed
