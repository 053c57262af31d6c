"""Files for states: as many as states, used again, and closed in the end."""

import os
from collections.abc import Callable

import pytest

from app.runs import shared_file_pool
from app.runs.shared_file_pool import SPARE, SharedFile, SharedFilePool


def is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@pytest.fixture(params=["memory", "disk"])
def shelf(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SharedFilePool:
    if request.param == "disk":
        monkeypatch.delattr(shared_file_pool.os, "memfd_create", raising=False)
    return SharedFilePool()


def test_a_file_is_used_again_when_nobody_holds_it(shelf: SharedFilePool, collect: Callable[[], int]) -> None:
    first, second = shelf.take(), shelf.take()
    assert first.number != second.number
    os.pwrite(first.number, b"state", 0)
    number = first.number
    del first
    collect()
    assert shelf.take().number == number


@pytest.mark.exhaustive
def test_no_more_files_than_needed_stay_open(shelf: SharedFilePool, collect: Callable[[], int]) -> None:
    files = [shelf.take() for _ in range(SPARE + 3)]
    numbers = [file.number for file in files]
    files.clear()
    collect()
    assert sum(map(is_open, numbers)) == SPARE
    shelf.close()
    assert not any(map(is_open, numbers))


@pytest.mark.exhaustive
def test_a_file_that_is_held_outlives_its_shelf(shelf: SharedFilePool, collect: Callable[[], int]) -> None:
    file: SharedFile | None = shelf.take()
    assert file
    number = file.number
    shelf.close()
    assert is_open(number)
    file = None
    collect()
    assert not is_open(number)
