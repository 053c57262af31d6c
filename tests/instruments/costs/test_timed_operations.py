"""Work and traffic of operations: PyTorch's own counter, the bytes of the tensors, and one function made in two ways.

What they take is not tested: it differs from machine to machine and from time to time."""

from itertools import count

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from sims.instruments.costs import timed_operations
from sims.instruments.costs.timed_operations import LEAST, OF_WIDTH, OPERATIONS, SIZE, operation_time, timed, timings

TOKENS, WIDTH = 48, 16
NUMBERS = TOKENS * WIDTH


def counted(name: str) -> int:
    """Operations of products, as PyTorch counts them."""
    stay, other, matrix = torch.ones(TOKENS, WIDTH), torch.ones(TOKENS, WIDTH), torch.ones(WIDTH, WIDTH)
    with FlopCounterMode(display=False) as counter:
        if name == "product":
            torch.mm(other, matrix, out=stay)
        else:
            torch.addmm(stay, other, matrix)
    return counter.get_total_flops()


def test_work_is_that_of_pytorchs_counter_and_the_sum() -> None:
    assert OPERATIONS["product"].work(NUMBERS, WIDTH) == counted("product")
    # PyTorch does not count the sum inside.
    assert OPERATIONS["fused"].work(NUMBERS, WIDTH) == counted("fused") + NUMBERS
    assert OPERATIONS["in_place"].work(NUMBERS, WIDTH) == OPERATIONS["fresh"].work(NUMBERS, WIDTH) == NUMBERS


def test_traffic_is_the_bytes_of_the_tensors() -> None:
    stream, matrix = torch.ones(TOKENS, WIDTH).nbytes, torch.ones(WIDTH, WIDTH).nbytes
    moved = {name: operation.traffic(NUMBERS, WIDTH) for name, operation in OPERATIONS.items()}
    assert moved["product"] == 2 * stream + matrix
    assert moved["fused"] == 3 * stream + matrix
    assert moved["in_place"] == moved["fresh"] == 3 * stream
    assert moved["relu"] == 2 * stream
    assert torch.ones(1).nbytes == SIZE


@pytest.mark.parametrize("name", OF_WIDTH)
def test_only_a_product_does_more_for_each_byte_where_it_is_wider(name: str) -> None:
    def intensity(operation: str, width: int) -> float:
        work, traffic = OPERATIONS[operation].work, OPERATIONS[operation].traffic
        return work(2**24, width) / traffic(2**24, width)

    assert intensity(name, 512) > 7 * intensity(name, 64)
    assert intensity("in_place", 512) == intensity("in_place", 64) == 1 / 12


def test_one_operation_makes_what_a_product_and_a_sum_make() -> None:
    random = torch.Generator().manual_seed(0)
    stay, other, matrix = (torch.randn(WIDTH, WIDTH, generator=random) for _ in range(3))
    expected = stay + other @ matrix
    place = stay.data_ptr()
    torch.testing.assert_close(stay.addmm_(other, matrix), expected)
    assert stay.data_ptr() == place


def test_a_time_is_that_of_one_call_after_a_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks, calls = count(step=8), count()
    monkeypatch.setattr(timed_operations, "thread_time", lambda: float(next(ticks)))
    assert timed(lambda: next(calls), LEAST // 4) == 2.0
    assert next(calls) == 5


def test_other_threads_of_pytorch_come_back() -> None:
    before = torch.get_num_threads()
    assert operation_time("in_place", 1024, 32) >= 0
    assert torch.get_num_threads() == before
    assert torch.is_grad_enabled()


def test_an_unknown_operation_is_refused() -> None:
    with pytest.raises(KeyError):
        operation_time("convolution", 1024, 32)


@pytest.mark.exhaustive
def test_timings_come_from_a_process_that_may_use_every_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKL_CBWR", "COMPATIBLE")
    tasks = [("update", 4096), ("square", 16), ("in_place", 32)]
    assert len(timings(tasks, 1024)) == 3
    assert all(seconds > 0 for seconds in timings(tasks, 1024))
    with pytest.raises(RuntimeError, match="KeyError"):
        timings([("convolution", 32)], 1024)
    monkeypatch.setattr(timed_operations, "fastest", lambda: {"PATH": "", "PYTHONHOME": "/nowhere"})
    with pytest.raises(RuntimeError, match="timing operations failed"):
        timings(tasks, 1024)
